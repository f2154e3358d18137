// Composition root: builds the parts of a node, wires them, starts them in order and stops them in reverse.
// The only file that knows all folders.

import type { AuthContext } from './api/auth.ts';
import { ClientIp } from './api/client-ip.ts';
import type { ReadContext } from './api/context.ts';
import { renderDocs } from './api/docs.ts';
import { createDriver } from './api/driver.ts';
import { renderHome } from './api/home.ts';
import { buildOpenApi } from './api/openapi.ts';
import { RateLimiter } from './api/rate-limits.ts';
import { ROUTES } from './api/routes.ts';
import { Server } from './api/server.ts';
import { StreamFeed } from './api/stream-feed.ts';
import { StreamHub } from './api/stream-hub.ts';
import { systemClock } from './clock.ts';
import { type Config, ConfigError, PROTOCOL_VERSION, VERSION } from './config.ts';
import { openImplementation } from './crypto/implementation.ts';
import type { KeyPair } from './crypto/key-pair.ts';
import { useNativeHash } from './crypto/native-hash.ts';
import { createVerifierPool } from './crypto/pool.ts';
import type { Logger } from './log.ts';
import { Market } from './market/market.ts';
import { createWebhooks } from './market/webhooks/webhooks.ts';
import { Metrics } from './metrics.ts';
import { nodeGauges } from './node-gauges.ts';
import { restoreLog, seatOf } from './node-log.ts';
import { ActiveAgents } from './pipeline/active-agents.ts';
import { Autovalidator } from './pipeline/autovalidator.ts';
import { Checkpoints } from './pipeline/checkpoints.ts';
import { EventLists } from './pipeline/event-lists.ts';
import { Executor } from './pipeline/executor.ts';
import { Leaderboards } from './pipeline/leaderboards.ts';
import { PendingIndex } from './pipeline/pending-index.ts';
import { Pipeline } from './pipeline/pipeline.ts';
import * as recovery from './pipeline/recovery.ts';
import { TaskIndex } from './pipeline/task-index.ts';
import { randomBytes } from './random.ts';
import { openStore } from './store/open.ts';
import type { Genesis } from './wire/genesis.ts';

/** Most transactions that wait for a vertex; a tenth of it for one agent. */
const QUEUE_MOST = 20_000;
/** A node that ordered nothing for this long is degraded (DECISIONS 4.10). */
const STALLED_MS = 30_000;
const CLOSE_GRACE_MS = 3000;

export interface NodeOptions {
  config: Config;
  identity: KeyPair;
  genesis: Genesis;
  log: Logger;
}

export interface RunningNode {
  apiAddress: string;
  listenAddress: string;
  stop(): Promise<void>;
  /** Resolves when the node can't go on: the process should end with exit code 1. */
  failed: Promise<Error>;
}

/**
 * Starts a node: store, core, pipeline, API. Resolves when it is ready to take writes.
 * Errors: ConfigError for what this version can't order, StoreError for a store that is not this node's or damaged.
 */
