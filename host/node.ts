// Composition root: builds the parts of a node, wires them, starts them in order and stops them in reverse.
// The only file that knows all folders.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
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
import { systemClock } from './clock.ts';
import { type Config, ConfigError, PROTOCOL_VERSION, VERSION } from './config.ts';
import { Core } from './core/core.ts';
import { State } from './core/state.ts';
import { openImplementation } from './crypto/implementation.ts';
import type { KeyPair } from './crypto/key-pair.ts';
import { useNativeHash } from './crypto/native-hash.ts';
import { createVerifierPool } from './crypto/pool.ts';
import type { Logger } from './log.ts';
import { Metrics } from './metrics.ts';
import { nodeGauges } from './node-gauges.ts';
import { ActiveAgents } from './pipeline/active-agents.ts';
import { Checkpoints } from './pipeline/checkpoints.ts';
import { genesisEpoch, isQuorumAlone } from './pipeline/epoch.ts';
import { EventLists } from './pipeline/event-lists.ts';
import { Executor } from './pipeline/executor.ts';
import { Identities } from './pipeline/identity.ts';
import { Leaderboards } from './pipeline/leaderboards.ts';
import { PendingIndex } from './pipeline/pending-index.ts';
import { Pipeline } from './pipeline/pipeline.ts';
import * as recovery from './pipeline/recovery.ts';
import { SingleSeat } from './pipeline/single-seat.ts';
import { randomBytes } from './random.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';
import type { Genesis } from './wire/genesis.ts';
import { paramWords } from './wire/params.ts';

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

/** core.wasm beside the compiled host, or in build/ when the host runs from its sources. */
export async function loadCoreModule(): Promise<WebAssembly.Module> {
  const places = ['../core.wasm', '../build/core.wasm'].map((p) =>
    fileURLToPath(new URL(p, import.meta.url)),
  );
  const path = places.find(existsSync);
  if (!path) throw new Error('build/core.wasm is missing: run npm run build');
  return WebAssembly.compile(await readFile(path));
}

function checkOrdering(o: NodeOptions): { seat: number; epoch: ReturnType<typeof genesisEpoch> } {
  const epoch = genesisEpoch(o.genesis);
  const seat = o.genesis.manifest.entries.findIndex(
    (e) => e.consensus_public_key === o.identity.publicKeyHex,
  );
  if (o.config.peers.length > 0 || o.config.discover) {
    throw new ConfigError('this version runs a single node: it takes no peers');
  }
  if (!isQuorumAlone(epoch, seat)) {
    throw new ConfigError(
      'this version runs a single node: its seat must hold 66.7 percent of the weight and min_participants be 1',
    );
  }
  return { seat, epoch };
}

/** A core at the head of the stored log, and the state read through it. */
async function restore(o: NodeOptions, store: Store): Promise<{ ids: Identities; snapshotAt: number }> {
  const { genesis, log } = o;
  await recovery.claimStore(store, genesis);
  const core = Core.create(await loadCoreModule(), {
    chainId: genesis.chainId,
    testnet: genesis.testnet,
    launchTime: genesis.launchTime,
    params: paramWords(genesis.params),
  });
  const state = new State(core);
  const ids = new Identities(state, store, genesis.manifest);
  const head = recovery.readHead(store);
  const stored = recovery.readSnapshotMark(store);
  const mark = await recovery.usableSnapshot(store, core);
  if (stored && !mark)
    log.warn({ order: stored.order }, 'snapshot of another version: replaying the whole log');
  if (mark) await recovery.loadSnapshot(store, core, mark);
  else recovery.applyGenesis(core, genesis);
  if (head.block === 0) await recovery.storeGenesisNames(store, state, genesis);
  const started = systemClock.monotonicMs();
  await recovery.replay(store, genesis, ids, mark ?? recovery.NO_HEAD, head, ({ block, to }) => {
    const rate = block / Math.max(1, systemClock.monotonicMs() - started);
    log.info({ block, to, secondsLeft: Math.round((to - block) / rate / 1000) }, 'replaying the log');
  });
  log.info({ block: head.block, order: head.order, snapshot: mark?.order ?? 0 }, 'state restored');
  return { ids, snapshotAt: mark?.order ?? 0 };
}

