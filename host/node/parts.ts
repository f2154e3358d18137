// Builds the parts of a node and connects them. Nothing is served or dialed here: node.ts starts and stops them.
// Each callback that closes over a part built later is called only after the start.

import { lostWrites } from '../api/handlers/network.ts';
import { OrderWaits } from '../api/order-waits.ts';
import { StreamFeed } from '../api/stream-feed.ts';
import { StreamHub } from '../api/stream-hub.ts';
import { supplyParts } from '../core/supply-parts.ts';
import { openImplementation } from '../crypto/implementation.ts';
import { createVerifierPool } from '../crypto/pool.ts';
import { clearUnused, isMarkedUnused } from '../crypto/unused-key.ts';
import type { SignatureVerifier } from '../crypto/verifier.ts';
import { outsideJudge } from '../duties/judging/outside-judge.ts';
import { OwnValidator } from '../duties/own-validator.ts';
import { Trials } from '../execution/trials.ts';
import { Metrics } from '../metrics.ts';
import type { HistoryFrom } from '../net/messages.ts';
import type { Network } from '../net/network.ts';
import { signedHeight } from '../ordering/checkpoints.ts';
import { clockedGate, GuardedClock } from '../ordering/guarded-clock.ts';
import { SignedRecord } from '../ordering/signed-record.ts';
import { VertexGate, type VertexGateOptions } from '../ordering/vertex-gate.ts';
import { createProgramPool } from '../programs/pool.ts';
import type { ProgramRunner } from '../programs/runner.ts';
import { Sequencer } from '../sequencer/sequencer.ts';
import { escrowSums } from '../views/escrow-sums.ts';
import type { Hidden } from '../views/hidden.ts';
import { HistoryKeeper } from '../views/history/history-keeper.ts';
import type { DeliveryQueue } from '../webhooks/delivery-queue.ts';
import { createWebhooks } from '../webhooks/webhooks.ts';
import { fromHex } from '../wire/bytes.ts';
import type { Store } from '../world/store.ts';
import { type NodeApi, openApi } from './api.ts';
import { BatchFeed } from './batch-feed.ts';
import type { Conditions } from './conditions.ts';
import { DiskWatch, MIN_FREE_BYTES } from './disk-watch.ts';
import { HiddenContent } from './hidden-content.ts';
import type { Failure, Stops } from './lifecycle.ts';
import { type LogSources, seatOf } from './log.ts';
import { type NodeNetwork, openNetwork } from './network.ts';
import { ReadinessLog } from './readiness-log.ts';
import { type NodeState, openState } from './state.ts';
import { TrendKeeper } from './trend-keeper.ts';

/** Transactions that may wait for a vertex; one agent may have a tenth of them. */
const MAX_QUEUED = 20_000;
/** A node that ordered nothing for this long is degraded (protocol 4.10). */
const STALLED_MS = 30_000;

/** The reason, unless what it is about holds. */
const unless = (holds: boolean, reason: string): string | undefined => (holds ? undefined : reason);

/** What a node is started with. */
export type NodeOptions = LogSources;

