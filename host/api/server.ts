// Dispatches requests in the order of protocol 1.6: sizes and what the address may cost, then reads here, writes in
// writes.ts. Contains no socket code (see the drivers).
// Keeps: every answer is JSON, errors with a code of the catalogue, unless a page, text or bytes are requested; no
// exception leaves this class. Every request but /health (and below) and OPTIONS is charged to its address before anything is done.

import { invalid, rateLimited, ServiceError } from '../errors.ts';
import type { Trials } from '../execution/trials.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { WebhookPolicy } from '../wire/webhook-url.ts';
import type { Clock } from '../world/clock.ts';
import type { HttpReply, HttpRequest, HttpService, RefusalCode, StreamOpener } from '../world/http.ts';
import type { World } from '../world/world.ts';
import type { AuthContext } from './auth.ts';
import { Batches } from './batch.ts';
import type { ClientIp } from './client-ip.ts';
import type { ReadContext } from './context.ts';
import { bytesMs, type Charge, type CostBudget, type Lane } from './cost-budget.ts';
import { FairTurns, TURN_RETRY_MS } from './fair-turns.ts';
import { type OrderWaits, readMinOrder } from './order-waits.ts';
import { Packing, takesGzip } from './packing.ts';
import { fitPage, pageHeaders, readQuery } from './query.ts';
import type { RateLimiter } from './rate-limits.ts';
import { JSON_TYPE, Refusals } from './refusals.ts';
import { RequestTrace } from './request-trace.ts';
import { DEFAULT_BODY_BYTES, type Reply, type Route } from './route.ts';
import { type Found, Router } from './router.ts';
import { softened } from './soft-refusals.ts';
import type { StaticFiles } from './static-files.ts';
import type { StreamHub, StreamQuery } from './stream-hub.ts';
import { checkWritingPage, withWrites } from './stream-writes.ts';
import { EXPOSED_HEADERS, type Place, unrouted, Writes } from './writes.ts';

const WRITE_METHODS = new Set(['POST', 'PUT', 'DELETE']);
/** Pages of every origin may read answers to reads. */
const OPEN_HEADERS = { 'Content-Type': JSON_TYPE, 'Access-Control-Allow-Origin': '*', ...EXPOSED_HEADERS };
/** What a stream costs at its opening. */
const STREAM_MS = 5;
/**
 * How many requests of one address wait for their turn (protocol 8.3): as many reads as it may send at once; fewer writes,
 * which hold their bodies.
 */
const WAITING = { read: 500, write: 64 } as const satisfies Partial<Record<Lane, number>>;

export interface ServerOptions {
  routes: readonly Route<ReadContext>[];
  reads: ReadContext;
  auth: AuthContext;
  sequencer: Sequencer;
  trials: Trials;
  limiter: RateLimiter;
  costs: Record<Lane, CostBudget>;
  /** SERVICE_RATE_LIMITS. */
  isLimited: boolean;
  orders: OrderWaits;
  stream: StreamHub;
  /** The explorer page; files win over routes. */
  files: Pick<StaticFiles, 'find' | 'has'>;
  clientIp: ClientIp;
  corsOrigins: readonly string[];
  othersOrder: () => number | undefined;
  webhooks: WebhookPolicy;
  metrics: Metrics;
  log: Logger;
  clock: Pick<Clock, 'monotonicMs' | 'soon'>;
  gzip: World['gzip'];
}

type FoundRead = Extract<Found<ReadContext>, { kind: 'read' }>;

/** A read on its way. `charge`: undefined for what is free. */
/** What is known of a request before its body is read. */
interface Admitted {
  found: Found<ReadContext>;
  charge: Charge | undefined;
}

interface Read extends Admitted {
  req: HttpRequest;
  trace: RequestTrace;
  /** Of the answer: made for this request alone. */
  headers: Record<string, string>;
}

/** Template for metrics and log. */
function templateOf(found: Found<ReadContext>): string {
  if (found.kind === 'method') return found.template;
  return 'route' in found ? found.route.path : 'unmatched';
}

const maxBodyBytesOf = (found: Found<ReadContext>): number =>
  ('route' in found && 'maxBodyBytes' in found.route ? found.route.maxBodyBytes : undefined) ??
  DEFAULT_BODY_BYTES;

