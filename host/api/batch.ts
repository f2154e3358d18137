// Many writes in one request (protocol 4.14): each is judged, counted, charged and answered as if it had come alone, in the
// order of the list.
// Keeps: what one of them costs is paid by the address that sent the batch; between two parts of a long one others have
// their turn; a refusal of one is no refusal of the others. What is under way is bounded, since each holds memory until its
// signature was looked at.

import { invalid, overloaded, rateLimited } from '../errors.ts';
import { fromUtf8, utf8 } from '../wire/bytes.ts';
import { hasFewParts, isRecord } from '../wire/json.ts';
import type { Clock } from '../world/clock.ts';
import type { Answer, HttpReply, HttpRequest } from '../world/http.ts';
import { RequestHead } from '../world/request-head.ts';
import type { Charge } from './cost-budget.ts';
import { FairPlaces } from './fair-places.ts';
import { type FairTurns, TURN_RETRY_MS } from './fair-turns.ts';
import { JSON_TYPE, type Refusals } from './refusals.ts';
import type { RequestTrace } from './request-trace.ts';
import type { BatchRoute } from './route.ts';
import type { Place } from './writes.ts';

const MEMBERS: ReadonlySet<string> = new Set(['method', 'path', 'headers', 'body']);
const MAX_HEADERS = 16;
/** Characters of a path, and of a header. */
const MAX_TEXT = 4_096;
/** Commas and opening brackets for each request: its members and headers. */
const MAX_PARTS_PER_REQUEST = 24;
/** Requests that are begun in one turn. */
const REQUESTS_PER_TURN = 16;

/** Requests of batches that are begun and not answered, some 8 kB each: of all, and of one address (protocol 8.2). */
const MAX_UNDER_WAY = 32_768;
const MAX_UNDER_WAY_PER_ADDRESS = 8_192;

/** One of a batch, as it was sent. */
interface Item {
  method: string;
  path: string;
  /** Names in lower case, each followed by its value. */
  headers: readonly string[];
  body: string;
}

interface BatchesOptions {
  turns: FairTurns;
  /** The one of the turns. */
  clock: Pick<Clock, 'monotonicMs'>;
  refusals: Refusals;
  /** Begins one of the requests; `place` keeps it behind those before it. Never rejects. */
  begin(request: HttpRequest, charge: Charge, place: Place): Promise<HttpReply>;
}

export interface Batch {
  req: HttpRequest;
  route: BatchRoute;
  trace: RequestTrace;
  charge: Charge;
}

/** Names in lower case, each followed by its value. */
function readHeaders(given: unknown, at: string): string[] {
  const headers: string[] = [];
  if (given === undefined) return headers;
  if (!isRecord(given) || Object.keys(given).length > MAX_HEADERS)
    throw invalid(`${at}.headers must be an object of at most ${MAX_HEADERS} texts`);
  for (const name in given) {
    const lower = name.toLowerCase();
    const value = given[name];
    if (typeof value !== 'string' || value.length > MAX_TEXT || hasName(headers, lower))
      throw invalid(
        `${at}.headers must be an object of texts of at most ${MAX_TEXT} characters, no name twice`,
      );
    headers.push(lower, value);
  }
  return headers;
}

function hasName(headers: readonly string[], name: string): boolean {
  for (let i = 0; i < headers.length; i += 2) if (headers[i] === name) return true;
  return false;
}

function readItem(given: unknown, at: string): Item {
  if (!isRecord(given)) throw invalid(`${at} must be an object`);
  for (const name in given)
    if (!MEMBERS.has(name)) throw invalid(`${at} has no member ${JSON.stringify(name.slice(0, 40))}`);
  const { method = 'POST', path, headers, body = '' } = given;
  if (typeof method !== 'string') throw invalid(`${at}.method must be a text`);
  if (typeof path !== 'string' || !path.startsWith('/') || path.length > MAX_TEXT)
    throw invalid(`${at}.path must be a path of at most ${MAX_TEXT} characters`);
  if (typeof body !== 'string') throw invalid(`${at}.body must be a text: the bytes that were signed`);
  return { method, path, headers: readHeaders(headers, at), body };
}

/** Errors: `invalid_request` for what is no list of requests; nothing of it was begun then. */
function readBatch({ body }: HttpRequest, { maxRequests }: Pick<BatchRoute, 'maxRequests'>): Item[] {
  if (!hasFewParts(body, maxRequests * MAX_PARTS_PER_REQUEST)) throw invalid('the body has too many parts');
  let given: unknown;
  try {
    given = JSON.parse(fromUtf8(body));
  } catch {
    throw invalid('the body is not valid JSON');
  }
  const requests = isRecord(given) && Object.keys(given).length === 1 ? given.requests : undefined;
  if (!Array.isArray(requests) || requests.length === 0 || requests.length > maxRequests)
    throw invalid(`a batch is {"requests": [...]} with 1 to ${maxRequests} requests`);
  return requests.map((one, i) => readItem(one, `requests[${i}]`));
}