export async function startNode(o: NodeOptions): Promise<RunningNode> {
  const { config, identity, genesis, log } = o;
  useNativeHash();
  const seat = seatOf(o);
  if (config.autovalidator && genesis.manifest.entries[seat]!.operator_agent_id !== identity.publicKeyHex) {
    throw new ConfigError(
      'SERVICE_AUTOVALIDATOR needs a seat whose operator_agent_id is the key of this node',
    );
  }
  const store = await openStore(config.dataDir, config.store, (text) => log.warn(text));
  const stops: (() => Promise<void> | void)[] = [() => store.close()];
  const stopAll = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<Error>((resolve) => {
    fail = resolve;
  });
  try {
    const { ids, ordering, snapshotAt } = await restoreLog(o, store, seat);
    const { state } = ids;
    const totals = recovery.readTotals(store);
    const head = recovery.readHead(store);
    const lists = new EventLists(store);
    const tasks = new TaskIndex(store);
    const metrics = new Metrics();
    const entry = genesis.manifest.entries[seat]!;
    const sign = (message: Uint8Array): Uint8Array => identity.sign(message);
    const executor = new Executor({
      state,
      store,
      projection: {
        ids,
        lists,
        totals,
        chainId: genesis.chainId,
        genesisHash: genesis.hashHex,
        testnet: genesis.testnet,
        params: genesis.params,
        taskIndex: tasks,
        seat,
      },
      checkpoints: new Checkpoints(state, totals, {
        seat,
        validatorId: entry.validator_id,
        publicKey: identity.publicKey,
        sign,
      }),
      head,
      snapshotOrders: config.snapshotOrders,
      snapshotAt,
    });
    ordering.attach(executor);
    await ids.order.load(store);
    const pending = new PendingIndex(state);
    const boards = new Leaderboards(state, ids.order, genesis.params.day_secs);
    const active = new ActiveAgents(state);
    const market = new Market(store, state, ids.order, genesis.params.day_secs);
    await market.load();
    const stream = new StreamHub({
      feed: new StreamFeed(store, head.seq),
      clock: systemClock,
      log,
      timeSecs: () => Math.floor(state.header().timeMs / 1000),
      onSent: (count) => metrics.streamMessages(count),
      onSlowConsumer: () => metrics.slowConsumer(),
    });
    let isFailed = false;
    const onFailure = (error: unknown): void => {
      if (isFailed) return;
      isFailed = true;
      log.error({ err: error }, 'the node stops: memory and disk can no longer be trusted to agree');
      fail(error instanceof Error ? error : new Error(String(error)));
    };
    const webhookPolicy = { tlsOnly: !genesis.testnet, allowPrivate: config.webhookAllowPrivate };
    const webhooks = createWebhooks({
      store,
      clock: systemClock,
      log,
      policy: webhookPolicy,
      onResult: (result) => metrics.webhookDelivery(result),
      onFailure,
    });
    let lastOrderedMs = systemClock.monotonicMs();
    let autovalidator: Autovalidator | undefined;
    const pipeline = new Pipeline({
      executor,
      ordering,
      ids,
      clock: systemClock,
      log,
      queueMost: QUEUE_MOST,
      onExecuted(group) {
        pending.apply(group.outcomes);
        boards.mark(group.touched);
        lastOrderedMs = systemClock.monotonicMs();
        metrics.executed(group.events);
        stream.publish(group.events, group.head.seq);
        market.apply(group.events, group.touched);
        autovalidator?.executed(group.events);
        for (const e of group.events) if (e.event_type === 'task_routed') webhooks.note(e.seq);
        for (const o of group.outcomes) {
          if (o.kind === 'tx' && o.seq > 0) active.note(o.words[0]!, group.timeSecs);
          else if (o.kind === 'event' && (o.type === 'settlement' || o.type === 'task_settled')) {
            metrics.treasuryFee(o.treasuryFee);
          }
        }
      },
      onLatency: (ms) => metrics.orderLatency(ms / 1000),
      onNoQuorum: () => metrics.noQuorum(),
      onFailure(error) {
        isFailed = true;
        log.error({ err: error }, 'the node stops: memory and disk can no longer be trusted to agree');
        fail(error instanceof Error ? error : new Error(String(error)));
      },
    });
    const verifier = createVerifierPool({
      threads: config.workers,
      clock: systemClock,
      implementation: config.verifier,
      ...(config.verifier === 'wasm' ? { alone: openImplementation('wasm') } : {}),
    });
    stops.push(() => verifier.close());
    const startedMs = systemClock.monotonicMs();
    const openapi = buildOpenApi(ROUTES, VERSION);
    const reads: ReadContext = {
      state,
      store,
      ids,
      pending,
      boards,
      market,
      lists,
      tasks,
      totals,
      genesis,
      version: VERSION,
      protocolVersion: PROTOCOL_VERSION,
      noAuth: config.noAuth,
      seat,
      dag: () => ordering.dag,
      uptimeSecs: () => Math.floor((systemClock.monotonicMs() - startedMs) / 1000),
      isHealthy: () => pipeline.isOpen && !isFailed && systemClock.monotonicMs() - lastOrderedMs < STALLED_MS,
      renderMetrics: () => metrics.render(),
      pages: { home: renderHome(), docs: renderDocs(openapi), openapi: JSON.stringify(openapi) },
    };
    metrics.setGauges(() => ({ ...nodeGauges(reads, active), vws_ws_connections: stream.size }));
    metrics.setTasks(() => tasks.totals.by_status);
    metrics.setBuildInfo(VERSION, genesis.chainId);
    const limiter = new RateLimiter({
      clock: systemClock,
      enabled: config.rateLimits,
      onReject: (dimension) => metrics.rateLimitReject(dimension),
    });
    const auth: AuthContext = {
      chainId: genesis.chainId,
      testnet: genesis.testnet,
      noAuth: config.noAuth,
      requestV1: config.requestV1,
      openCoordination: genesis.params.legacy_open_coordination === 1,
      ids,
      seat,
      node: { publicKey: identity.publicKey, sign },
      verify: (job) => verifier.verify(job),
      nowSecs: () => Math.floor(systemClock.nowMs() / 1000),
      randomBytes,
    };
    const server = new Server({
      routes: ROUTES,
      reads,
      auth,
      pipeline,
      limiter,
      stream,
      clientIp: new ClientIp(config.trustedProxies),
      corsOrigins: config.corsOrigins,
      webhooks: webhookPolicy,
      metrics,
      log,
      monotonicMs: () => systemClock.monotonicMs(),
    });
    const driver = await createDriver(server, config.apiDriver, {
      clock: systemClock,
      onFallback: (reason) => log.warn({ reason }, 'uWebSockets.js is not available here: using node:http'),
    });
    stops.push(() => webhooks.close());
    await webhooks.load();
    await pipeline.open();
    stops.push(async () => {
      if (!isFailed) await executor.close();
    });
    const port = await driver.listen(config.api.host, config.api.port);
    stops.push(() => driver.close(CLOSE_GRACE_MS));
    // First of all no more writes are taken; those under way are answered before sockets close.
    stops.push(() => pipeline.close());
    if (config.autovalidator) {
      autovalidator = new Autovalidator({
        store,
        ids,
        pending,
        key: identity,
        chainId: genesis.chainId,
        clock: systemClock,
        randomBytes,
        log,
        submit: (s) => pipeline.submit(s),
      });
      autovalidator.start();
      stops.push(() => autovalidator?.stop());
    }
    const host = config.api.host.includes(':') ? `[${config.api.host}]` : config.api.host;
    log.info({ port, driver: driver.name, store: store.engine, workers: config.workers }, 'ready');
    return {
      apiAddress: `http://${host}:${port}`,
      listenAddress: 'off (a single node has no peers)',
      stop: stopAll,
      failed,
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}
