// Composition root: builds the parts of a node, wires them, starts them in order and stops them in reverse.

import { StreamFeed } from '../api/stream-feed.ts';
import { StreamHub } from '../api/stream-hub.ts';
import type { Config } from '../config/config.ts';
import { openImplementation } from '../crypto/implementation.ts';
import type { KeyPair } from '../crypto/key-pair.ts';
import { useNativeHash } from '../crypto/native-hash.ts';
import { createVerifierPool } from '../crypto/pool.ts';
import { clearUnused, isMarkedUnused } from '../crypto/unused-key.ts';
import type { SignatureVerifier } from '../crypto/verifier.ts';
import { OwnValidator } from '../duties/own-validator.ts';
import type { Executed } from '../execution/executor.ts';
import type { Logger } from '../log.ts';
import { Metrics } from '../metrics.ts';
import { VertexGate } from '../ordering/vertex-gate.ts';
import { Sequencer } from '../sequencer/sequencer.ts';
import { createWebhooks } from '../webhooks/webhooks.ts';
import type { Genesis } from '../wire/genesis.ts';
import type { Store } from '../world/store.ts';
import type { World } from '../world/world.ts';
import { openApi } from './api.ts';
import { joinNetwork } from './join.ts';
import { checkNew, seatOf } from './log.ts';
import { openNetwork } from './network.ts';
import { type NodeState, openState } from './state.ts';

/** Most transactions that wait for a vertex; a tenth of it for one agent. */
const MAX_QUEUED = 20_000;
/** A node that ordered nothing for this long is degraded (protocol 4.10). */
const STALLED_MS = 30_000;

export interface NodeOptions {
  world: World;
  config: Config;
  identity: KeyPair;
  genesis: Genesis;
  log: Logger;
}

export interface RunningNode {
  /** agent_id of the seat's operator: the node's identity in the ledger. */
  operatorAgentId: string;
  apiAddress: string;
  listenAddress: string;
  stop(): Promise<void>;
  /** Resolves when the node can't go on: the process should end with exit code 1. */
  failed: Promise<Error>;
}

/** What ends a node: the first failure is told, and nothing is written after it. */
class Failure {
  isFailed = false;
  readonly failed: Promise<Error>;
  #tell: (error: Error) => void = () => {};

