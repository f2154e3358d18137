// Takes verified writes in, has them ordered and executed, and answers each writer.
// Keeps: a write is answered once, after it was executed in the total order and is on disk here; queues are bounded, and a
// full queue means 503 at once; one agent fills at most a tenth of the queue (pitfall P6).
// One batch = the queued writes, the vertices made for them, the blocks that become final with them, one atomic write.
// A batch ends before the next one starts, so reads between two batches see one state.
//
//   submit -> queue -> #scheduleDrain -> #drainQueue: a batch for each vertex full of writes, until nothing is left
//   timer  -> #onTimer: a batch without writes, for deadlines and on an idle network

import * as abi from '../../assembly/abi.ts';
import { withMoreKib } from '../core/commands.ts';
import type { TxOutcome } from '../core/outcomes.ts';
import { notReady, observerRefusal, overloaded, ServiceError } from '../errors.ts';
import type { Executed, Executor } from '../execution/executor.ts';
import type { Identities } from '../execution/identity.ts';
import type { Logger } from '../log.ts';
import type { EntryInput } from '../ordering/block.ts';
import { Causes } from '../ordering/causes.ts';
import type { Epoch } from '../ordering/epoch.ts';
import { ForkWatch } from '../ordering/fork-watch.ts';
import { OBSERVER, type Ordering } from '../ordering/ordering.ts';
import { countThatFits } from '../ordering/packed.ts';
import type { Gate } from '../ordering/vertex-gate.ts';
import type { VertexSource } from '../ordering/vertex-source.ts';
import { toHex } from '../wire/bytes.ts';
import type { Clock } from '../world/clock.ts';
import { EqualWaits } from './equal-waits.ts';
import { type Flight, Flights, type Settled, type Submission, type Waiter } from './flights.ts';
import { refusalFor } from './refusal.ts';

/** How long a write waits to be ordered, ms (protocol 1.8). */
const ORDER_TIMEOUT_MS = 10_000;
/** How long a node that stops waits for what it has taken to be ordered, ms. The process has 10 s in all (protocol 12.1). */
const LAST_WRITES_MS = 3000;
/** Vertices of other seats in one batch. */
const MAX_ADMITTED_PER_BATCH = 512;

export type { Settled, Submission } from './flights.ts';

/** The seat's consensus key was rotated: from this epoch on the seat signs with another key than this node has. */
export class KeyRotated extends Error {
  override name = 'KeyRotated';

  constructor(epoch: Epoch, seat: number) {
    const key = toHex(epoch.seats[seat]!.key);
    super(`from epoch ${epoch.number} on this seat signs with the key ${key}: start the node with that key`);
  }
}

const noQuorum = (text?: string): ServiceError =>
  new ServiceError('no_quorum', {
    headers: { 'Retry-After': '2' },
    ...(text === undefined ? {} : { text }),
  });

const STOPPING = 'the node is stopping';
const NEVER = new Promise<never>(() => {});

/** Consensus time lags far behind the clock of whoever made the request. Another copy of it may still run later. */
const isTooEarly = ({ code, words }: TxOutcome): boolean =>
  code === abi.TX_EXPIRED && words[0] === abi.WINDOW_AHEAD;

export interface SequencerOptions {
  executor: Executor;
  ordering: Ordering;
  ids: Identities;
  clock: Clock;
  log: Logger;
  /** Vertices of other seats. */
  source: VertexSource;
  gate: Gate;
  /** Is the node too far behind for its checks to mean anything. */
  isBehind(): boolean;
  /** Transactions that may wait for a vertex. */
  maxQueued: number;
  /** Called after each batch is on disk, in order, with what its writing took. */
  onExecuted(batch: Executed, commitMs: number): void;
  /** Called with the time from a transaction's arrival until it was on disk, in ms. */
  onLatency(ms: number): void;
  onNoQuorum(): void;
  /** Called once, when the node cannot continue. */
  onFailure(error: unknown): void;
}

