import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitPage, pageHeaders, readQuery } from '../../../host/api/query.ts';
import type { QueryParam } from '../../../host/api/route.ts';

const PAGE: QueryParam = { kind: 'page' };
const HOURS: QueryParam = { kind: 'int', name: 'hours', min: 1, max: 168, default: 24 };
const SORT: QueryParam = {
  kind: 'enum',
  name: 'sort',
  values: ['reputation', 'balance'],
  default: 'reputation',
};
const STATUS: QueryParam = { kind: 'enum', name: 'status', values: ['active'] };
const CATEGORY: QueryParam = { kind: 'text', name: 'category', required: true };

const page = (text: string) => readQuery([PAGE], text).page;
const refusal = (params: readonly QueryParam[], text: string) =>
  expect(() => readQuery(params, text)).toThrow(expect.objectContaining({ code: 'invalid_request' }));

describe('paging (protocol 1.5)', () => {
  it('defaults, alias, precedence, maximum', () => {
    expect(page('')).toEqual({ number: 1, size: 50, offset: 0 });
    expect(page('page=3&per_page=20')).toEqual({ number: 3, size: 20, offset: 40 });
    expect(page('limit=7')).toEqual({ number: 1, size: 7, offset: 0 });
    expect(page('limit=7&per_page=9').size).toBe(9);
    expect(page('per_page=201').size).toBe(200);
    expect(page('limit=99999999999999999999').size).toBe(200);
    expect(Number.isSafeInteger(page('page=99999999999999999999&limit=200').offset)).toBe(true);
  });

  it('refuses zero, negatives and non-integers', () => {
    for (const name of ['page', 'per_page', 'limit']) {
      for (const bad of ['0', '-1', '-3', 'abc', '1.5', '1e2', '', '+1', '0x10', ' 1', 'null']) {
        refusal([PAGE], `${name}=${encodeURIComponent(bad)}`);
      }
    }
    refusal([PAGE], 'limit=0&per_page=5');
  });

  it('refuses repeated and unknown names, and says which are known', () => {
    for (const [params, text, message] of [
      [[PAGE], 'limit=3&limit=4', 'query parameter limit is given twice'],
      [[PAGE, HOURS], 'colour=red', 'unknown query parameter colour; known: page, per_page, limit, hours'],
      [[], 'limit=5', 'unknown query parameter limit; takes none'],
      [
        [PAGE],
        `${'x'.repeat(5000)}=1`,
        `unknown query parameter ${'x'.repeat(40)}; known: page, per_page, limit`,
      ],
    ] as const) {
      refusal(params, text);
      expect(() => readQuery(params, text)).toThrow(message);
    }
    expect(page('limit=4&per_page=3&page=2').offset).toBe(3);
  });
});

describe('filters', () => {
  it('integers: default, bounds, lowered to the maximum', () => {
    expect(readQuery([HOURS], '').query).toEqual({ hours: 24 });
    expect(readQuery([HOURS], 'hours=5').query).toEqual({ hours: 5 });
    expect(readQuery([HOURS], 'hours=169').query).toEqual({ hours: 168 });
    for (const bad of ['0', '-1', 'x', '1.0']) refusal([HOURS], `hours=${bad}`);
    const since: QueryParam = { kind: 'int', name: 'since', min: 0, max: 9 };
    expect(readQuery([since], '').query).toEqual({});
    expect(readQuery([since], 'since=0').query).toEqual({ since: 0 });
    refusal([since], 'since=');
  });

  it('enumerations: default, unknown values refused', () => {
    expect(readQuery([SORT, STATUS], '').query).toEqual({ sort: 'reputation' });
    expect(readQuery([SORT, STATUS], 'sort=balance&status=active').query).toEqual({
      sort: 'balance',
      status: 'active',
    });
    refusal([STATUS], 'status=x');
    refusal([STATUS], 'status=ACTIVE');
  });

  it('texts: decoded, required ones demanded', () => {
    expect(readQuery([CATEGORY], 'category=a%20b+c').query).toEqual({ category: 'a b c' });
    refusal([CATEGORY], '');
    refusal([CATEGORY], 'category=');
  });

  it('accepts or refuses any input, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        try {
          const { page: p } = readQuery([PAGE, HOURS, SORT], text);
          expect(p.size).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_request' });
        }
      }),
    );
  });
});

