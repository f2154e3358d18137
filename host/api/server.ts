// Dispatches requests in the order of protocol 1.6: sizes and what the address may cost, then reads in reads.ts, writes in
// writes.ts. Contains no socket code (see the drivers).
// Keeps: every answer is JSON, errors with a code of the catalogue, unless a page, text or bytes are requested; no
// exception leaves this class. Every request but /health (and below) and OPTIONS is charged to its address before anything is done.

import { invalid, rateLimited, ServiceError } from '../errors.ts';
import type { Trials } from '../execution/trials.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import { ipKey } from '../wire/ip-key.ts';
import type { WebhookPolicy } from '../wire/webhook-url.ts';
import type { Clock } from '../world/clock.ts';
import type {
  Answer,
  HttpReply,
  HttpRequest,
  HttpService,
  RefusalCode,
  StreamOpener,
} from '../world/http.ts';
import { parting } from '../world/parting.ts';
import type { World } from '../world/world.ts';
import type { AuthContext } from './auth.ts';
import { Batches } from './batch.ts';
import type { ClientIp } from './client-ip.ts';
import type { ReadContext } from './context.ts';
import { bytesMs, type Charge, type CostBudget, type Lane } from './cost-budget.ts';
import { FairTurns, TURN_RETRY_MS } from './fair-turns.ts';
import { FreeRequests } from './free-requests.ts';
import type { OrderWaits } from './order-waits.ts';
import { preflight } from './other-origins.ts';
import { readQuery } from './query.ts';
import type { RateLimiter } from './rate-limits.ts';
import { isStateRead, OPEN_HEADERS, Reads } from './reads.ts';
import { Refusals } from './refusals.ts';
import { RequestTrace } from './request-trace.ts';
import { DEFAULT_BODY_BYTES, type Route } from './route.ts';
import { type Found, Router } from './router.ts';
import { softened } from './soft-refusals.ts';
import type { StaticFiles } from './static-files.ts';
import type { StreamHub, StreamQuery } from './stream-hub.ts';
import { checkWritingPage, withWrites } from './stream-writes.ts';
import { type Place, Writes } from './writes.ts';

const WRITE_METHODS = new Set(['POST', 'PUT', 'DELETE']);
/** What a stream costs at its opening. */
const STREAM_MS = 5;
/** How many writes of one address wait for their turn (protocol 8.3); they hold their bodies. */
const MAX_WAITING = 64;

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
  /** The explorer page; files win over routes of pages. */
  files: Pick<StaticFiles, 'find' | 'has'>;
  clientIp: ClientIp;
  corsOrigins: readonly string[];
  othersOrder: () => Answer<number | undefined>;
  webhooks: WebhookPolicy;
  metrics: Metrics;
  log: Logger;
  clock: Pick<Clock, 'monotonicMs' | 'soon'>;
  gzip: World['gzip'];
}

/** What is known of a request before its body is read. `charge`: undefined for what is free. */
interface Admitted {
  found: Found<ReadContext>;
  charge: Charge | undefined;
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
const isWrite = ({ method }: HttpRequest, { kind }: Found<ReadContext>): boolean =>
  kind !== 'read' && kind !== 'exchange' && WRITE_METHODS.has(method);

/** How long the body will be at most, as its headers say. */
function declaredBytes(req: HttpRequest, found: Found<ReadContext>): number {
  const length = req.header('content-length');
  if (length !== undefined) return Number(length);
  return req.header('transfer-encoding') === undefined ? 0 : maxBodyBytesOf(found);
}

export class Server implements HttpService {
  readonly #router: Router<ReadContext>;
  readonly #refusals: Refusals;
  readonly #writes: Writes;
  readonly #batches: Batches;
  readonly #reads: Reads;
  readonly #turns: FairTurns;
  readonly #free = new FreeRequests();
  /** Requests whose body is being read or that are being answered. */
  #requests = 0;

