// Builds the HTTP side of a node: the context of reads, authentication, the page, the server and its driver.

import type { AuthContext } from '../api/auth.ts';
import { ClientIp } from '../api/client-ip.ts';
import type { ReadContext } from '../api/context.ts';
import { CostBudget, type Lane } from '../api/cost-budget.ts';
import { renderDocs } from '../api/docs.ts';
import { pageHeaders } from '../api/html.ts';
import { buildOpenApi } from '../api/openapi.ts';
import type { OrderWaits } from '../api/order-waits.ts';
import type { OwnAddress } from '../api/own-host.ts';
import { RateLimiter } from '../api/rate-limits.ts';
import { ROUTES } from '../api/routes.ts';
import { Server } from '../api/server.ts';
import { StaticFiles } from '../api/static-files.ts';
import type { StreamHub } from '../api/stream-hub.ts';
import { type Config, PROTOCOL_VERSION, SOFTWARE_VERSION, VERSION } from '../config/config.ts';
import type { KeyPair } from '../crypto/key-pair.ts';
import type { SignatureVerifier } from '../crypto/verifier.ts';
import type { Trials } from '../execution/trials.ts';
import { IngressDriver } from '../ingress/ingress-driver.ts';
import { factsOf } from '../ingress/service-facts.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { signedOrder } from '../ordering/checkpoints.ts';
import { EpochKeys } from '../ordering/epoch-keys.ts';
import type { GuardedClock } from '../ordering/guarded-clock.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { Hidden } from '../views/hidden.ts';
import type { HistoryKeeper } from '../views/history/history-keeper.ts';
import { ValidatorTable } from '../views/validators/validator-table.ts';
import type { HttpDriver } from '../world/http.ts';
import type { World } from '../world/world.ts';
import { type Conditions, healthOf, readinessOf } from './conditions.ts';
import type { DiskWatch } from './disk-watch.ts';
import { clockGauges, machineGauges, memoryGauges, networkGauges, nodeGauges, seatGauges } from './gauges.ts';
import { mcpDoor } from './mcp.ts';
import type { NodeNetwork } from './network.ts';
import type { NodeState } from './state.ts';
import type { TrendKeeper } from './trend-keeper.ts';

const CLOSE_GRACE_MS = 3000;

export interface ApiSources {
  world: World;
  config: Config;
  identity: KeyPair;
  log: Logger;
  nodeState: NodeState;
  net: NodeNetwork;
  sequencer: Sequencer;
  trials: Trials;
  orders: OrderWaits;
  stream: StreamHub;
  metrics: Metrics;
  verifier: SignatureVerifier;
  disk: DiskWatch;
  /** The time for admission. */
  clock: GuardedClock;
  /** What keeps the node from being healthy and ready now. */
  conditions(): Conditions;
  history: HistoryKeeper;
  trend: Pick<TrendKeeper, 'samples'>;
  hidden: Hidden;
  /** The API cannot go on. */
  onFailure(error: Error): void;
}

export interface NodeApi {
  /** Known when it listens. */
  driverName(): string;
  /** Binds; resolves with the port. */
  listen(): Promise<number>;
  close(): Promise<void>;
}

/** What the configuration says about the names of this API. */
const addressOf = ({ apiNames, publicUrl }: Config): OwnAddress => ({ names: apiNames, publicUrl });

type Pages = ReturnType<ReadContext['pages']>;
let pages: Pages | undefined;

/** Made when it is first asked for: the same for every node of a process. */
function describe(): Pages {
  if (pages) return pages;
  const openapi = buildOpenApi(ROUTES, VERSION);
  const docs = renderDocs(openapi);
  pages = { docs, docsHeaders: pageHeaders(docs), openapi: JSON.stringify(openapi) };
  return pages;
}

function readsOf(sources: ApiSources): ReadContext {
  const { nodeState, metrics, world } = sources;
  const { state, ids, store, genesis, ordering } = nodeState;
  const startedMs = world.clock.monotonicMs();
  const { pending, boards, market, lists, tasks, cases, totals, documents, seat } = nodeState;
  const reads: ReadContext = {
    state,
    store,
    ids,
    pending,
    boards,
    market,
    lists,
    validators: new ValidatorTable(state, ids),
    joining: sources.net.joining,
    epochKeys: new EpochKeys(store, genesis.manifest),
    tasks,
    cases,
    totals,
    documents,
    genesis,
    version: VERSION,
    softwareVersion: SOFTWARE_VERSION,
    revision: ordering.knownRevision,
    protocolVersion: PROTOCOL_VERSION,
    noAuth: sources.config.noAuth,
    address: addressOf(sources.config),
    seat,
    dag: () => ordering.dag,
    uptimeSecs: () => Math.floor((world.clock.monotonicMs() - startedMs) / 1000),
    nodeKey: sources.identity.publicKeyHex,
    health: () => healthOf(sources.conditions()),
    readiness: () => readinessOf(sources.conditions()),
    ordersBehind: () => (sources.net.isBehind() ? sources.net.network?.figures.ordersBehind : undefined),
    peers: () => sources.net.network?.peers ?? [],
    history: () => sources.history.current,
    hidden: sources.hidden,
    isUnarchived: () => sources.history.isUnarchived,
    trend: (span) => sources.trend.samples(span),
    renderMetrics: () => metrics.render(),
    mcp: mcpDoor(sources, () => reads),
    pages: describe,
  };
  return reads;
}