export class Sequencer {
  readonly #flights = new Flights();
  readonly #waits: EqualWaits<Waiter>;
  #queue: Flight[] = [];
  /** Takes writes only while `open`, orders what it has taken while `closing`. */
  #state: 'starting' | 'open' | 'closing' | 'closed' | 'failed' = 'starting';
  /** `busy`: a batch runs, or is about to. */
  #activity: 'idle' | 'busy' = 'idle';
  /** Called when the activity ends. */
  #onIdle: (() => void) | undefined;
  #cancelTimer: () => void = () => {};
  readonly #causes: Causes;
  readonly #forks: ForkWatch;
  /** There is work beyond the queue: the last batch hit MAX_VERTICES_PER_BATCH or a seal, or the gate has opened. */
  #hasMore = false;
  #epoch: number;
  #batch: Promise<void> | undefined;

  constructor(private readonly options: SequencerOptions) {
    this.#waits = new EqualWaits(options.clock, ORDER_TIMEOUT_MS, (waiter) => this.#giveUp(waiter));
    this.#causes = new Causes(options.clock, options.ids.state, options.ordering);
    this.#forks = new ForkWatch(options.ordering, options.executor, options.ids.state);
    this.#epoch = options.ordering.epoch.number;
  }

  /**
   * Starts ordering: the first vertices fire the timers that came due while the node was down. Errors: EpochRefused when
   * no further epoch can open.
   */
  async open(): Promise<void> {
    const { halt } = this.options.ordering;
    if (halt) throw halt;
    this.options.gate.recheck();
    this.#state = 'open';
    await this.#runBatch([]);
    this.#scheduleTimer();
  }

  /** Order number of the last executed vertex. */
  get order(): number {
    return this.options.executor.head.order;
  }

  get depth(): number {
    return this.#queue.length;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /**
   * Checks 8 to 11 of protocol 1.6 against the present state, then waits until it is ordered. Resolves with the outcome
   * of a successful execution. `onAdmitted`: called once the checks have passed, before it is queued; what it throws refuses
   * the write. Errors: the refusals of the operation, DUPLICATE_TX, not_ready, overloaded, no_quorum.
   */
  submit(submission: Submission, onAdmitted?: () => void): Promise<Settled> {
    this.#expectOpen();
    const txId = toHex(submission.input.id);
    const flying = this.#flights.repeatedBy(submission, txId);
    if (flying) {
      // A duplicate while the first request still waits; once that one gave up (503), this one takes its place.
      if (flying.waiters.length > 0) {
        throw new ServiceError('DUPLICATE_TX', { details: { executed: false } });
      }
      return this.#wait(flying);
    }
    this.admit(submission);
    onAdmitted?.();
    const flight = this.#flights.start(submission, txId, this.options.clock.monotonicMs());
    this.#queue.push(flight);
    const promise = this.#wait(flight);
    this.#scheduleDrain();
    return promise;
  }

  /**
   * Checks 8 to 11 of protocol 1.6 for a command against the present state. Errors: `not_ready`, `overloaded`, the
   * refusals of the operation, DUPLICATE_TX of an executed transaction.
   */
  admit({ input, owner }: Pick<Submission, 'input' | 'owner'>): void {
    this.#expectOpen();
    const full = this.#queue.length >= this.options.maxQueued;
    const load = this.#flights.loadOf(owner);
    if (full || load.count >= this.options.maxQueued / 10) {
      throw overloaded();
    }
    const now = Math.floor(this.options.clock.nowMs() / 1000);
    // What the agent has in flight will have used its allowance of bytes before this one (protocol 6.18).
    const command = load.kib === 0 ? input.command : withMoreKib(input.command, load.kib);
    const { code, details } = this.options.ids.state.core.check(command, now);
    if (code !== abi.OK) throw this.#refusal(input, code, details.map(Number));
  }

  #expectOpen(): void {
    const { gate, ordering } = this.options;
    if (this.#state !== 'open' || this.options.isBehind()) throw notReady();
    if (ordering.seat === OBSERVER) throw observerRefusal();
    if (gate.closedReason !== undefined) throw notReady(gate.closedReason);
  }

  #refusal(input: EntryInput, code: number, details: number[]): ServiceError {
    return refusalFor(this.options.executor.store, this.options.ids, input, code, details);
  }

