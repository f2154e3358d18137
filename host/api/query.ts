// Query strings of reads: paging and filters (protocol 1.5), and the headers of a page.
// Keeps: every list accepts and refuses the same values; handlers get checked values only.

import { invalid } from '../errors.ts';
import type { QueryParam, ReadArgs } from './route.ts';

export const PAGE_DEFAULT = 50;
export const MAX_PAGE = 200;
/** Keeps offsets exact: 2^53 / 200. */
const MAX_PAGE_NUMBER = Math.floor(Number.MAX_SAFE_INTEGER / MAX_PAGE);

type ReadQuery = Readonly<Pick<ReadArgs, 'query' | 'page'>>;

const NO_QUERY = new URLSearchParams();
const NO_PARAMS: readonly QueryParam[] = [];

/** A decimal integer; values above `max` are lowered to it. Error: 400 invalid_request. */
function readInt(name: string, text: string, min: number, max: number): number {
  if (!/^\d+$/.test(text)) throw invalid(`${name} must be an integer of at least ${min}`);
  const value = Number(text);
  if (value < min) throw invalid(`${name} must be an integer of at least ${min}`);
  return Math.min(value, max);
}

function readPage(given: URLSearchParams, usualSize = PAGE_DEFAULT): ReadArgs['page'] {
  const read = (name: string, otherwise: number, max: number): number => {
    const text = given.get(name);
    return text === null ? otherwise : readInt(name, text, 1, max);
  };
  const number = read('page', 1, MAX_PAGE_NUMBER);
  // Both are checked even though per_page wins: a bad value is never silently ignored.
  const limit = read('limit', usualSize, MAX_PAGE);
  const size = read('per_page', limit, MAX_PAGE);
  return { number, size, offset: (number - 1) * size };
}

const PAGE_NAMES = ['page', 'per_page', 'limit'];
const MAX_NAME_SHOWN = 40;

/** A misspelt filter that was ignored would show what was not asked for. Error: 400 invalid_request. */
function refuseOthers(params: readonly QueryParam[], given: URLSearchParams): void {
  const known = params.flatMap((param) => (param.kind === 'page' ? PAGE_NAMES : [param.name]));
  const seen = new Set<string>();
  for (const name of given.keys()) {
    const shown = name.slice(0, MAX_NAME_SHOWN);
    if (!known.includes(name)) {
      const list = known.length === 0 ? 'takes none' : `known: ${known.join(', ')}`;
      throw invalid(`unknown query parameter ${shown}; ${list}`);
    }
    if (seen.has(name)) throw invalid(`query parameter ${shown} is given twice`);
    seen.add(name);
  }
}

/**
 * Reads and checks the parameters of a raw query string (without `?`). Names not in `params` and repeated ones are
 * refused; an empty text or enumeration counts as absent.
 * Errors: 400 `invalid_request`. Source: protocol 1.5.
 */
export function readQuery(params: readonly QueryParam[] | undefined, queryString: string): ReadQuery {
  if (queryString !== '') return readGiven(params ?? NO_PARAMS, queryString);
  const known = withoutQuery.get(params ?? NO_PARAMS);
  if (known) return known;
  const read = readGiven(params ?? NO_PARAMS, '');
  withoutQuery.set(params ?? NO_PARAMS, read);
  return read;
}

/** What most requests ask, by the parameters of their route. */
const withoutQuery = new WeakMap<readonly QueryParam[], ReadQuery>();

function readGiven(params: readonly QueryParam[], queryString: string): ReadQuery {
  const given = queryString === '' ? NO_QUERY : new URLSearchParams(queryString);
  if (given !== NO_QUERY) refuseOthers(params, given);
  const query: Record<string, string | number> = {};
  let page = { number: 1, size: PAGE_DEFAULT, offset: 0 };
  for (const param of params) {
    if (param.kind === 'page') {
      page = readPage(given, param.size);
      continue;
    }
    const { name } = param;
    const text = given.get(name);
    if (param.kind === 'int') {
      if (text !== null) {
        if (param.strict && Number(text) > param.max) throw invalid(`${name} must be at most ${param.max}`);
        query[name] = readInt(name, text, param.min, param.max);
      } else if (param.default !== undefined) query[name] = param.default;
    } else if (text === null || text === '') {
      if (param.kind === 'text' && param.required) throw invalid(`query parameter ${name} is required`);
      if (param.kind === 'enum' && param.default !== undefined) query[name] = param.default;
    } else {
      if (param.kind === 'enum' && !param.values.includes(text)) {
        throw invalid(`${name} must be one of ${param.values.join(', ')}`);
      }
      query[name] = text;
    }
  }
  return { query, page };
}

/** Longest list of one answer, in bytes of JSON, unless one item is longer (protocol 1.5). */
const MAX_LIST_BYTES = 1_048_576;

/**
 * As much of a page as one answer may hold: its JSON, and the page as it is then numbered. `wanted`: items that the page
 * would have; `rows` may be only the first ones. `jsonOf`: of one item. The size is lowered to one that
 * divides the offset, so that the page has a number and the next one begins where it ends.
 */
export function fitPage(
  rows: readonly unknown[],
  page: ReadArgs['page'],
  wanted = rows.length,
  jsonOf: (row: unknown) => string = JSON.stringify,
): { json: string; page: ReadArgs['page'] } {
  const texts: string[] = [];
  let bytes = 2;
  for (const row of rows) {
    const text = jsonOf(row);
    bytes += text.length + 1;
    if (bytes > MAX_LIST_BYTES && texts.length > 0) break;
    texts.push(text);
  }
  let { size } = page;
  if (texts.length < wanted) for (size = texts.length; page.offset % size !== 0; ) size -= 1;
  const json = `[${texts.slice(0, size).join(',')}]`;
  return { json, page: { ...page, size, number: page.offset / size + 1 } };
}

/** Where one link is longer, only the one to the next page is given: clients and proxies bound the head of an answer. */
const MAX_LINK_CHARS = 1024;

/**
 * X-Total-Count, X-Per-Page and Link (RFC 8288) of one page. `path` and `queryString`: as sent by the client; the links keep all other
 * parameters.
 */
export function pageHeaders(
  path: string,
  queryString: string,
  page: ReadArgs['page'],
  total: number,
): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / page.size));
  const params = new URLSearchParams(queryString);
  params.delete('limit');
  const link = (number: number, rel: string): string => {
    params.set('page', String(number));
    params.set('per_page', String(page.size));
    return `<${path}?${params}>; rel="${rel}"`;
  };
  const next = page.number < last ? [link(page.number + 1, 'next')] : [];
  const links = [link(1, 'first')];
  if (page.number > 1) links.push(link(Math.min(page.number - 1, last), 'prev'));
  links.push(...next, link(last, 'last'));
  const given = links.some(({ length }) => length > MAX_LINK_CHARS) ? next : links;
  return {
    'X-Total-Count': String(total),
    'X-Per-Page': String(page.size),
    ...(given.length > 0 ? { Link: given.join(', ') } : {}),
  };
}
