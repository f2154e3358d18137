// Carries out a read: waits for the least order that it wants, then for its turn, then asks its handler and writes the answer.
// Keeps: a read runs between two batches, so it shows one state, and never one that could still be lost; what it takes of the
// main thread is charged to its address. What all answers of one order have in common is made once for that order.

import { rateLimited } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { Clock } from '../world/clock.ts';
import type { HttpReply, HttpRequest } from '../world/http.ts';
import type { World } from '../world/world.ts';
import type { ReadContext } from './context.ts';
import type { Charge, Stopwatch } from './cost-budget.ts';
import { FairTurns, type Job, TURN_RETRY_MS } from './fair-turns.ts';
import { type OrderWaits, readMinOrder } from './order-waits.ts';
import { EXPOSED_HEADERS } from './other-origins.ts';
import { Packing, takesGzip } from './packing.ts';
import { fitPage, pageHeaders, readQuery } from './query.ts';
import { JSON_TYPE, type Refusals } from './refusals.ts';
import type { RequestTrace } from './request-trace.ts';
import type { Reply } from './route.ts';
import type { Found } from './router.ts';
import { unrouted } from './writes.ts';

type Headers = HttpReply['headers'];

/** Pages of every origin may read answers to reads. */
export const OPEN_HEADERS: Headers = {
  'Content-Type': JSON_TYPE,
  'Access-Control-Allow-Origin': '*',
  ...EXPOSED_HEADERS,
};
/** How many reads of one address wait for their turn (protocol 8.3): as many as it may send at once. */
const MAX_WAITING = 500;

export interface ReadsOptions {
  reads: ReadContext;
  sequencer: Pick<Sequencer, 'busy' | 'order'>;
  orders: OrderWaits;
  refusals: Refusals;
  metrics: Pick<Metrics, 'costRefusal'>;
  clock: Pick<Clock, 'monotonicMs' | 'soon'>;
  gzip: World['gzip'];
  /** SERVICE_RATE_LIMITS. */
  isLimited: boolean;
}

/** `charge`: undefined for what is free. */
interface ReadRequest {
  req: HttpRequest;
  found: Found<ReadContext>;
  trace: RequestTrace;
  charge: Charge | undefined;
}

/** `endMs`: when the answer was made, if that was just now. */
type Done = (reply: HttpReply, endMs?: number) => void;

type FoundRead = Extract<Found<ReadContext>, { kind: 'read' }>;
type Answered = HttpReply | Promise<HttpReply>;

/** Is it a read that shows the state, at an order. */
export const isStateRead = (found: Found<ReadContext>): boolean =>
  found.kind === 'read' && found.route.exempt !== true;

export class Reads {
  readonly #packing: Packing;
  readonly #turns: FairTurns;
  /** Headers of answers about the state, with the order and how far behind they are of. */
  #ofState: { order: number; behind: number | undefined; headers: Headers } | undefined;

  /** What is hidden here is in no answer. */
  readonly #json = (value: unknown): string => this.o.reads.hidden.json(value);

  constructor(private readonly o: ReadsOptions) {
    const { clock, gzip, isLimited: isBounded, sequencer } = o;
    this.#packing = new Packing(gzip);
    // While a batch is being written, reads wait for it, so that they see one state.
    const pause = (): Promise<void> | undefined => sequencer.busy;
    this.#turns = new FairTurns({ clock, isBounded, maxWaiting: MAX_WAITING, pause });
  }

