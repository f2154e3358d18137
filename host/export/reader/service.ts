// Answers the route table from an export: every GET that readers.ts has an answer to, at one place in the order.
// Keeps: nothing is written; an answer that only a node can give is refused with 501 and where to ask; no exception leaves
// this class. An address pays for the time that the database works for it, and has only so many reads under way.

import type { ClientIp } from '../../api/client-ip.ts';
import { type Charge, CostBudget, type Lane } from '../../api/cost-budget.ts';
import { FairPlaces, type PlaceTaker } from '../../api/fair-places.ts';
import * as network from '../../api/handlers/network.ts';
import * as pages from '../../api/handlers/pages.ts';
import { type OrderWaits, readMinOrder } from '../../api/order-waits.ts';
import { EXPOSED_HEADERS, preflight } from '../../api/other-origins.ts';
import { fitPage, pageHeaders, readQuery } from '../../api/query.ts';
import { JSON_TYPE, Refusals } from '../../api/refusals.ts';
import { RequestTrace } from '../../api/request-trace.ts';
import type { ReadArgs, ReadRoute, Reply, Route } from '../../api/route.ts';
import { type Found, Router } from '../../api/router.ts';
import { withoutHandshake } from '../../api/routes/stream.ts';
import type { StreamQuery } from '../../api/stream-hub.ts';
import type { RouteId } from '../../api/tags.ts';
import { unrouted } from '../../api/writes.ts';
import { overloaded, ServiceError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import type { Metrics } from '../../metrics.ts';
import type { Clock } from '../../world/clock.ts';
import type { HttpReply, HttpRequest, HttpService, StreamOpener } from '../../world/http.ts';
import { askNode, type Reason } from './answers.ts';
import type { PlaceWatch } from './place-watch.ts';
import { READERS } from './readers.ts';
import type { Tables } from './snapshot.ts';
import type { ReaderStream } from './stream.ts';

/** Reads under way: they wait for a connection of the pool. */
const MAX_READS = 500;
const MAX_READS_PER_ADDRESS = 50;
/** A reader takes no bodies. */
const MAX_BODY_BYTES = 65_536;
/** What a stream costs at its opening. */
const STREAM_MS = 1;
const OPEN_HEADERS = { 'Access-Control-Allow-Origin': '*', ...EXPOSED_HEADERS };

export interface ReaderOptions<Ctx> {
  routes: readonly Route<Ctx>[];
  tables: Pick<Tables, 'read'>;
  watch: Pick<PlaceWatch, 'isReady' | 'order'>;
  orders: Pick<OrderWaits, 'reach'>;
  /** undefined: clients have to follow a node. */
  stream: Pick<ReaderStream, 'admit'> | undefined;
  /** A node that answers what a reader cannot; undefined: clients have to know one. */
  nodeUrl: string | undefined;
  /** How many queries run at once. */
  connections: number;
  isLimited: boolean;
  clientIp: ClientIp;
  metrics: Metrics;
  log: Logger;
  clock: Pick<Clock, 'monotonicMs'>;
}

type Own = (reader: {
  uptimeSecs(): number;
  isReady: boolean;
  metrics: Metrics;
  hasStream: boolean;
}) => Reply;

/** What a reader says about itself. */
const OWN: Partial<Record<RouteId, Own>> = {
  network_live: ({ uptimeSecs }) => network.live({ uptimeSecs }),
  network_ready: ({ isReady }) =>
    network.ready({
      readiness: () => ({ isReady, reasons: isReady ? [] : ['the database does not answer'] }),
    }),
  events_stream: ({ hasStream }) => (hasStream ? withoutHandshake() : without('stream')),
  network_metrics: ({ metrics }) => pages.metrics({ renderMetrics: () => metrics.render() }),
};

function without(reason: Reason): never {
  throw askNode(reason);
}

const templateOf = <Ctx>(found: Found<Ctx>): string =>
  found.kind === 'method' ? found.template : 'route' in found ? found.route.path : 'unmatched';

export class ReaderService<Ctx> implements HttpService {
  readonly #router: Router<Ctx>;
  readonly #refusals: Refusals;
  readonly #costs: Readonly<Record<'read' | 'page', CostBudget>>;
  readonly #places = new FairPlaces(MAX_READS, MAX_READS_PER_ADDRESS);
  readonly #startedMs: number;
  #requests = 0;

  constructor(private readonly o: ReaderOptions<Ctx>) {
    const { clock, metrics } = o;
    this.#router = new Router(o.routes);
    this.#refusals = new Refusals(metrics);
    this.#startedMs = clock.monotonicMs();
    const budget = (lane: Lane): CostBudget =>
      new CostBudget({
        lane,
        monotonicMs: () => clock.monotonicMs(),
        cpuMs: () => clock.monotonicMs(),
        enabled: o.isLimited,
        onRefusal: (refused, by) => metrics.costRefusal(refused, by),
        onCost: (paying, ms) => metrics.cost(paying, ms),
      });
    this.#costs = { read: budget('read'), page: budget('page') };
  }

  maxBodyBytes(): number {
    return MAX_BODY_BYTES;
  }

  admit(): undefined {}

  /** As a node does: a stream where there is one, a refusal of it, or an ordinary request. */
  upgrade(req: HttpRequest): HttpReply | StreamOpener | undefined {
    const found = this.#router.find(req.method, req.path);
    const { stream } = this.o;
    if (found.kind !== 'read' || !found.route.stream || !stream) return undefined;
    const { trace, finish } = this.#begin(req, found);
    try {
      const { query } = readQuery(found.route.query, req.query);
      if ((query as StreamQuery).writes === 'true') throw askNode('write');
      const charge = this.#costs.page.open(this.o.clientIp.of(req), STREAM_MS);
      const opener = stream.admit(charge, query as StreamQuery);
      finish(101);
      return opener;
    } catch (error) {
      const reply = this.#refusals.of(error, trace, { 'Access-Control-Allow-Origin': '*' });
      finish(reply.status);
      return reply;
    }
  }

  isProxy(address: string): boolean {
    return this.o.clientIp.isTrusted(address);
  }

  refusal(code: Parameters<HttpService['refusal']>[0]): HttpReply {
    return this.#refusals.from(new ServiceError(code));
  }

  /** Starts the trace of a request; `finish` counts and logs its answer. */
  #begin(req: HttpRequest, found: Found<Ctx>) {
    const { clock, log, metrics } = this.o;
    const startedMs = clock.monotonicMs();
    this.#requests += 1;
    const traceparent = req.header('traceparent');
    const trace = new RequestTrace(
      this.#requests,
      req.method,
      templateOf(found),
      log,
      startedMs,
      traceparent,
    );
    const finish = (status: number): void => {
      const ms = clock.monotonicMs() - startedMs;
      metrics.request(req.method, trace.route, status, ms);
      trace.answered(status, ms);
    };
    return { trace, finish };
  }

  handle(req: HttpRequest, send: (reply: HttpReply) => void): void {
    const found = this.#router.find(req.method, req.path);
    const { trace, finish } = this.#begin(req, found);
    void this.#reply(req, found, trace).then((reply) => {
      finish(reply.status);
      send({ ...reply, headers: { ...reply.headers, ...trace.headers } });
    });
  }

  async #reply(req: HttpRequest, found: Found<Ctx>, trace: RequestTrace): Promise<HttpReply> {
    const headers: Record<string, string> = { ...OPEN_HEADERS };
    if (req.method === 'OPTIONS') return preflight(req, []);
    try {
      return await this.#answer(req, found, headers);
    } catch (error) {
      return this.#refusals.of(this.#withNode(error), trace, headers);
    }
  }

  /** Where to ask, if it is known. */
  #withNode(error: unknown): unknown {
    const { nodeUrl } = this.o;
    if (!(error instanceof ServiceError) || error.code !== 'ask_a_node' || nodeUrl === undefined)
      return error;
    return new ServiceError('ask_a_node', {
      text: error.message,
      details: { ...error.details, node: nodeUrl },
    });
  }

  async #answer(req: HttpRequest, found: Found<Ctx>, headers: Record<string, string>): Promise<HttpReply> {
    if (found.kind === 'write' || found.kind === 'batch' || found.kind === 'exchange') throw askNode('write');
    if (found.kind !== 'read') throw unrouted(found);
    const { route } = found;
    const reader = READERS[route.id]!;
    if (reader === 'own' && route.isFree) return replyWith(await this.#own(route), headers);
    const charge = this.#costs[route.stream ? 'page' : 'read'].open(this.o.clientIp.of(req), 0);
    if (reader === 'own') return replyWith(await this.#own(route), headers);
    if (typeof reader === 'string') throw askNode(reader);
    // As last seen; an answer names its own.
    headers['X-Service-Order'] = String(this.o.watch.order);
    const { query, page } = readQuery(route.query, req.query);
    const args: ReadArgs = { path: found.path, query, page };
    const reply = await this.#placed(charge, async () => {
      const minOrder = await this.#reach(req, charge);
      const startedMs = this.o.clock.monotonicMs();
      try {
        return await this.o.tables.read((s) => {
          headers['X-Service-Order'] = String(s.order);
          if (!s.isVerified) throw askNode('trusted');
          // Another server of the same database may be behind the one that was asked before.
          if (s.order < minOrder)
            throw new ServiceError('behind', {
              details: { order: s.order },
              headers: { 'Retry-After': '1' },
            });
          return reader(s, args);
        });
      } finally {
        charge.add((this.o.clock.monotonicMs() - startedMs) / this.o.connections);
      }
    });
    const list = Array.isArray(reply.body) ? fitPage(reply.body, page, reply.wanted) : undefined;
    if (reply.total !== undefined)
      Object.assign(headers, pageHeaders(req.path, req.query, list?.page ?? page, reply.total));
    const whole = replyWith(reply, headers, list?.json);
    charge.addBytes(whole.body.length);
    return whole;
  }

  async #own(route: ReadRoute<Ctx>): Promise<Reply> {
    const { clock, metrics, stream, watch } = this.o;
    const uptimeSecs = (): number => Math.floor((clock.monotonicMs() - this.#startedMs) / 1000);
    const about = { uptimeSecs, isReady: watch.isReady, metrics, hasStream: stream !== undefined };
    const reply = OWN[route.id]!(about);
    return { ...reply, body: await reply.body };
  }

  /** Runs a read in a place of its own. Errors: 503 `overloaded` where there is none. */
  async #placed<T>({ address, network }: Charge, run: () => Promise<T>): Promise<T> {
    const taker: PlaceTaker = { address, network };
    if (!this.#places.isFreeFor(taker)) throw overloaded();
    this.#places.take(taker);
    try {
      return await run();
    } finally {
      this.#places.release(taker);
    }
  }

  /** Waits for the least order that a read wants. Errors: `behind`, `overloaded`. */
  async #reach(req: HttpRequest, { address }: Charge): Promise<number> {
    const wanted = req.header('x-service-min-order');
    if (wanted === undefined) return 0;
    const minOrder = readMinOrder(wanted);
    await this.o.orders.reach(minOrder, address);
    return minOrder;
  }
}

const replyWith = (
  { status = 200, body, contentType, headers }: Reply,
  common: Record<string, string>,
  json?: string,
): HttpReply => ({
  status,
  headers: { 'Content-Type': contentType ?? JSON_TYPE, ...common, ...headers },
  body: contentType === undefined ? (json ?? JSON.stringify(body)) : (body as string),
});