  #wait(flight: Flight): Promise<Settled> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { flight, resolve, reject };
      flight.waiters.push(waiter);
      this.#waits.begin(waiter);
    });
  }

  #giveUp(waiter: Waiter): void {
    const { flight } = waiter;
    flight.waiters = flight.waiters.filter((other) => other !== waiter);
    this.options.onNoQuorum();
    waiter.reject(noQuorum());
  }

  #scheduleDrain(): void {
    if (this.#activity === 'busy') return;
    this.#activity = 'busy';
    // In a fresh turn of the event loop, so that everything that has arrived by then shares the vertex.
    this.options.clock.soon(() => void this.#drainQueue());
  }

  async #drainQueue(): Promise<void> {
    try {
      while (this.#hasWork && this.#isRunning) {
        await this.#runBatch(this.#takeFlights());
        // Let sockets be read between batches: what they bring forms the next one.
        await new Promise<void>((next) => this.options.clock.soon(next));
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#activity = 'idle';
      this.#onIdle?.();
    }
  }

  /** The gate has opened: vertices may be made for what is queued. */
  gateOpened(): void {
    this.#hasMore = true;
    this.wake();
  }

  get #hasWork(): boolean {
    return this.#queue.length > 0 || this.#hasMore || this.options.source.hasReady;
  }

  get #isRunning(): boolean {
    return this.#state === 'open' || this.#state === 'closing';
  }

  /** Vertices of other seats are ready to be admitted. */
  wake(): void {
    if (this.#isRunning) this.#scheduleDrain();
  }

  #takeFlights(): Flight[] {
    return this.#queue.splice(0, countThatFits(this.#queue));
  }

  /** Set while a batch runs, from the first change of the core until it is on disk and indexed: reads wait for it. */
  get busy(): Promise<void> | undefined {
    return this.#batch;
  }

  // After one that failed no read is answered any more: the state is ahead of the disk.
  async #runBatch(flights: Flight[]): Promise<void> {
    const batch = this.#executeBatch(flights);
    this.#batch = batch.catch(() => NEVER);
    await batch;
    this.#batch = undefined;
  }

  async #executeBatch(flights: Flight[]): Promise<void> {
    const { ordering, executor, source, gate } = this.options;
    const unknown = await this.#admitPeers();
    if (unknown !== undefined) await gate.onUnknownOwnVertex(unknown);
    this.#forks.offerProofs();
    ordering.offer(flights);
    this.#hasMore =
      gate.isOpen &&
      (await ordering.advance({
        nowMs: this.options.clock.nowMs(),
        came: flights.length,
        causes: () => this.#causes.list(),
      }));
    const { signed } = executor;
    // Both are synced, at the same time; a vertex that only one of them has never left.
    const startedMs = this.options.clock.monotonicMs();
    const [batch] = await Promise.all([executor.commit(), signed && gate.onSigned(signed)]);
    if (batch && batch.blocks > 0) {
      this.#causes.onBlock();
      this.options.onExecuted(batch, this.options.clock.monotonicMs() - startedMs);
      source.onExecuted(ordering.takeUses());
    }
    // Only what is on disk leaves the node (consensus 5.12).
    if (batch) source.onCommitted(batch.vertices, batch.checkpoints);
    if (ordering.resumeAfterSeal()) this.#hasMore = true;
    for (const { packed, outcome, timeSecs } of ordering.takeDone(this.options.clock.nowMs())) {
      const flight = this.#flights.end(packed);
      if (flight) this.#answer(flight, outcome, timeSecs);
    }
    if (ordering.halt) throw ordering.halt;
    this.#noteEpoch();
    gate.recheck();
    this.#scheduleTimer();
  }

  /**
   * Admits vertices of peers into the DAG, and executes what becomes final with them. Returns the highest seq of those of
   * this seat, which the store did not have.
   */
  async #admitPeers(): Promise<number | undefined> {
    const { ordering, source } = this.options;
    const ready = source.takeReady(MAX_ADMITTED_PER_BATCH);
    if (ready.length === 0) return undefined;
    let own: number | undefined;
    for (const vertex of ready) {
      const result = ordering.admit(vertex.vertex, vertex.bytes, {
        proofAt: (index) => vertex.proofs[index],
      });
      if (result === 'full') throw new Error('the DAG of this epoch is full');
      if (result === 'invalid') source.reportInvalid(vertex);
      const { creator, seq } = vertex.vertex.header;
      if (result === 'inserted' && creator === ordering.seat) own = Math.max(seq, own ?? 0);
    }
    source.markAdmitted(ready.map(({ vertex }) => vertex.id));
    await ordering.drain();
    return own;
  }

  #noteEpoch(): void {
    const { epoch, seat } = this.options.ordering;
    if (epoch.number === this.#epoch) return;
    this.#epoch = epoch.number;
    this.options.log.debug({ epoch: epoch.number, block: epoch.firstBlock }, 'epoch');
    if (seat === OBSERVER) return;
    if (!this.options.ordering.hasOwnKey) throw new KeyRotated(epoch, seat);
  }

  #answer(flight: Flight, outcome: TxOutcome, timeSecs: number): void {
    const { input } = flight.submission;
    this.options.onLatency(this.options.clock.monotonicMs() - flight.enqueuedMs);
    for (const waiter of flight.waiters) {
      this.#waits.end(waiter);
      if (outcome.code === abi.OK) waiter.resolve({ outcome, timeSecs });
      else if (isTooEarly(outcome)) waiter.reject(noQuorum());
      else waiter.reject(this.#refusal(input, outcome.code, outcome.words));
    }
  }

  /** The next batch without writes: when a deadline is due, and every few seconds on an idle network. */
  #scheduleTimer(): void {
    this.#cancelTimer();
    if (!this.#isRunning) return;
    const { gate, ordering } = this.options;
    const dueMs = gate.isOpen ? ordering.emissionDueMs(this.options.clock.nowMs()) : Number.POSITIVE_INFINITY;
    this.#cancelTimer = this.options.clock.setTimer(
      () => this.#onTimer(),
      Math.min(dueMs, this.#causes.waitMs()),
    );
  }

  #onTimer(): void {
    if (!this.#isRunning) return;
    if (this.#activity === 'busy') {
      this.#scheduleTimer();
      return;
    }
    this.#activity = 'busy';
    void this.#runBatch([])
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#activity = 'idle';
        if (this.#hasWork) this.#scheduleDrain();
        this.#onIdle?.();
      });
  }

  #fail(error: unknown): void {
    if (this.#state === 'failed') return;
    this.#state = 'failed';
    this.#cancelTimer();
    this.#endWaits();
    this.options.onFailure(error);
  }

  /** Tells all who still wait: what was taken from the queue may be on disk, and in a vertex that others have. */
  #endWaits(): void {
    this.#waits.stop();
    const queued = new Set(this.#queue);
    this.#flights.failAll((flight) =>
      queued.has(flight) ? notReady(STOPPING) : noQuorum(`${STOPPING}: the write may have been carried out`),
    );
  }

  /** Takes no more writes, answers those that it took once they are ordered, or after a while; resolves when nothing runs any more. */
  async close(): Promise<void> {
    if (this.#state === 'open') {
      this.#state = 'closing';
      if (this.#queue.length > 0) this.#scheduleDrain();
      await this.#waits.over(LAST_WRITES_MS);
    }
    if (this.#state === 'closing') this.#state = 'closed';
    this.#cancelTimer();
    while (this.#activity === 'busy') await new Promise<void>((done) => (this.#onIdle = done));
    this.#endWaits();
  }
}