describe('page headers', () => {
  const links = (number: number, size: number, total: number, query = '') => {
    const headers = pageHeaders('/v1/agents', query, { number, size, offset: (number - 1) * size }, total);
    expect(headers['X-Total-Count']).toBe(String(total));
    return Object.fromEntries(
      headers.Link!.split(', ').map((link) => {
        const [, url, rel] = /^<([^>]+)>; rel="(\w+)"$/.exec(link)!;
        return [rel, url];
      }),
    );
  };

  it('name the pages that exist, relative, with the filters kept', () => {
    expect(links(2, 10, 35, 'sort=balance&limit=10&page=2')).toEqual({
      first: '/v1/agents?sort=balance&page=1&per_page=10',
      prev: '/v1/agents?sort=balance&page=1&per_page=10',
      next: '/v1/agents?sort=balance&page=3&per_page=10',
      last: '/v1/agents?sort=balance&page=4&per_page=10',
    });
    expect(Object.keys(links(1, 50, 0))).toEqual(['first', 'last']);
    expect(Object.keys(links(1, 50, 50))).toEqual(['first', 'last']);
    expect(Object.keys(links(1, 50, 51))).toEqual(['first', 'next', 'last']);
    expect(Object.keys(links(2, 50, 51))).toEqual(['first', 'prev', 'last']);
  });

  it('lead back from a page beyond the end', () => {
    expect(links(9, 10, 35)).toMatchObject({
      prev: '/v1/agents?page=4&per_page=10',
      last: '/v1/agents?page=4&per_page=10',
    });
  });

  it('repeat a long query once at most: the way on is all that is given then', () => {
    const q = 'x'.repeat(8000);
    const page = (number: number) => ({ number, size: 10, offset: (number - 1) * 10 });
    const { Link, ...others } = pageHeaders('/v1/agents', `q=${q}`, page(2), 35);
    expect(Link).toBe(`</v1/agents?q=${q}&page=3&per_page=10>; rel="next"`);
    expect(others).toEqual({ 'X-Total-Count': '35', 'X-Per-Page': '10' });
    expect(Object.keys(pageHeaders('/v1/agents', `q=${q}`, page(4), 35))).toEqual(Object.keys(others));
    // Four of the longest that are given together.
    const { length } = pageHeaders('/v1/agents', `q=${'x'.repeat(900)}`, page(2), 35).Link!;
    expect([length > 3600, length < 4200]).toEqual([true, true]);
  });

  it('following next visits every item once', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.integer({ min: 1, max: 200 }), (total, size) => {
        let query = `limit=${size}`;
        let seen = 0;
        for (;;) {
          const { page: p } = readQuery([PAGE], query);
          expect(p.offset).toBe(seen);
          seen += Math.max(0, Math.min(p.size, total - p.offset));
          const next = /<[^>]*\?([^>]*)>; rel="next"/.exec(pageHeaders('/x', query, p, total).Link!);
          if (!next) break;
          query = next[1]!;
        }
        expect(seen).toBe(total);
      }),
    );
  });
});

describe('a page whose items are long', () => {
  const rows = (count: number, bytes: number) =>
    Array.from({ length: count }, (_, i) => `${i}`.padEnd(bytes, '.'));
  const pageOf = (number: number, size: number) => ({ number, size, offset: (number - 1) * size });

  it('is whole as long as it fits', () => {
    const { json, page } = fitPage(rows(200, 5_000), pageOf(3, 200));
    expect([JSON.parse(json).length, page]).toEqual([200, pageOf(3, 200)]);
    expect(fitPage([], pageOf(7, 50))).toEqual({ json: '[]', page: pageOf(7, 50) });
  });

  it('has fewer items beyond that, and one at least', () => {
    const { json, page } = fitPage(rows(200, 60_000), pageOf(1, 200));
    expect([JSON.parse(json).length, page]).toEqual([17, pageOf(1, 17)]);
    expect(JSON.parse(fitPage(rows(3, 2_000_000), pageOf(1, 3)).json)).toHaveLength(1);
  });

  it('has fewer items too where only the first ones were read, on a later page as many as give it a number', () => {
    expect(fitPage(rows(21, 10), pageOf(1, 200), 200).page).toEqual(pageOf(1, 21));
    expect(fitPage(rows(21, 10), pageOf(3, 200), 200).page).toEqual({ number: 21, size: 20, offset: 400 });
    expect(fitPage(rows(21, 10), pageOf(3, 200), 21).page).toEqual(pageOf(3, 200));
  });

  it('followed by its links, nothing is left out and nothing comes twice', () => {
    for (const bytes of [1_000, 30_000, 61_111, 400_000, 2_000_000]) {
      const all = rows(137, bytes);
      const got: string[] = [];
      let at = pageOf(1, 200);
      while (got.length < all.length) {
        const { json, page } = fitPage(all.slice(at.offset, at.offset + at.size), at);
        expect(page.offset).toBe(at.offset);
        got.push(...JSON.parse(json));
        at = pageOf(page.number + 1, page.size);
      }
      expect(got).toEqual(all);
    }
  });
});
