// Builds the HTTP side of a node: the context of reads, authentication, the page, the server and its driver.

import type { AuthContext } from '../api/auth.ts';
import { ClientIp } from '../api/client-ip.ts';
import type { NodeHealth, ReadContext } from '../api/context.ts';
import { CostBudget, type Lane } from '../api/cost-budget.ts';
import { renderDocs } from '../api/docs.ts';
import { pageHeaders } from '../api/html.ts';
import { buildOpenApi } from '../api/openapi.ts';
import type { OrderWaits } from '../api/order-waits.ts';
import { RateLimiter } from '../api/rate-limits.ts';
import { ROUTES } from '../api/routes.ts';
import { Server } from '../api/server.ts';
import { StaticFiles } from '../api/static-files.ts';
import type { StreamHub } from '../api/stream-hub.ts';
import { type Config, PROTOCOL_VERSION, VERSION } from '../config/config.ts';
import type { KeyPair } from '../crypto/key-pair.ts';
import type { SignatureVerifier } from '../crypto/verifier.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { EpochKeys } from '../ordering/epoch-keys.ts';
import type { GuardedClock } from '../ordering/guarded-clock.ts';
import { OBSERVER } from '../ordering/ordering.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import { ValidatorTable } from '../views/validators/validator-table.ts';
import type { World } from '../world/world.ts';
import { clockGauges, memoryGauges, networkGauges, nodeGauges } from './gauges.ts';
import type { NodeNetwork } from './network.ts';
import type { NodeState } from './state.ts';

const CLOSE_GRACE_MS = 3000;

export interface ApiSources {
  world: World;
  config: Config;
  identity: KeyPair;
  log: Logger;
  nodeState: NodeState;
  net: NodeNetwork;
  sequencer: Sequencer;
  orders: OrderWaits;
  stream: StreamHub;
  metrics: Metrics;
  verifier: SignatureVerifier;
  /** The time for admission. */
  clock: GuardedClock;
  health(): NodeHealth;
}

export interface NodeApi {
  driverName: string;
  /** Binds; resolves with the port. */
  listen(): Promise<number>;
  close(): Promise<void>;
}

function readsOf(sources: ApiSources): ReadContext {
  const { nodeState, metrics, world } = sources;
  const { state, ids, store, genesis, ordering } = nodeState;
  const startedMs = world.clock.monotonicMs();
  const openapi = buildOpenApi(ROUTES, VERSION);
  const docs = renderDocs(openapi);
  const { pending, boards, market, lists, tasks, cases, totals, seat } = nodeState;
  return {
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
    genesis,
    version: VERSION,
    protocolVersion: PROTOCOL_VERSION,
    noAuth: sources.config.noAuth,
    seat,
    dag: () => ordering.dag,
    uptimeSecs: () => Math.floor((world.clock.monotonicMs() - startedMs) / 1000),
    nodeKey: sources.identity.publicKeyHex,
    health: () => sources.health(),
    ordersBehind: () => (sources.net.isBehind() ? sources.net.network?.figures.ordersBehind : undefined),
    peers: () => sources.net.network?.peers ?? [],
    renderMetrics: () => metrics.render(),
    pages: { docs, docsHeaders: pageHeaders(docs), openapi: JSON.stringify(openapi) },
  };
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
    // An observer takes no writes, and says so itself.
    isTimeTrusted: () => seat === OBSERVER || clock.isTrusted,
    randomBytes: world.randomBytes,
  };
}

/** Gauges that are read when metrics are scraped. */
function setMetrics(sources: ApiSources, reads: ReadContext): void {
  const { metrics, nodeState, net, stream } = sources;
  metrics.setGauges(() => ({
    ...nodeGauges(reads, nodeState.active),
    ...memoryGauges(reads, sources.world.memoryUse()),
    ...networkGauges(net.network),
    ...clockGauges(sources.clock),
    vws_epoch: nodeState.ordering.epoch.number,
    vws_ws_connections: stream.size,
  }));
  metrics.setJunk(() => net.network?.junk ?? []);
  metrics.setTasks(() => nodeState.tasks.totals.by_status);
  metrics.setBuildInfo(VERSION, nodeState.genesis.chainId);
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
      cpuMs: () => world.cpuMs(),
      enabled: config.rateLimits,
      onRefusal: (of, by) => metrics.costRefusal(of, by),
      onCost: (of, ms) => metrics.cost(of, ms),
    });
  const server = new Server({
    routes: ROUTES,
    reads,
    auth: authOf(sources),
    sequencer,
    limiter,
    costs: { read: budget('read'), write: budget('write'), page: budget('page'), form: budget('form') },
    isLimited: config.rateLimits,
    orders: sources.orders,
    stream,
    files: new StaticFiles(world.program.folder('web')),
    clientIp: new ClientIp(config.trustedProxies),
    corsOrigins: config.corsOrigins,
    webhooks: { tlsOnly: !sources.nodeState.genesis.testnet, allowPrivate: config.webhookAllowPrivate },
    metrics,
    log,
    clock: world.clock,
    gzip: world.gzip,
  });
  const driver = await world.serve(server, config.apiDriver, (reason) =>
    log.warn({ reason }, 'uWebSockets.js is not available: using node:http'),
  );
  return {
    driverName: driver.name,
    listen: () => driver.listen(config.api.host, config.api.port),
    close: () => driver.close(CLOSE_GRACE_MS),
  };
}
