// Dispatches requests in the order of protocol 1.6: sizes and what the address may cost, then reads here, writes in
// writes.ts. Contains no socket code (see the drivers).
// Keeps: every answer is JSON, errors with a code of the catalogue, unless a page, text or bytes are requested; no
// exception leaves this class. Every request but /health and OPTIONS is charged to its address before anything is done.

import { ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { WebhookPolicy } from '../wire/webhook-url.ts';
import type { Clock } from '../world/clock.ts';
import type { HttpReply, HttpRequest, HttpService, StreamOpener } from '../world/http.ts';
import type { World } from '../world/world.ts';
import type { AuthContext } from './auth.ts';
import type { ClientIp } from './client-ip.ts';
import type { ReadContext } from './context.ts';
import { bytesMs, type Charge, type CostBudget, type Lane } from './cost-budget.ts';
import { FairTurns } from './fair-turns.ts';
import { type OrderWaits, readMinOrder } from './order-waits.ts';
import { packed, takesGzip } from './packing.ts';
import { fitPage, pageHeaders, readQuery } from './query.ts';
import type { RateLimiter } from './rate-limits.ts';
import { JSON_TYPE, Refusals } from './refusals.ts';
import { RequestTrace } from './request-trace.ts';
import type { Reply, Route } from './route.ts';
import { type Found, Router } from './router.ts';
import type { StaticFiles } from './static-files.ts';
import type { StreamHub, StreamQuery } from './stream-hub.ts';
import { EXPOSED_HEADERS, unrouted, Writes } from './writes.ts';

const DEFAULT_BODY_BYTES = 65_536;
const WRITE_METHODS = new Set(['POST', 'PUT', 'DELETE']);
/** Pages of every origin may read answers to reads. */
const OPEN_HEADERS = { 'Access-Control-Allow-Origin': '*', ...EXPOSED_HEADERS };
/** What a stream costs at its opening. */
const STREAM_MS = 5;

export interface ServerOptions {
  routes: readonly Route<ReadContext>[];
  reads: ReadContext;
  auth: AuthContext;
  sequencer: Sequencer;
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
  webhooks: WebhookPolicy;
  metrics: Metrics;
  log: Logger;
  clock: Pick<Clock, 'monotonicMs' | 'soon'>;
  gzip: World['gzip'];
}

type FoundRead = Extract<Found<ReadContext>, { kind: 'read' }>;

/** A read on its way. `charge`: undefined for what is free. */
interface Read {
  req: HttpRequest;
  found: Found<ReadContext>;
  trace: RequestTrace;
  charge: Charge | undefined;
  headers: Record<string, string>;
}

/** Template for metrics and log. */
function templateOf(found: Found<ReadContext>): string {
  if (found.kind === 'method') return found.template;
  return found.kind === 'read' || found.kind === 'write' ? found.route.path : 'unmatched';
}

export class Server implements HttpService {
  readonly #router: Router<ReadContext>;
  readonly #refusals: Refusals;
  readonly #writes: Writes;
  readonly #turns: Record<'read' | 'write', FairTurns>;
  /** The charges of requests whose body is being read or that are being answered. */
  readonly #charges = new WeakMap<HttpRequest, Charge>();
  #requests = 0;

  constructor(private readonly o: ServerOptions) {
    this.#router = new Router(o.routes);
    this.#refusals = new Refusals(o.metrics);
    this.#writes = new Writes({ ...o, forms: o.costs.form, store: o.reads.store, refusals: this.#refusals });
    const { clock, isLimited: isBounded, sequencer } = o;
    this.#turns = {
      // While a batch is being written, reads wait for it, so that they see one state.
      read: new FairTurns({ clock, isBounded, pause: () => sequencer.busy }),
      write: new FairTurns({ clock, isBounded, pause: () => undefined }),
    };
  }

  maxBodyBytes(method: string, path: string): number {
    const found = this.#router.find(method, path);
    return (found.kind === 'write' ? found.route.maxBodyBytes : undefined) ?? DEFAULT_BODY_BYTES;
  }

  refusal(code: 'body_too_large' | 'uri_too_long' | 'headers_too_large' | 'invalid_request'): HttpReply {
    return this.#refusals.from(new ServiceError(code));
  }

  admit(req: HttpRequest): HttpReply | undefined {
    const found = this.#router.find(req.method, req.path);
    const lane = this.#laneOf(req, found);
    if (!lane) return undefined;
    try {
      this.#charges.set(req, this.#open(req, lane, bytesMs(this.#declaredBytes(req))));
      return undefined;
    } catch (error) {
      const { trace, finish } = this.#begin(req, found);
      const reply = this.#refusals.of(
        error,
        trace,
        lane === 'write' ? this.#writes.headersOf(req) : OPEN_HEADERS,
      );
      finish(reply.status);
      return reply;
    }
  }

  #open(req: HttpRequest, lane: Lane, ms: number): Charge {
    return this.o.costs[lane].open(this.o.clientIp.of(req), ms);
  }

  /** By whom a request is paid; undefined for what costs no more than a refusal. */
  #laneOf({ method, path }: HttpRequest, found: Found<ReadContext>): Lane | undefined {
    if (WRITE_METHODS.has(method)) return 'write';
    if (method === 'OPTIONS') return undefined;
    if (this.o.files.has(path)) return 'page';
    if (found.kind !== 'read' || found.route.exempt !== true) return 'read';
    return found.route.isFree ? undefined : 'page';
  }

  #declaredBytes(req: HttpRequest): number {
    const length = req.header('content-length');
    if (length !== undefined) return Number(length);
    return req.header('transfer-encoding') === undefined ? 0 : this.maxBodyBytes(req.method, req.path);
  }

  upgrade(req: HttpRequest): HttpReply | StreamOpener | undefined {
    const found = this.#router.find(req.method, req.path);
    if (found.kind !== 'read' || !found.route.stream) return undefined;
    const { trace, finish } = this.#begin(req, found);
    try {
      const { query } = readQuery(found.route.query ?? [], req.query);
      const charge = this.#open(req, 'page', STREAM_MS);
      const opener = this.o.stream.admit(charge, query as StreamQuery);
      finish(101);
      return opener;
    } catch (error) {
      const reply = this.#refusals.of(error, trace, { 'Access-Control-Allow-Origin': '*' });
      finish(reply.status);
      return reply;
    }
  }

  /** Starts the trace of a request; `finish` counts and logs its answer. */
  #begin(req: HttpRequest, found: Found<ReadContext>) {
    const startedMs = this.o.clock.monotonicMs();
    this.#requests += 1;
    const trace = new RequestTrace(this.#requests, req.method, templateOf(found), this.o.log);
    const finish = (status: number): void => {
      const ms = this.o.clock.monotonicMs() - startedMs;
      this.o.metrics.request(req.method, trace.route, status, ms);
      trace.answered(status, ms);
    };
    return { trace, finish };
  }

  handle(req: HttpRequest, send: (reply: HttpReply) => void): void {
    const early = this.#charges.has(req) ? undefined : this.admit(req);
    if (early) {
      send(early);
      return;
    }
    const charge = this.#charges.get(req);
    const found = this.#router.find(req.method, req.path);
    const { trace, finish } = this.#begin(req, found);
    const done = (reply: HttpReply): void => {
      finish(reply.status);
      send(reply);
    };
    if (charge && WRITE_METHODS.has(req.method)) {
      const run = (): void => void this.#writes.handle({ req, found, trace, charge }).then(done);
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
    this.#read({ req, found, trace, charge, headers: { ...OPEN_HEADERS } }, done);
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
      const isState = found.kind === 'read' && found.route.exempt !== true;
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
    const error = new ServiceError('rate_limited', { headers: { 'Retry-After': '1' } });
    return this.#refusals.from(error, headers);
  }

  /** Errors of reads of the state tell as well whether the node is behind: a 404 may be one for that reason only. */
  #readError(error: unknown, { found, trace, headers }: Read): HttpReply {
    const isState = found.kind === 'read' && found.route.exempt !== true;
    return this.#refusals.of(error, trace, { ...headers, ...(isState ? this.#behindHeaders() : {}) });
  }

  #behindHeaders(): Record<string, string> {
    const ordersBehind = this.o.reads.ordersBehind();
    return ordersBehind === undefined ? {} : { 'X-Service-Behind': String(ordersBehind) };
  }

  /** The answer to a read; what it took is charged. Errors: those of the route. */
  #answer(read: Read): HttpReply | Promise<HttpReply> {
    const { charge, found } = read;
    if (found.kind !== 'read') throw unrouted(found);
    if (!charge) return this.#made(read, found);
    return charge.run(() => this.#made(read, found));
  }

  #made({ req, headers, charge }: Read, { route, path }: FoundRead): HttpReply | Promise<HttpReply> {
    const { query, page } = readQuery(route.query ?? [], req.query);
    const reply = route.handle(this.o.reads, { path, query, page });
    if (route.exempt !== true) {
      headers['X-Service-Order'] = String(this.o.sequencer.order);
      Object.assign(headers, this.#behindHeaders());
    }
    const list = Array.isArray(reply.body) ? fitPage(reply.body, page) : undefined;
    if (reply.total !== undefined)
      Object.assign(headers, pageHeaders(req.path, req.query, list?.page ?? page, reply.total));
    Object.assign(headers, reply.headers);
    const isPacked = reply.compress === true && takesGzip(req.header('accept-encoding'));
    const finish = (body: unknown): HttpReply | Promise<HttpReply> => {
      const whole = replyWith({ ...reply, body }, headers, list?.json);
      charge?.addBytes(whole.body.length);
      return isPacked ? packed(whole, this.o.gzip) : whole;
    };
    return reply.body instanceof Promise ? reply.body.then(finish) : finish(reply.body);
  }
}

function replyWith(reply: Reply, headers: Record<string, string>, json?: string): HttpReply {
  return {
    status: reply.status ?? 200,
    headers: { 'Content-Type': reply.contentType ?? JSON_TYPE, ...headers },
    body:
      reply.contentType === undefined
        ? (json ?? JSON.stringify(reply.body))
        : (reply.body as string | Uint8Array),
  };
}