/**
 * Starts a node: store, core, pipeline, API. Resolves when it is ready to take writes.
 * Errors: ConfigError for what this version can't order, StoreError for a store that is not this node's or damaged.
 */
export async function startNode(o: NodeOptions): Promise<RunningNode> {
  const { config, identity, genesis, log } = o;
  useNativeHash();
  const { seat, epoch } = checkOrdering(o);
  if (config.autovalidator) log.warn('SERVICE_AUTOVALIDATOR has no effect in this version');
  if (config.webhookAllowPrivate) log.warn('SERVICE_WEBHOOK_ALLOW_PRIVATE has no effect in this version');
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
    const { ids, snapshotAt } = await restore(o, store);
    const { state } = ids;
    const totals = recovery.readTotals(store);
    const head = recovery.readHead(store);
    const lists = new EventLists(store);
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
      },
      checkpoints: new Checkpoints(state, epoch, totals, {
        validatorId: entry.validator_id,
        publicKey: identity.publicKey,
        sign,
      }),
      head,
      snapshotOrders: config.snapshotOrders,
      snapshotAt,
    });
    const singleSeat = new SingleSeat(epoch, seat, sign, recovery.ownHead(store, head));
    await ids.order.load(store);
    const pending = new PendingIndex(state);
    const boards = new Leaderboards(state, ids.order, genesis.params.day_secs);
    const active = new ActiveAgents(state);
    let isFailed = false;
    let lastOrderedMs = systemClock.monotonicMs();
    const pipeline = new Pipeline({
      executor,
      seat: singleSeat,
      ids,
      clock: systemClock,
      log,
      queueMost: QUEUE_MOST,
      onExecuted(group) {
        pending.apply(group.outcomes);
        boards.mark(group.touched);
        lastOrderedMs = systemClock.monotonicMs();
        metrics.executed(group.events);
        for (const o of group.outcomes) {
          if (o.kind === 'tx' && o.seq > 0) active.note(o.words[0]!, group.timeSecs);
          else if (o.kind === 'event' && o.type === 'settlement') metrics.treasuryFee(o.treasuryFee);
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
      lists,
      totals,
      genesis,
      version: VERSION,
      protocolVersion: PROTOCOL_VERSION,
      noAuth: config.noAuth,
      seat,
      ownHead: () => singleSeat.ownHead,
      uptimeSecs: () => Math.floor((systemClock.monotonicMs() - startedMs) / 1000),
      isHealthy: () => pipeline.isOpen && !isFailed && systemClock.monotonicMs() - lastOrderedMs < STALLED_MS,
      renderMetrics: () => metrics.render(),
      pages: { home: renderHome(), docs: renderDocs(openapi), openapi: JSON.stringify(openapi) },
    };
    metrics.setGauges(() => nodeGauges(reads, active));
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
      clientIp: new ClientIp(config.trustedProxies),
      corsOrigins: config.corsOrigins,
      metrics,
      log,
      monotonicMs: () => systemClock.monotonicMs(),
    });
    const driver = await createDriver(server, config.apiDriver, {
      clock: systemClock,
      onFallback: (reason) => log.warn({ reason }, 'uWebSockets.js is not available here: using node:http'),
    });
    await pipeline.open();
    stops.push(async () => {
      if (!isFailed) await executor.close();
    });
    const port = await driver.listen(config.api.host, config.api.port);
    stops.push(() => driver.close(CLOSE_GRACE_MS));
    // First of all no more writes are taken; those under way are answered before sockets close.
    stops.push(() => pipeline.close());
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
