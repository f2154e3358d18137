// The HTTP side of a node: what reads see, how writes are authenticated, the page, the server on its driver.

import type { AuthContext } from '../api/auth.ts';
import { ClientIp } from '../api/client-ip.ts';
import type { ReadContext } from '../api/context.ts';
import { renderDocs } from '../api/docs.ts';
import { createDriver } from '../api/driver.ts';
import { buildOpenApi } from '../api/openapi.ts';
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
import type { Sequencer } from '../sequencer/sequencer.ts';
import { ValidatorTable } from '../views/validators/validator-table.ts';
import type { World } from '../world/world.ts';
import { memoryGauges, networkGauges, nodeGauges } from './gauges.ts';
import type { NodeNetwork } from './network.ts';
import type { NodeState } from './state.ts';

const CLOSE_GRACE_MS = 3000;

export interface ApiSources {
  world: World;
  config: Config;
  identity: KeyPair;
  log: Logger;
  held: NodeState;
  net: NodeNetwork;
  pipeline: Sequencer;
  stream: StreamHub;
  metrics: Metrics;
  verifier: SignatureVerifier;
  health(): 'healthy' | 'degraded' | 'syncing';
}

export interface NodeApi {
  driverName: string;
  /** Binds; resolves with the port. */
  listen(): Promise<number>;
  close(): Promise<void>;
}

function readsOf(o: ApiSources): ReadContext {
  const { held, metrics, world } = o;
  const { state, ids, store, genesis, ordering } = held;
  const startedMs = world.clock.monotonicMs();
  const openapi = buildOpenApi(ROUTES, VERSION);
  const { pending, boards, market, lists, tasks, cases, totals, seat } = held;
  return {
    state,
    store,
    ids,
    pending,
    boards,
    market,
    lists,
    validators: new ValidatorTable(state, ids),
    joining: o.net.joining,
    epochKeys: new EpochKeys(store, genesis.manifest),
    tasks,
    cases,
    totals,
    genesis,
    version: VERSION,
    protocolVersion: PROTOCOL_VERSION,
    noAuth: o.config.noAuth,
    seat,
    dag: () => ordering.dag,
    uptimeSecs: () => Math.floor((world.clock.monotonicMs() - startedMs) / 1000),
    nodeKey: o.identity.publicKeyHex,
    health: () => o.health(),
    ordersBehind: () => (o.net.isBehind() ? o.net.network?.figures.ordersBehind : undefined),
    peers: () => o.net.network?.peers ?? [],
    renderMetrics: () => metrics.render(),
    pages: { docs: renderDocs(openapi), openapi: JSON.stringify(openapi) },
  };
}

function authOf({ config, identity, held, verifier, world }: ApiSources): AuthContext {
  const { genesis, ids, seat } = held;
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
    nowSecs: () => Math.floor(world.clock.nowMs() / 1000),
    randomBytes: world.randomBytes,
  };
}

/** What is read when somebody scrapes. */
function setMetrics(o: ApiSources, reads: ReadContext): void {
  const { metrics, held, net, stream } = o;
  metrics.setGauges(() => ({
    ...nodeGauges(reads, held.active),
    ...memoryGauges(reads, o.world.memoryUse()),
    ...networkGauges(net.network),
    vws_epoch: held.ordering.epoch.number,
    vws_ws_connections: stream.size,
  }));
  metrics.setTasks(() => held.tasks.totals.by_status);
  metrics.setBuildInfo(VERSION, held.genesis.chainId);
}

export async function openApi(o: ApiSources): Promise<NodeApi> {
  const { config, log, metrics, pipeline, stream, world } = o;
  const reads = readsOf(o);
  setMetrics(o, reads);
  const limiter = new RateLimiter({
    clock: world.clock,
    enabled: config.rateLimits,
    onReject: (dimension) => metrics.rateLimitReject(dimension),
  });
  const server = new Server({
    routes: ROUTES,
    reads,
    auth: authOf(o),
    pipeline,
    limiter,
    stream,
    files: new StaticFiles(world.program.folder('web')),
    clientIp: new ClientIp(config.trustedProxies),
    corsOrigins: config.corsOrigins,
    webhooks: { tlsOnly: !o.held.genesis.testnet, allowPrivate: config.webhookAllowPrivate },
    metrics,
    log,
    monotonicMs: () => world.clock.monotonicMs(),
    gzip: world.gzip,
  });
  const driver = await createDriver(server, config.apiDriver, {
    clock: world.clock,
    onFallback: (reason) => log.warn({ reason }, 'uWebSockets.js is not available here: using node:http'),
  });
  return {
    driverName: driver.name,
    listen: () => driver.listen(config.api.host, config.api.port),
    close: () => driver.close(CLOSE_GRACE_MS),
  };
}