  constructor(private readonly o: ServerOptions) {
    this.#router = new Router(o.routes);
    this.#refusals = new Refusals(o.metrics);
    this.#reads = new Reads({ ...o, refusals: this.#refusals });
    const { store, hidden } = o.reads;
    this.#writes = new Writes({ ...o, forms: o.costs.form, store, hidden, refusals: this.#refusals });
    const { clock, isLimited: isBounded } = o;
    this.#turns = new FairTurns({
      ...{ clock, isBounded, maxWaiting: MAX_WAITING },
      pause: () => undefined,
    });
    this.#batches = new Batches({
      ...{ turns: this.#turns, clock },
      refusals: this.#refusals,
      begin: (req, charge, place) => this.#oneOfBatch(req, charge, place),
    });
  }

  maxBodyBytes(method: string, path: string): number {
    return maxBodyBytesOf(this.#router.find(method, path));
  }

  isProxy(address: string): boolean {
    return this.o.clientIp.isTrusted(address);
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
      const trace = this.#begin(req, found);
      const headers = lane === 'write' ? this.#writes.headersOf(req) : OPEN_HEADERS;
      const reply = this.#refusals.of(error, trace, headers);
      this.#finish(trace, reply.status);
      return traced(parting(this, req, reply), trace);
    }
  }

  /** Is it one too many of those that nobody pays for. */
  #isFlood(req: HttpRequest): boolean {
    const { clientIp, clock, isLimited } = this.o;
    return isLimited && this.#free.isFlooded(ipKey(clientIp.of(req)), clock.monotonicMs());
  }

  #open(req: HttpRequest, lane: Lane, ms: number): Charge {
    return this.o.costs[lane].open(() => this.o.clientIp.of(req), ms);
  }

  /** By whom a request is paid; undefined for what costs no more than a refusal. */
  #laneOf(req: HttpRequest, found: Found<ReadContext>): Lane | undefined {
    const { method, path } = req;
    if (isWrite(req, found)) return 'write';
    if (method === 'OPTIONS') return undefined;
    if (isStateRead(found)) return 'read';
    if (this.o.files.has(path)) return 'page';
    if (found.kind !== 'read') return 'read';
    return found.route.isFree ? undefined : 'page';
  }

  upgrade(req: HttpRequest): HttpReply | StreamOpener | undefined {
    const found = this.#router.find(req.method, req.path);
    if (found.kind !== 'read' || !found.route.stream) return undefined;
    const trace = this.#begin(req, found);
    try {
      const { query } = readQuery(found.route.query, req.query);
      const isWriting = (query as StreamQuery).writes === 'true';
      if (isWriting) checkWritingPage(req, this.o.corsOrigins);
      const charge = this.#open(req, 'page', STREAM_MS);
      const opener = this.o.stream.admit(charge, query as StreamQuery);
      this.#finish(trace, 101);
      return isWriting ? this.#writing(opener, req) : opener;
    } catch (error) {
      const reply = this.#refusals.of(error, trace, { 'Access-Control-Allow-Origin': '*' });
      this.#finish(trace, reply.status);
      return reply.status === 429 ? parting(this, req, reply) : reply;
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

  #begin(req: HttpRequest, found: Found<ReadContext>): RequestTrace {
    this.#requests += 1;
    const startedMs = this.o.clock.monotonicMs();
    const traceparent = req.header('traceparent');
    return new RequestTrace(
      this.#requests,
      req.method,
      templateOf(found),
      this.o.log,
      startedMs,
      traceparent,
    );
  }

  /** Counts and logs the answer. */
  #finish(trace: RequestTrace, status: number, endMs = this.o.clock.monotonicMs()): void {
    const ms = endMs - trace.startedMs;
    this.o.metrics.request(trace.method, trace.route, status, ms);
    trace.answered(status, ms);
  }

  handle(req: HttpRequest, send: (reply: HttpReply) => void): void {
    const early = req.kept === undefined ? this.admit(req) : undefined;
    if (early) {
      send(early);
      return;
    }
    const { found, charge } = req.kept as Admitted;
    const isFlood = charge === undefined && this.#isFlood(req);
    this.#answer(req, { found, charge }, isFlood ? (reply) => send(parting(this, req, reply)) : send);
  }

  #answer(req: HttpRequest, { found, charge }: Admitted, send: (reply: HttpReply) => void): void {
    const trace = this.#begin(req, found);
    const done = (reply: HttpReply): void => {
      this.#finish(trace, reply.status);
      send(traced(reply, trace));
    };
    if (charge && isWrite(req, found)) {
      this.#write(req, found, trace, charge, done);
      return;
    }
    if (req.method === 'OPTIONS') {
      done(preflight(req, this.o.corsOrigins));
      return;
    }
    // Files never change while the node runs, so they need neither turns nor the state.
    const file = isStateRead(found) ? undefined : this.o.files.find(req);
    if (file) {
      charge?.addBytes(file.body.length);
      done(file);
      return;
    }
    this.#reads.handle({ req, found, trace, charge }, (reply, endMs) => {
      this.#finish(trace, reply.status, endMs);
      send(traced(softened(req, reply), trace));
    });
  }

  #write(
    req: HttpRequest,
    found: Found<ReadContext>,
    trace: RequestTrace,
    charge: Charge,
    done: (reply: HttpReply) => void,
  ): void {
    const run = (): number => {
      const reply =
        found.kind === 'batch'
          ? this.#batch({ req, route: found.route, trace, charge })
          : this.#writes.handle({ req, found, trace, charge });
      void reply.then(done);
      return this.o.clock.monotonicMs();
    };
    const refuse = (): void => {
      this.o.metrics.costRefusal('write', 'turn');
      done(this.#refusals.from(rateLimited(TURN_RETRY_MS), this.#writes.headersOf(req)));
    };
    this.#turns.take({ charge, run, refuse }, trace.startedMs);
  }

  async #batch(batch: Parameters<Batches['handle']>[0]): Promise<HttpReply> {
    const reply = await this.#batches.handle(batch);
    return { ...reply, headers: { ...reply.headers, ...this.#writes.headersOf(batch.req) } };
  }

  /** One write of a batch, with a trace and an answer of its own. */
  async #oneOfBatch(req: HttpRequest, charge: Charge, place: Place): Promise<HttpReply> {
    const found = this.#router.find(req.method, req.path);
    const trace = this.#begin(req, found);
    const refuse = (error: unknown): HttpReply => {
      place.taken();
      return this.#refusals.of(error, trace);
    };
    const isOther = found.kind === 'batch' || found.kind === 'read' || found.kind === 'exchange';
    let reply: HttpReply;
    if (isOther) reply = refuse(invalid('a batch takes writes only'));
    else if (req.body.length > maxBodyBytesOf(found)) reply = refuse(new ServiceError('body_too_large'));
    else reply = await this.#writes.handle({ req, found, trace, charge, place });
    this.#finish(trace, reply.status);
    return reply;
  }
}

/** An answer with the trace of its caller. */
const traced = (reply: HttpReply, { headers }: RequestTrace): HttpReply =>
  headers === undefined ? reply : { ...reply, headers: { ...reply.headers, ...headers } };