  /** Calls `done` once, now or later. */
  handle(request: ReadRequest, done: Done): void {
    const { charge, found, req, trace } = request;
    const run = (startMs: number): number => this.#run(request, startMs, done);
    if (!charge) {
      run(trace.startedMs);
      return;
    }
    const job: Job = { charge, run, refuse: () => done(this.#tooMany()) };
    const minOrder = isStateRead(found) ? req.header('x-service-min-order') : undefined;
    if (minOrder === undefined) {
      this.#turns.take(job, trace.startedMs);
      return;
    }
    const failed = (error: unknown): void => done(this.#error(error, request));
    try {
      const wait = this.o.orders.reach(readMinOrder(minOrder), charge.address);
      if (wait) void wait.then(() => this.#turns.take(job), failed);
      else this.#turns.take(job, trace.startedMs);
    } catch (error) {
      failed(error);
    }
  }

  /** Makes the answer, and charges what that took. Returns when it was made. */
  #run(request: ReadRequest, startMs: number, done: Done): number {
    const { charge } = request;
    let watch: Stopwatch | undefined;
    let reply: Answered;
    try {
      charge?.checkDebt();
      watch = charge?.start(startMs);
      reply = this.#answer(request);
    } catch (error) {
      reply = this.#error(error, request);
    }
    const endMs = this.o.clock.monotonicMs();
    if (watch) charge?.stop(watch, endMs);
    if (!(reply instanceof Promise)) done(reply, endMs);
    else void reply.then(done, (error) => done(this.#error(error, request)));
    return endMs;
  }

  /** Errors, thrown or of the promise: those of the route. */
  #answer(request: ReadRequest): Answered {
    const { charge, found, req } = request;
    if (charge && found.kind === 'exchange') {
      return this.#exchanged(charge, () => found.route.exchange(this.o.reads, req));
    }
    if (found.kind !== 'read') throw unrouted(found);
    return this.#made(request, found);
  }

  /** What happens until the answer is there is charged, whatever else happens meanwhile: more than it took, never less. */
  async #exchanged(charge: Charge, exchange: () => Promise<Reply>): Promise<HttpReply> {
    return this.#whole(await charge.runUntil(exchange), OPEN_HEADERS, charge);
  }

  #made({ charge, req }: ReadRequest, { route, path }: FoundRead): Answered {
    // Pages and probes take no parameters, and whoever links to them may append some.
    const { query, page } = readQuery(route.query, route.query || !route.exempt ? req.query : '');
    const host = req.header('host')?.toLowerCase() ?? '';
    const reply = route.handle(this.o.reads, { path, query, page, host });
    const common = route.exempt === true ? OPEN_HEADERS : this.#stateHeaders();
    const list = Array.isArray(reply.body) ? fitPage(reply.body, page, reply.wanted, this.#json) : undefined;
    const headers =
      reply.total === undefined
        ? common
        : { ...common, ...pageHeaders(req.path, req.query, list?.page ?? page, reply.total) };
    const isPacked = reply.compress === true && takesGzip(req.header('accept-encoding'));
    const finish = (body: unknown): Answered => {
      const whole = this.#whole(reply, headers, charge, body, list?.json);
      return isPacked ? this.#packing.pack(whole) : whole;
    };
    return reply.body instanceof Promise ? reply.body.then(finish) : finish(reply.body);
  }

  /** `json`: the body, where it was written already. */
  #whole(
    reply: Reply,
    common: Headers,
    charge: Charge | undefined,
    body: unknown = reply.body,
    json?: string,
  ): HttpReply {
    const { contentType, status = 200 } = reply;
    const type = contentType === undefined ? undefined : { 'Content-Type': contentType };
    const headers = reply.headers || type ? { ...common, ...reply.headers, ...type } : common;
    const whole =
      contentType === undefined
        ? { status, headers, body: json ?? this.#json(body) }
        : { status, headers, body: body as string | Uint8Array };
    charge?.addBytes(whole.body.length);
    return whole;
  }

  /** Errors of reads of the state tell its order as well, and whether the node is behind: a 404 is one at that order. */
  #error(error: unknown, { found, trace }: ReadRequest): HttpReply {
    return this.o.refusals.of(error, trace, isStateRead(found) ? this.#stateHeaders() : OPEN_HEADERS);
  }

  /** The refusal of a request that found no room among those that wait for their turn. */
  #tooMany(): HttpReply {
    this.o.metrics.costRefusal('read', 'turn');
    return this.o.refusals.from(rateLimited(TURN_RETRY_MS), OPEN_HEADERS);
  }

  #stateHeaders(): Headers {
    const { order } = this.o.sequencer;
    const behind = this.o.reads.ordersBehind();
    const known = this.#ofState;
    if (known?.order === order && known.behind === behind) return known.headers;
    const headers = {
      ...OPEN_HEADERS,
      'X-Service-Order': String(order),
      ...(behind === undefined ? {} : { 'X-Service-Behind': String(behind) }),
    };
    this.#ofState = { order, behind, headers };
    return headers;
  }
}
