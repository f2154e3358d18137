// Builds the parts of a node and connects them. Nothing is served or dialed here: node.ts starts and stops them.
// Each callback that closes over a part built later is called only after the start.

import { lostWrites } from '../api/handlers/network.ts';
import { OrderWaits } from '../api/order-waits.ts';
import { StreamFeed } from '../api/stream-feed.ts';
import { StreamHub } from '../api/stream-hub.ts';
import { openImplementation } from '../crypto/implementation.ts';
import { createVerifierPool } from '../crypto/pool.ts';
import { clearUnused, isMarkedUnused } from '../crypto/unused-key.ts';
import type { SignatureVerifier } from '../crypto/verifier.ts';
import { OwnValidator } from '../duties/own-validator.ts';
import { Metrics } from '../metrics.ts';
import { clockedGate, GuardedClock } from '../ordering/guarded-clock.ts';
import { SignedRecord } from '../ordering/signed-record.ts';
import { VertexGate } from '../ordering/vertex-gate.ts';
import { Sequencer } from '../sequencer/sequencer.ts';
import type { DeliveryQueue } from '../webhooks/delivery-queue.ts';
import { createWebhooks } from '../webhooks/webhooks.ts';
import { fromHex } from '../wire/bytes.ts';
import type { Store } from '../world/store.ts';
import { type NodeApi, openApi } from './api.ts';
import { BatchFeed } from './batch-feed.ts';
import type { Failure, Stops } from './lifecycle.ts';
import { type LogSources, seatOf } from './log.ts';
import { type NodeNetwork, openNetwork } from './network.ts';
import { type NodeState, openState } from './state.ts';

/** Transactions that may wait for a vertex; one agent may have a tenth of them. */
const MAX_QUEUED = 20_000;
/** A node that ordered nothing for this long is degraded (protocol 4.10). */
const STALLED_MS = 30_000;

/** What a node is started with. */
export type NodeOptions = LogSources;

export interface Parts {
  state: NodeState;
  feed: BatchFeed;
  webhooks: DeliveryQueue;
  net: NodeNetwork;
  sequencer: Sequencer;
  api: NodeApi;
  /** The time for vertices, deadlines and admission. */
  clock: GuardedClock;
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

function openWebhooks(
  { config, identity, genesis, log, world }: NodeOptions,
  store: Store,
  metrics: Metrics,
  failure: Failure,
): DeliveryQueue {
  return createWebhooks({
    ...{ store, world, log },
    key: identity,
    policy: { tlsOnly: !genesis.testnet, allowPrivate: config.webhookAllowPrivate },
    onResult: (result) => metrics.webhookDelivery(result),
    onFailure: (error) => failure.fail(error),
  });
}

/** The last-signed record, if one is kept. Errors: StoreError for a torn or foreign one. */
function openRecord({ config, genesis, identity, world }: NodeOptions): SignedRecord | undefined {
  const { observer, signedRecord } = config;
  if (signedRecord === undefined || observer) return undefined;
  const owner = { genesisHash: genesis.hashHex, key: identity.publicKeyHex };
  return SignedRecord.open(world.files, signedRecord, owner);
}

/** The key counts as used from here on, before it can sign anything. */
async function openGate(
  options: NodeOptions,
  { store, seat, ordering }: NodeState,
  onChange: () => void,
): Promise<VertexGate> {
  const { config, identity, log, world } = options;
  const { clock, files } = world;
  const gate = await VertexGate.open({
    ...{ store, clock, log, seat, onChange },
    progress: () => ({ epoch: ordering.epoch, seq: ordering.dag.newestSeqs[seat] ?? 0 }),
    hasVertex: (id) => ordering.dag.roundOf(fromHex(id)!) !== undefined,
    record: openRecord(options),
    isNewKey: isMarkedUnused(files, config.dataDir, identity.publicKeyHex),
    randomByte: () => world.randomBytes(1)[0]!,
    startIncarnation: (incarnation, until) => ordering.startIncarnation(incarnation, until),
  });
  clearUnused(files, config.dataDir);
  return gate;
}

/** Errors: those of openState, StoreError, ConfigError. */
export async function buildParts(
  options: NodeOptions,
  store: Store,
  failure: Failure,
  stops: Stops,
): Promise<Parts> {
  const { config, identity, log, world } = options;
  const state = await openState(options, store, await seatOf(options, store));
  const { ids, ordering, executor, seat } = state;
  const clock = new GuardedClock({
    ...{ clock: world.clock, log, seat },
    epoch: () => ordering.epoch,
    probe: () => net.network?.probe(),
    onTrusted: () => sequencer.gateOpened(),
  });
  const metrics = new Metrics();
  const stream = openStream(options, state, metrics);
  const webhooks = openWebhooks(options, store, metrics, failure);
  const verifier = openVerifier(options);
  stops.add(() => verifier.close());
  const net = openNetwork({
    ...options,
    ...{ store, ids, ordering, verifier, clocks: clock },
    verifyNow: openImplementation(config.verifier, world),
    onReady: () => sequencer.wake(),
    isOpen: () => vertexGate.isOpen,
    onHead: (from, { epoch, isOpen, seqs }) =>
      vertexGate.onPeerClaim(from, { epoch, isOpen, seq: seqs[seat] ?? 0 }),
    onSeatGone: (from) => vertexGate.onPeerGone(from),
    onFailure: (error) => failure.fail(error),
  });
  const vertexGate = await openGate(options, state, () => {
    net.network?.headChanged();
    if (vertexGate.isOpen) sequencer.gateOpened();
  });
  stops.add(() => vertexGate.stop());
  const gate = clockedGate(vertexGate, clock);
  const orders = new OrderWaits(clock, executor.head.order, () => lostWrites(state.state.header()));
  const feed = new BatchFeed({ clock, state, metrics, orders, stream, webhooks });
  const sequencer: Sequencer = new Sequencer({
    ...{ source: net.source, gate, executor, ordering, ids, clock, log },
    isBehind: () => net.isBehind(),
    maxQueued: MAX_QUEUED,
    onExecuted: (batch) => feed.onExecuted(batch),
    onLatency: (ms) => metrics.orderLatency(ms / 1000),
    onNoQuorum: () => metrics.noQuorum(),
    onFailure: (error) => failure.fail(error),
  });
  const api = await openApi({
    ...{
      world,
      config,
      identity,
      log,
      nodeState: state,
      clock,
      net,
      sequencer,
      orders,
      stream,
      metrics,
      verifier,
    },
    health() {
      const { closedReason } = vertexGate;
      if (net.isBehind() || closedReason !== undefined) return { status: 'syncing', reason: closedReason };
      const isLive = clock.monotonicMs() - feed.lastBatchMs < STALLED_MS;
      const isWell = sequencer.isOpen && !failure.isFailed && isLive && net.hasQuorum();
      return { status: isWell && !clock.fault ? 'healthy' : 'degraded', reason: clock.fault };
    },
  });
  return { state, feed, webhooks, net, sequencer, api, clock };
}

/** What the node does for its validator by itself (SERVICE_AUTOVALIDATOR). */
export function buildOwnValidator(
  { identity, genesis, log, world }: NodeOptions,
  { state, sequencer, clock }: Pick<Parts, 'state' | 'sequencer' | 'clock'>,
): OwnValidator {
  const { store, ids, pending, cases, seat } = state;
  const { chainId, params } = genesis;
  const { randomBytes } = world;
  return new OwnValidator({
    ...{ store, ids, pending, cases, seat, chainId, clock, randomBytes, log },
    key: identity,
    rateBp: params.canary_rate_bp,
    submit: (submission) => sequencer.submit(submission),
  });
}