export interface Parts {
  state: NodeState;
  feed: BatchFeed;
  webhooks: DeliveryQueue;
  net: NodeNetwork;
  sequencer: Sequencer;
  api: NodeApi;
  metrics: Metrics;
  history: HistoryKeeper;
  trend: TrendKeeper;
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

/** A thread, once there is something to run: what runs there is bounded by fuel and by the rates of those who ask for it. */
function openRunner({ world }: NodeOptions, name: string, maxWaiting: number): ProgramRunner {
  return createProgramPool({
    name,
    maxWaiting,
    workerFile: world.program.path('host/programs/worker.js'),
    world,
  });
}

function openStream(
  { log, world }: NodeOptions,
  { store, lists, head, state }: NodeState,
  metrics: Metrics,
  history: HistoryKeeper,
  hidden: Hidden,
): StreamHub {
  return new StreamHub({
    feed: new StreamFeed(store, lists, head.seq, () => history.current.documents.seq, hidden),
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
  hidden: Hidden,
): DeliveryQueue {
  return createWebhooks({
    hidden,
    ...{ store, world, log },
    key: identity,
    policy: { tlsOnly: !genesis.testnet, allowPrivate: config.webhookAllowPrivate },
    onResult: (result) => metrics.webhookDelivery(result),
    onFailure: (error) => failure.fail(error),
  });
}

/** The last-signed record, if one is kept, here or by the signer. Errors: StoreError for a torn or foreign one. */
function openRecord({ config, genesis, identity, world }: NodeOptions): VertexGateOptions['record'] {
  const { observer, signedRecord } = config;
  // A signer has its record on disk before it answers.
  if (identity.held && !observer) return { newest: identity.held.newest, write: async () => {} };
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
    isNewKey: identity.held?.isUnused ?? isMarkedUnused(files, config.dataDir, identity.publicKeyHex),
    randomByte: () => world.randomBytes(1)[0]!,
    startIncarnation: (incarnation, until) => ordering.startIncarnation(incarnation, until),
  });
  clearUnused(files, config.dataDir);
  return gate;
}

/** `network`: once there is one. */
function openHistory(
  { config, genesis, log, world }: NodeOptions,
  { store, state, executor }: NodeState,
  network: () => Network | undefined,
  failure: Failure,
): HistoryKeeper {
  const { historyDays, dropUnarchived } = config;
  // What strangers say of themselves proves nothing: seats, and peers that the operator named.
  const isHeld = (has: (from: HistoryFrom) => boolean): boolean =>
    (network()?.peers ?? []).some(
      ({ seat, isConfigured, from }) =>
        (seat !== undefined || isConfigured) && from !== undefined && has(from),
    );
  return new HistoryKeeper({
    ...{ store, state, log, clock: world.clock },
    head: () => executor.head,
    signedHeight: () => signedHeight(store),
    keepSecs: historyDays === undefined ? undefined : historyDays * genesis.params.day_secs,
    isElsewhere: (own) =>
      dropUnarchived || isHeld(({ epoch, seq }) => epoch <= own.log.epoch && seq <= own.documents.seq),
    hasArchive: () => isHeld(({ epoch }) => epoch === 0),
    onMoved: () => network()?.headChanged(),
    onFailure: (error) => failure.fail(error),
  });
}

/** Only what is cheap to read: the keeper asks every few seconds. */
function openTrend(
  { world }: NodeOptions,
  { store, state, tasks, pending }: NodeState,
  metrics: Metrics,
  isReady: () => boolean,
  failure: Failure,
): TrendKeeper {
  return new TrendKeeper({
    ...{ store, isReady, clock: world.clock },
    sums: () => metrics.trendSums(),
    state: () => {
      const header = state.header();
      const { by_status } = tasks.totals;
      const { order, agents } = header;
      const parts = supplyParts(header, escrowSums({ tasks, pending }));
      return { order, agents, openTasks: by_status.open ?? 0, parts };
    },
    onFailure: (error) => failure.fail(error),
  });
}

/** Errors: those of openState, StoreError, ConfigError. */
export async function buildParts(
  options: NodeOptions,
  store: Store,
  failure: Failure,
  stops: Stops,
): Promise<Parts> {
  const { config, identity, log, world } = options;
  // Not the thread of the trials, whose number is up to strangers: what was ordered does not wait for them.
  const orderRunner = openRunner(options, 'contracts', 1);
  stops.add(() => orderRunner.close());
  const state = await openState(options, store, await seatOf(options, store), orderRunner);
  const { ids, ordering, executor, seat } = state;
  const clock = new GuardedClock({
    ...{ clock: world.clock, log, seat },
    epoch: () => ordering.epoch,
    probe: () => net.network?.probe(),
    onTrusted: () => sequencer.gateOpened(),
  });
  const metrics = new Metrics();
  const disk = new DiskWatch(world, config.dataDir);
  const history = openHistory(options, state, () => net.network, failure);
  const hidden = new HiddenContent(world, config.dataDir, log);
  const stream = openStream(options, state, metrics, history, hidden);
  const webhooks = openWebhooks(options, store, metrics, failure, hidden);
  const verifier = openVerifier(options);
  stops.add(() => verifier.close());
  const trialRunner = openRunner(options, 'trials', 1);
  stops.add(() => trialRunner.close());
  const trials = new Trials(ids.tasks, trialRunner, executor.runs);
  const net = openNetwork({
    ...options,
    ...{ store, ids, ordering, verifier, clocks: clock },
    verifyNow: openImplementation(config.verifier, world),
    onReady: () => sequencer.wake(),
    isOpen: () => vertexGate.isOpen,
    from: () => {
      const { log: first, documents } = history.current;
      return { epoch: first.epoch, order: first.order, seq: documents.seq };
    },
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
  const feed = new BatchFeed({ clock, log, state, metrics, orders, stream, webhooks });
  const sequencer: Sequencer = new Sequencer({
    ...{ source: net.source, gate, executor, ordering, ids, clock, log },
    isBehind: () => net.isBehind(),
    maxQueued: MAX_QUEUED,
    onExecuted: (batch, commitMs) => feed.onExecuted(batch, commitMs),
    onLatency: (ms) => metrics.orderLatency(ms / 1000),
    onNoQuorum: () => metrics.noQuorum(),
    onFailure: (error) => failure.fail(error),
  });
  const conditions = (): Conditions => ({
    lag: unless(!net.isBehind(), 'it catches up with its peers'),
    gate: vertexGate.closedReason,
    running: unless(sequencer.isOpen && !failure.isFailed, 'it is stopping'),
    order: unless(clock.monotonicMs() - feed.lastBatchMs < STALLED_MS, 'nothing was ordered for 30 s'),
    quorum: unless(net.hasQuorum(), 'it is connected to fewer seats than a quorum'),
    clock: clock.fault ?? unless(clock.isUsable, 'no quorum of seats has confirmed its time yet'),
    disk: unless(disk.hasRoom, `the disk has less than ${MIN_FREE_BYTES / 2 ** 20} MiB left`),
  });
  const readiness = new ReadinessLog(log);
  const trend = openTrend(options, state, metrics, () => readiness.look(conditions()), failure);
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
      trials,
      orders,
      stream,
      metrics,
      verifier,
      disk,
      history,
      trend,
      hidden,
    },
    conditions,
    onFailure: (error) => failure.fail(error),
  });
  return { state, feed, webhooks, net, sequencer, api, metrics, history, trend, clock };
}

/** What the node does for its validator by itself (SERVICE_AUTOVALIDATOR, SERVICE_JUDGE). */
export function buildOwnValidator(
  { config, identity, operator, genesis, log, world }: NodeOptions,
  { state, sequencer, clock, metrics }: Pick<Parts, 'state' | 'sequencer' | 'clock' | 'metrics'>,
): OwnValidator {
  const { store, ids, pending, cases, seat } = state;
  const { chainId, params } = genesis;
  const { randomBytes } = world;
  return new OwnValidator({
    ...{ store, ids, pending, cases, seat, chainId, clock, randomBytes, log },
    key: operator ?? identity,
    rateBp: params.canary_rate_bp,
    judge: config.judge === undefined ? undefined : outsideJudge(config.judge, world),
    judgeSecs: config.judgeSecs,
    submit: (submission) => sequencer.submit(submission),
    onAnswer: (result) => metrics.judged(result),
  });
}