  constructor(private readonly log: Logger) {
    this.failed = new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  fail(error: unknown): void {
    if (this.isFailed) return;
    this.isFailed = true;
    // Its cause is told as the process ends; what is on disk stays good.
    this.log.error({ err: error }, 'the node stops');
    this.#tell(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Parts to stop, the last one first. */
class Stops {
  readonly #stops: (() => Promise<void> | void)[] = [];

  add(stop: () => Promise<void> | void): void {
    this.#stops.push(stop);
  }

  async all(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }
}

function openVerifier({ config, world }: NodeOptions): SignatureVerifier {
  return createVerifierPool({
    threads: config.workers,
    workerFile: world.program.path('host/crypto/worker.js'),
    world,
    implementation: config.verifier,
    ...(config.verifier === 'wasm' ? { alone: openImplementation('wasm', world) } : {}),
  });
}

function openStream(
  { log, world }: NodeOptions,
  { store, head, state }: NodeState,
  metrics: Metrics,
): StreamHub {
  return new StreamHub({
    feed: new StreamFeed(store, head.seq),
    clock: world.clock,
    log,
    timeSecs: () => Math.floor(state.header().timeMs / 1000),
    onSent: (count) => metrics.streamMessages(count),
    onSlowConsumer: () => metrics.slowConsumer(),
  });
}

/** What a group that is on disk is passed on to. */
function tellViews(held: NodeState, metrics: Metrics, stream: StreamHub, group: Executed): void {
  held.pending.apply(group.outcomes);
  held.boards.mark(group.touched);
  metrics.executed(group.events);
  metrics.equivocations(group.equivocations);
  stream.publish(group.events, group.head.seq);
  held.market.apply(group.events, group.touched);
  for (const o of group.outcomes) {
    if (o.kind === 'tx' && o.seq > 0) held.active.note(o.words[0]!, group.timeSecs);
    else if (o.kind === 'event' && (o.type === 'settlement' || o.type === 'task_settled')) {
      metrics.treasuryFee(o.treasuryFee);
    }
  }
}

/**
 * Starts a node: store, core, pipeline, network, API. Resolves when it is ready to take writes.
 * Errors: ConfigError for what this version can't order, StoreError for a store that is not this node's or damaged.
 */
export async function startNode(o: NodeOptions): Promise<RunningNode> {
  const { config, log, world } = o;
  useNativeHash();
  checkNew(o);
  const stops = new Stops();
  const store = await world.stores.open(config.dataDir, config.store, (text) => log.warn(text));
  stops.add(() => store.close());
  try {
    return await startParts(o, store, stops);
  } catch (error) {
    await stops.all();
    throw error;
  }
}

async function startParts(o: NodeOptions, store: Store, stops: Stops): Promise<RunningNode> {
  const { config, identity, genesis, log, world } = o;
  const { clock, files } = world;
  await joinNetwork(o, store);
  const held = await openState(o, store, await seatOf(o, store));
  const { ids, ordering, executor, seat, pending, cases } = held;
  const metrics = new Metrics();
  const stream = openStream(o, held, metrics);
  const failure = new Failure(log);
  const webhooks = createWebhooks({
    store,
    world,
    log,
    key: identity,
    policy: { tlsOnly: !genesis.testnet, allowPrivate: config.webhookAllowPrivate },
    onResult: (result) => metrics.webhookDelivery(result),
    onFailure: (error) => failure.fail(error),
  });
  const verifier = openVerifier(o);
  stops.add(() => verifier.close());
  const net = openNetwork({
    ...{ world, config, identity, genesis, log, store, ids, ordering, verifier },
    verifyNow: openImplementation(config.verifier, world),
    onReady: () => pipeline.wake(),
    onHead: (from, { epoch, seqs }) => gate.onPeerClaim(from, { epoch, seq: seqs[seat] ?? 0 }),
    onFailure: (error) => failure.fail(error),
  });
  const gate = await VertexGate.open({
    ...{ store, clock, log, seat },
    progress: () => ({ epoch: ordering.epoch, seq: ordering.dag.newestSeqs[seat] ?? 0 }),
    isNewKey: isMarkedUnused(files, config.dataDir, identity.publicKeyHex),
    onOpen: () => pipeline.gateOpened(),
  });
  clearUnused(files, config.dataDir);
  stops.add(() => gate.stop());
  let lastOrderedMs = clock.monotonicMs();
  let ownValidator: OwnValidator | undefined;
  const pipeline: Sequencer = new Sequencer({
    ...{ source: net.source, gate, executor, ordering, ids, clock, log },
    isBehind: () => net.isBehind(),
    maxQueued: MAX_QUEUED,
    onExecuted(group) {
      lastOrderedMs = clock.monotonicMs();
      tellViews(held, metrics, stream, group);
      ownValidator?.executed(group);
      for (const e of group.events) if (e.event_type === 'task_routed') webhooks.note(e.seq);
    },
    onLatency: (ms) => metrics.orderLatency(ms / 1000),
    onNoQuorum: () => metrics.noQuorum(),
    onFailure: (error) => failure.fail(error),
  });
  const api = await openApi({
    ...{ world, config, identity, log, held, net, pipeline, stream, metrics, verifier },
    health() {
      if (net.isBehind() || gate.closedReason !== undefined) return 'syncing';
      const isLive = clock.monotonicMs() - lastOrderedMs < STALLED_MS;
      return pipeline.isOpen && !failure.isFailed && isLive && net.hasQuorum() ? 'healthy' : 'degraded';
    },
  });
  stops.add(() => webhooks.close());
  await webhooks.load();
  await pipeline.open();
  stops.add(async () => {
    if (!failure.isFailed) await executor.close();
  });
  const listenAddress = await net.start();
  stops.add(() => net.stop());
  const port = await api.listen();
  stops.add(() => api.close());
  // First of all no more writes are taken; those under way are answered before sockets close.
  stops.add(() => pipeline.close());
  if (config.autovalidator) {
    const { chainId, params } = genesis;
    ownValidator = new OwnValidator({
      ...{
        store,
        ids,
        pending,
        cases,
        seat,
        key: identity,
        chainId,
        clock,
        randomBytes: world.randomBytes,
        log,
      },
      rateBp: params.canary_rate_bp,
      submit: (s) => pipeline.submit(s),
    });
    await ownValidator.start();
    stops.add(() => ownValidator?.stop());
  }
  log.info({ port, driver: api.driverName, store: store.engine, workers: config.workers }, 'ready');
  const host = config.api.host.includes(':') ? `[${config.api.host}]` : config.api.host;
  return {
    operatorAgentId: genesis.manifest.entries[seat]?.operator_agent_id ?? identity.publicKeyHex,
    apiAddress: `http://${host}:${port}`,
    listenAddress,
    stop: () => stops.all(),
    failed: failure.failed,
  };
}