/** One of a batch as a request of its own, from the address of the batch. */
function requestOf(
  { method, path, headers, body }: Item,
  { remoteAddress, onKey }: HttpRequest,
): RequestHead {
  const at = path.indexOf('?');
  const [plain, query] = at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)];
  const request = new RequestHead(method, plain, query, remoteAddress, headers);
  request.body = utf8(body);
  request.onKey = onKey;
  return request;
}

/** The requests of a batch. Errors: `invalid_request` for what is no list of requests; nothing of it was begun then. */
export const requestsOf = (batch: HttpRequest, limit: Pick<BatchRoute, 'maxRequests'>): RequestHead[] =>
  readBatch(batch, limit).map((item) => requestOf(item, batch));

/** Of a header. */
export const integerOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

/** The outcome of one of a batch as a text of JSON. */
function outcomeOf({ status, headers, body }: HttpReply): string {
  const order = integerOf(headers['X-Service-Order']);
  const retryAfter = integerOf(headers['Retry-After']);
  let text = `{"status":${status}`;
  if (order !== undefined) text += `,"order":${order}`;
  if (retryAfter !== undefined) text += `,"retry_after":${retryAfter}`;
  return `${text},"body":${body as string}}`;
}

/** What others have executed, asked once for all of a batch: every write of it came before that. */
class OneAsking {
  #answer: { order: Answer<number | undefined> } | undefined;

  order(ask: () => Answer<number | undefined>): Answer<number | undefined> {
    this.#answer ??= { order: ask() };
    return this.#answer.order;
  }
}

/** A place behind another, and so behind all before that: one that is refused at once does not let those behind it pass. */
class InLine implements Place {
  #isFirst: boolean;
  #isTaken = false;
  #next: InLine | undefined;
  #onFirst: (() => void) | undefined;

  constructor(
    previous: InLine | undefined,
    private readonly asking: OneAsking,
  ) {
    this.#isFirst = !previous || (previous.#isFirst && previous.#isTaken);
    if (previous) previous.#next = this;
  }

  get before(): Promise<void> | undefined {
    if (this.#isFirst) return undefined;
    return new Promise((resolve) => {
      this.#onFirst = resolve;
    });
  }

  othersOrder(ask: () => Answer<number | undefined>): Answer<number | undefined> {
    return this.asking.order(ask);
  }

  taken(): void {
    this.#isTaken = true;
    let at: InLine = this;
    while (at.#isFirst && at.#isTaken && at.#next) {
      at = at.#next;
      at.#isFirst = true;
      at.#onFirst?.();
    }
  }
}

export class Batches {
  readonly #places = new FairPlaces(MAX_UNDER_WAY, MAX_UNDER_WAY_PER_ADDRESS);

  constructor(private readonly o: BatchesOptions) {}

  /** Answers when all have their outcome. Never rejects. */
  async handle(batch: Batch): Promise<HttpReply> {
    const { req, route, trace, charge } = batch;
    try {
      const requests = req.items ?? charge.run(() => requestsOf(req, route));
      const outcomes = await this.#outcomes(requests, batch);
      const body = charge.run(() => `{"results":[${outcomes.map(outcomeOf).join(',')}]}`);
      charge.addBytes(body.length);
      return { status: 200, headers: { 'Content-Type': JSON_TYPE }, body };
    } catch (error) {
      return this.o.refusals.of(error, trace);
    }
  }

  /** Errors: 503 `overloaded`, before any of them was begun. */
  async #outcomes(requests: readonly HttpRequest[], batch: Batch): Promise<HttpReply[]> {
    const { charge } = batch;
    if (!this.#places.isFreeFor(charge, requests.length)) throw overloaded();
    this.#places.take(charge, requests.length);
    try {
      return await Promise.all(await this.#begin(requests, batch));
    } finally {
      this.#places.release(charge, requests.length);
    }
  }

  /** Begins all of them, some in each turn. What finds no turn, or comes when the address owes too much, is refused. */
  async #begin(requests: readonly HttpRequest[], { charge, trace }: Batch): Promise<Promise<HttpReply>[]> {
    const outcomes: Promise<HttpReply>[] = [];
    const asking = new OneAsking();
    let last: InLine | undefined;
    const refused = (error: unknown): Promise<HttpReply> => Promise.resolve(this.o.refusals.of(error, trace));
    const one = (request: HttpRequest): Promise<HttpReply> => {
      last = new InLine(last, asking);
      return this.o.begin(request, charge, last);
    };
    for (let from = 0; from < requests.length; from += REQUESTS_PER_TURN) {
      const part = requests.slice(from, from + REQUESTS_PER_TURN);
      await this.#turn(charge, () => {
        charge.checkDebt();
        charge.run(() => outcomes.push(...part.map(one)));
      }).catch((error) => outcomes.push(...part.map(() => refused(error))));
    }
    return outcomes;
  }

  /** Does something in a turn of its own. Errors: those of `work`; 429 when too many wait for a turn. */
  #turn(charge: Charge, work: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const run = (): number => {
        try {
          work();
          resolve();
        } catch (error) {
          reject(error);
        }
        return this.o.clock.monotonicMs();
      };
      this.o.turns.take({ charge, run, refuse: () => reject(rateLimited(TURN_RETRY_MS)) });
    });
  }
}