/** Does it change something, as far as its method and path say. */
const isWrite = ({ method }: HttpRequest, found: Found<ReadContext>): boolean =>
  WRITE_METHODS.has(method) && found.kind !== 'exchange';

/** How long the body will be at most, as its headers say. */
function declaredBytes(req: HttpRequest, found: Found<ReadContext>): number {
  const length = req.header('content-length');
  if (length !== undefined) return Number(length);
  return req.header('transfer-encoding') === undefined ? 0 : maxBodyBytesOf(found);
}

/** Is it a read that shows the state, at an order. */
const isStateRead = (found: Found<ReadContext>): boolean =>
  found.kind === 'read' && found.route.exempt !== true;

export class Server implements HttpService {
  readonly #router: Router<ReadContext>;
  readonly #refusals: Refusals;
  readonly #writes: Writes;
  readonly #batches: Batches;
  readonly #packing: Packing;
  readonly #turns: Record<'read' | 'write', FairTurns>;
  /** Requests whose body is being read or that are being answered. */
  #requests = 0;

  /** What is hidden here is in no answer. */
  readonly #json = (value: unknown): string => this.o.reads.hidden.json(value);

  constructor(private readonly o: ServerOptions) {
    this.#router = new Router(o.routes);
    this.#refusals = new Refusals(o.metrics);
    this.#packing = new Packing(o.gzip);
    const { store, hidden } = o.reads;
    this.#writes = new Writes({ ...o, forms: o.costs.form, store, hidden, refusals: this.#refusals });
    const { clock, isLimited: isBounded, sequencer } = o;
    this.#turns = {
      // While a batch is being written, reads wait for it, so that they see one state.
      read: new FairTurns({ clock, isBounded, maxWaiting: WAITING.read, pause: () => sequencer.busy }),
      write: new FairTurns({ clock, isBounded, maxWaiting: WAITING.write, pause: () => undefined }),
    };
    this.#batches = new Batches({
      turns: this.#turns.write,
      refusals: this.#refusals,
      begin: (req, charge, place) => this.#oneOfBatch(req, charge, place),
    });
  }

  maxBodyBytes(method: string, path: string): number {
    return maxBodyBytesOf(this.#router.find(method, path));
  }

  refusal(code: RefusalCode): HttpReply {
    return this.#refusals.from(new ServiceError(code));
  }

  admit(req: HttpRequest): HttpReply | undefined {
    const found = this.#router.find(req.method, req.path);
    const lane = this.#laneOf(req, found);
    try {
      const charge = lane && this.#open(req, lane, bytesMs(declaredBytes(req, found)));
      req.kept = { found, charge } satisfies Admitted;
      return undefined;
    } catch (error) {
      const { trace, finish } = this.#begin(req, found);
      const reply = this.#refusals.of(
        error,
        trace,
        lane === 'write' ? this.#writes.headersOf(req) : OPEN_HEADERS,
      );
      finish(reply.status);
      return traced(reply, trace);
    }
  }

  #open(req: HttpRequest, lane: Lane, ms: number): Charge {
    return this.o.costs[lane].open(this.o.clientIp.of(req), ms);
  }

  /** By whom a request is paid; undefined for what costs no more than a refusal. */
  #laneOf(req: HttpRequest, found: Found<ReadContext>): Lane | undefined {
    const { method, path } = req;
    if (isWrite(req, found)) return 'write';
    if (method === 'OPTIONS') return undefined;
    if (this.o.files.has(path)) return 'page';
    if (found.kind !== 'read' || found.route.exempt !== true) return 'read';
    return found.route.isFree ? undefined : 'page';
  }

  upgrade(req: HttpRequest): HttpReply | StreamOpener | undefined {
    const found = this.#router.find(req.method, req.path);
    if (found.kind !== 'read' || !found.route.stream) return undefined;
    const { trace, finish } = this.#begin(req, found);
    try {
      const { query } = readQuery(found.route.query ?? [], req.query);
      const isWriting = (query as StreamQuery).writes === 'true';
      if (isWriting) checkWritingPage(req, this.o.corsOrigins);
      const charge = this.#open(req, 'page', STREAM_MS);
      const opener = this.o.stream.admit(charge, query as StreamQuery);
      finish(101);
      return isWriting ? this.#writing(opener, req) : opener;
    } catch (error) {
      const reply = this.#refusals.of(error, trace, { 'Access-Control-Allow-Origin': '*' });
      finish(reply.status);
      return reply;
    }
  }

  /** A stream over which its client may send batches, as if each came in a request. */
  #writing(opener: StreamOpener, handshake: HttpRequest): StreamOpener {
    return withWrites(opener, {
      handshake,
      handle: (batch, reply) => this.handle(batch, reply),
      refusal: (error) => this.#refusals.from(error),
      onSlow: () => this.o.metrics.slowConsumer(),
    });
  }

  /** Starts the trace of a request; `finish` counts and logs its answer. */
  #begin(req: HttpRequest, found: Found<ReadContext>) {
    const startedMs = this.o.clock.monotonicMs();
    this.#requests += 1;
    const trace = new RequestTrace(
      this.#requests,
      req.method,
      templateOf(found),
      this.o.log,
      req.header('traceparent'),
    );
    const finish = (status: number): void => {
      const ms = this.o.clock.monotonicMs() - startedMs;
      this.o.metrics.request(req.method, trace.route, status, ms);
      trace.answered(status, ms);
    };
    return { trace, finish };
  }

  handle(req: HttpRequest, send: (reply: HttpReply) => void): void {
    const early = req.kept === undefined ? this.admit(req) : undefined;
    if (early) {
      send(early);
      return;
    }
    const { found, charge } = req.kept as Admitted;
    const { trace, finish } = this.#begin(req, found);
    const done = (reply: HttpReply): void => {
      finish(reply.status);
      send(traced(reply, trace));
    };
    if (charge && isWrite(req, found)) {
      const run = (): void =>
        void (
          found.kind === 'batch'
            ? this.#batches.handle({ req, route: found.route, trace, charge })
            : this.#writes.handle({ req, found, trace, charge })
        ).then(done);
      const refuse = (): void => done(this.#tooMany('write', this.#writes.headersOf(req)));
      this.#turns.write.take({ charge, run, refuse });
      return;
    }
    if (req.method === 'OPTIONS') {
      done(this.#options());
      return;
    }
    // Files never change while the node runs, so they need neither turns nor the state.
    const file = this.o.files.find(req);
    if (file) {
      charge?.addBytes(file.body.length);
      done(file);
      return;
    }
    this.#read({ req, found, trace, charge, headers: { ...OPEN_HEADERS } }, (reply) => {
      finish(reply.status);
      send(traced(softened(req, reply), trace));
    });
  }

  /** One write of a batch, with a trace and an answer of its own. */
  async #oneOfBatch(req: HttpRequest, charge: Charge, place: Place): Promise<HttpReply> {
    const found = this.#router.find(req.method, req.path);
    const { trace, finish } = this.#begin(req, found);
    const refuse = (error: unknown): HttpReply => {
      place.taken();
      return this.#refusals.of(error, trace);
    };
    const isOther = found.kind === 'batch' || found.kind === 'read' || found.kind === 'exchange';
    let reply: HttpReply;
    if (isOther) reply = refuse(invalid('a batch takes writes only'));
    else if (req.body.length > maxBodyBytesOf(found)) reply = refuse(new ServiceError('body_too_large'));
    else reply = await this.#writes.handle({ req, found, trace, charge, place });
    finish(reply.status);
    return reply;
  }

  #options(): HttpReply {
    return {
      status: 204,
      headers: {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
        'Access-Control-Allow-Headers': 'X-Service-Min-Order',
        'Access-Control-Max-Age': '600',
      },
      body: '',
    };
  }

  /** Waits for the least order that a read wants, then for its turn. */
  #read(read: Read, done: (reply: HttpReply) => void): void {
    const { charge, found, req } = read;
    const failed = (error: unknown): void => done(this.#readError(error, read));
    const answer = (): void => {
      const reply = this.#answer(read);
      if (reply instanceof Promise) void reply.then(done, failed);
      else done(reply);
    };
    const run = (): void => {
      try {
        charge?.checkDebt();
        answer();
      } catch (error) {
        failed(error);
      }
    };
    if (!charge) {
      run();
      return;
    }
    const take = (): void =>
      this.#turns.read.take({ charge, run, refuse: () => done(this.#tooMany('read', read.headers)) });
    try {
      const isState = isStateRead(found);
      const minOrder = isState ? req.header('x-service-min-order') : undefined;
      const wait =
        minOrder === undefined ? undefined : this.o.orders.reach(readMinOrder(minOrder), charge.address);
      if (wait) void wait.then(take, failed);
      else take();
    } catch (error) {
      failed(error);
    }
  }

  /** The refusal of a request that found no room among those that wait for their turn. */
  #tooMany(lane: Lane, headers: Record<string, string>): HttpReply {
    this.o.metrics.costRefusal(lane, 'turn');
    return this.#refusals.from(rateLimited(TURN_RETRY_MS), headers);
  }

  /** Errors of reads of the state tell its order as well, and whether the node is behind: a 404 is one at that order. */
  #readError(error: unknown, { found, trace, headers }: Read): HttpReply {
    return this.#refusals.of(error, trace, {
      ...headers,
      ...(isStateRead(found) ? this.#orderHeaders() : {}),
    });
  }

  #orderHeaders(): Record<string, string> {
    return { 'X-Service-Order': String(this.o.sequencer.order), ...this.#behindHeaders() };
  }

  #behindHeaders(): Record<string, string> {
    const ordersBehind = this.o.reads.ordersBehind();
    return ordersBehind === undefined ? {} : { 'X-Service-Behind': String(ordersBehind) };
  }

  /** The answer to a read; what it took is charged. Errors: those of the route. */
  #answer(read: Read): HttpReply | Promise<HttpReply> {
    const { charge, found, req } = read;
    if (charge && found.kind === 'exchange')
      return this.#exchanged(read, charge, () => found.route.exchange(this.o.reads, req));
    if (found.kind !== 'read') throw unrouted(found);
    if (!charge) return this.#made(read, found);
    return charge.run(() => this.#made(read, found));
  }

  /** What happens until the answer is there is charged, whatever else happens meanwhile: more than it took, never less. */
  async #exchanged({ headers }: Read, charge: Charge, exchange: () => Promise<Reply>): Promise<HttpReply> {
    const reply = await charge.runUntil(exchange);
    const whole = replyWith(reply, this.#json, reply.body, { ...headers, ...reply.headers });
    charge.addBytes(whole.body.length);
    return whole;
  }

  #made({ req, headers, charge }: Read, { route, path }: FoundRead): HttpReply | Promise<HttpReply> {
    // Pages and probes take no parameters, and whoever links to them may append some.
    const { query, page } = readQuery(route.query ?? [], route.query || !route.exempt ? req.query : '');
    const host = req.header('host')?.toLowerCase() ?? '';
    const reply = route.handle(this.o.reads, { path, query, page, host });
    if (route.exempt !== true) Object.assign(headers, this.#orderHeaders());
    const list = Array.isArray(reply.body) ? fitPage(reply.body, page, reply.wanted, this.#json) : undefined;
    if (reply.total !== undefined)
      Object.assign(headers, pageHeaders(req.path, req.query, list?.page ?? page, reply.total));
    Object.assign(headers, reply.headers);
    const isPacked = reply.compress === true && takesGzip(req.header('accept-encoding'));
    const finish = (body: unknown): HttpReply | Promise<HttpReply> => {
      const whole = replyWith(reply, this.#json, body, headers, list?.json);
      charge?.addBytes(whole.body.length);
      return isPacked ? this.#packing.pack(whole) : whole;
    };
    return reply.body instanceof Promise ? reply.body.then(finish) : finish(reply.body);
  }
}

/** An answer with the trace of its caller. */
const traced = (reply: HttpReply, { headers }: RequestTrace): HttpReply =>
  headers.traceparent === undefined ? reply : { ...reply, headers: { ...reply.headers, ...headers } };

/** `headers` are the answer's own, with the type of JSON; `json`: the body, where it was written already. */
function replyWith(
  { status = 200, contentType }: Reply,
  jsonOf: (value: unknown) => string,
  body: unknown,
  headers: Record<string, string>,
  json?: string,
): HttpReply {
  if (contentType === undefined) return { status, headers, body: json ?? jsonOf(body) };
  headers['Content-Type'] = contentType;
  return { status, headers, body: body as string | Uint8Array };
}