function authOf({ clock, config, identity, nodeState, verifier, world }: ApiSources): AuthContext {
  const { genesis, ids, seat } = nodeState;
  return {
    chainId: genesis.chainId,
    testnet: genesis.testnet,
    noAuth: config.noAuth,
    requestV1: config.requestV1,
    openCoordination: genesis.params.legacy_open_coordination === 1,
    ids,
    seat,
    node: { publicKey: identity.publicKey, sign: (message) => identity.sign(message) },
    verify: (job) => verifier.verify(job),
    nowSecs: () => Math.floor(clock.nowMs() / 1000),
    isTimeTrusted: () => clock.isUsable,
    randomBytes: world.randomBytes,
  };
}

/** Gauges that are read when metrics are scraped. */
function setMetrics(sources: ApiSources, reads: ReadContext): void {
  const { clock, metrics, nodeState, net, stream } = sources;
  const { ordering } = nodeState;
  metrics.setGauges(() => ({
    ...nodeGauges(reads, nodeState.active),
    ...memoryGauges(reads, sources.world.memoryUse()),
    ...networkGauges(net.network),
    ...clockGauges(sources.clock),
    ...machineGauges(sources.world, sources.disk),
    ...seatGauges(ordering.epoch, [ordering.seat, ...(net.network?.seats ?? [])]),
    vws_ready: reads.readiness().isReady ? 1 : 0,
    vws_checkpoint_height: signedOrder(nodeState.store),
    vws_queued_writes: sources.sequencer.depth,
    vws_queued_signatures: sources.verifier.stats.waiting,
    vws_epoch: ordering.epoch.number,
    vws_ws_connections: stream.size,
  }));
  metrics.setThreads(() => sources.world.threads.memory());
  metrics.setJunk(() => net.network?.junk ?? []);
  metrics.setLinks(() =>
    (net.network?.peers ?? []).flatMap(({ seat, latencyMs }) =>
      seat === undefined ? [] : [{ seat, latencyMs, clockOffsetMs: clock.seatOffsetMs(seat) }],
    ),
  );
  metrics.setTasks(() => nodeState.tasks.totals.by_status);
  metrics.setBuildInfo(VERSION, nodeState.genesis.chainId, SOFTWARE_VERSION);
}

/** Requests are taken in on this thread, or on those that the configuration asks for. */
async function driverOf({ config, log, world, onFailure }: ApiSources, service: Server): Promise<HttpDriver> {
  const onFallback = (reason: string): void =>
    log.warn({ reason }, 'uWebSockets.js is not available: using node:http');
  const onFewer = (reason: string): void =>
    log.warn({ reason }, 'a thread cannot share the port: fewer threads take requests in');
  const { apiDriver: driver, ingress: threads, trustedProxies, verifier } = config;
  if (threads === 0) return world.serve(service, driver, onFallback);
  return new IngressDriver({
    ...{ service, world, onFallback, onFewer, onFailure },
    plan: { ...{ driver, threads, trustedProxies, verifier }, facts: factsOf(ROUTES) },
    file: world.program.path('host/ingress/thread.js'),
  });
}

export async function openApi(sources: ApiSources): Promise<NodeApi> {
  const { config, log, metrics, sequencer, stream, world } = sources;
  const reads = readsOf(sources);
  setMetrics(sources, reads);
  const limiter = new RateLimiter({
    clock: world.clock,
    enabled: config.rateLimits,
    onReject: (dimension) => metrics.rateLimitReject(dimension),
  });
  const budget = (lane: Lane): CostBudget =>
    new CostBudget({
      lane,
      monotonicMs: () => world.clock.monotonicMs(),
      cpuMs: () => world.threadCpuMs(),
      enabled: config.rateLimits,
      onRefusal: (of, by) => metrics.costRefusal(of, by),
      onCost: (of, ms) => metrics.cost(of, ms),
    });
  const server = new Server({
    routes: ROUTES,
    reads,
    auth: authOf(sources),
    sequencer,
    trials: sources.trials,
    limiter,
    costs: { read: budget('read'), write: budget('write'), page: budget('page'), form: budget('form') },
    isLimited: config.rateLimits,
    orders: sources.orders,
    stream,
    files: new StaticFiles(world.program.folder('web')),
    clientIp: new ClientIp(config.trustedProxies),
    corsOrigins: config.corsOrigins,
    othersOrder: () => sources.net.othersOrder(),
    webhooks: { tlsOnly: !sources.nodeState.genesis.testnet, allowPrivate: config.webhookAllowPrivate },
    metrics,
    log,
    clock: world.clock,
    gzip: world.gzip,
  });
  const driver = await driverOf(sources, server);
  return {
    driverName: () => driver.name,
    listen: () => driver.listen(config.api.host, config.api.port),
    close: () => driver.close(CLOSE_GRACE_MS),
  };
}
