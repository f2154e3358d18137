// Takes verified writes in, has them ordered and executed under load, and answers each writer.
// Keeps: a write is answered once, after it was executed in the order and is on disk here; queues are bounded and
// full means 503 at once; one agent holds at most a tenth of the queue (pitfall P6).
// One group = what is offered, the vertices that are made for it, the blocks that become final with them, one write.
// It is done before the next one starts, so reads between two groups see one state.

import * as abi from '../../assembly/abi.ts';
import type { TxOutcome } from '../core/outcomes.ts';
import { ServiceError } from '../errors.ts';
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
import { type Flight, Flights, type Settled, type Submission, type Waiter } from './flights.ts';
import { refusalFor } from './refusal.ts';

/** Longest wait for the order, in ms (protocol 1.8). */
const ORDER_TIMEOUT_MS = 10_000;
/** Vertices of others in one group. */
const MAX_ADMITTED_PER_BATCH = 512;

export type { Settled, Submission } from './flights.ts';

/** The seat's consensus key was rotated: from this epoch on it signs with another key than this node's. */
export class KeyRotated extends Error {
  override name = 'KeyRotated';

  constructor(epoch: Epoch, seat: number) {
    const key = toHex(epoch.seats[seat]!.key);
    super(`from epoch ${epoch.number} on this seat signs with the key ${key}: start the node with that key`);
  }
}

export interface SequencerOptions {
  executor: Executor;
  ordering: Ordering;
  ids: Identities;
  clock: Clock;
  log: Logger;
  /** Vertices of others. */
  source: VertexSource;
  gate: Gate;
  /** Is the node too far behind for its answers to mean anything. */
  isBehind(): boolean;
  /** Most transactions waiting for a vertex. */
  maxQueued: number;
  /** Called after each group is durable, in order. */
  onExecuted(group: Executed): void;
  /** Called with the time a transaction waited from queue to durable, in ms. */
  onLatency(ms: number): void;
  onNoQuorum(): void;
  /** Called once when the node can't go on. */
  onFailure(error: unknown): void;
}

export class Sequencer {
  readonly #flights = new Flights();
  #queue: Flight[] = [];
  #running = false;
  #state: 'starting' | 'open' | 'closing' | 'failed' = 'starting';
  #drained: (() => void) | undefined;
  #cancelTimer: () => void = () => {};
  readonly #causes: Causes;
  readonly #forks: ForkWatch;
  /** The last group ended at the bound of what is made in one go. */
  #hasMore = false;
  #epoch: number;
  #busy: Promise<void> | undefined;

  constructor(private readonly options: SequencerOptions) {
    this.#causes = new Causes(options.clock, options.ids.state, options.ordering);
    this.#forks = new ForkWatch(options.ordering, options.executor, options.ids.state);
    this.#epoch = options.ordering.epoch.number;
  }

  /**
   * Starts ordering: the first vertices fire what came due while the node was down. Errors: EpochRefused when the
   * order has come to its end.
   */
  async open(): Promise<void> {
    const { halt } = this.options.ordering;
    if (halt) throw halt;
    this.options.gate.recheck();
    this.#state = 'open';
    await this.#runBatch([]);
    this.#scheduleTimer();
  }

  /** Last executed order. */
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
   * Checks 8 to 11 of protocol 1.6 against the present state, then waits for the order. Resolves with the outcome
   * of a successful execution. Errors: the refusals of the operation, DUPLICATE_TX, not_ready, overloaded, no_quorum.
   */
  submit(s: Submission): Promise<Settled> {
    this.#expectOpen();
    const flying = this.#flights.repeatedBy(s);
    if (flying) {
      // While its first request waits it is a duplicate; after that one gave up (503), this one takes its place.
      if (flying.waiters.length > 0) {
        throw new ServiceError('DUPLICATE_TX', { details: { executed: false } });
      }
      return this.#wait(flying);
    }
    this.admit(s);
    const flight = this.#flights.start(s, this.options.clock.monotonicMs());
    this.#queue.push(flight);
    const promise = this.#wait(flight);
    this.#scheduleDrain();
    return promise;
  }

  /**
   * Checks 8 to 11 of protocol 1.6 for a command against the present state. Errors: `not_ready`, `overloaded`, the
   * refusals of the operation, DUPLICATE_TX of an executed transaction.
   */
  admit(s: Pick<Submission, 'input' | 'owner'>): void {
    this.#expectOpen();
    const full = this.#queue.length >= this.options.maxQueued;
    if (full || this.#flights.countOf(s.owner) >= this.options.maxQueued / 10) {
      throw new ServiceError('overloaded', { headers: { 'Retry-After': '1' } });
    }
    const now = Math.floor(this.options.clock.nowMs() / 1000);
    const { code, details } = this.options.ids.state.core.check(s.input.command, now);
    if (code !== abi.OK) throw this.#refusal(s.input, code, details.map(Number));
  }

  #expectOpen(): void {
    const { gate, ordering } = this.options;
    const headers = { 'Retry-After': '5' };
    if (this.#state !== 'open' || this.options.isBehind()) throw new ServiceError('not_ready', { headers });
    const reason =
      ordering.seat === OBSERVER ? 'this node is an observer: writes go to a validator' : gate.closedReason;
    if (reason !== undefined) throw new ServiceError('not_ready', { text: reason, headers });
  }

  #refusal(input: EntryInput, code: number, details: number[]): ServiceError {
    return refusalFor(this.options.executor.store, this.options.ids, input, code, details);
  }

  #wait(flight: Flight): Promise<Settled> {
    return new Promise((resolve, reject) => {
      const cancelTimer = this.options.clock.setTimer(() => {
        flight.waiters = flight.waiters.filter((w) => w !== waiter);
        this.options.onNoQuorum();
        reject(new ServiceError('no_quorum', { headers: { 'Retry-After': '2' } }));
      }, ORDER_TIMEOUT_MS);
      const waiter: Waiter = { resolve, reject, cancelTimer };
      flight.waiters.push(waiter);
    });
  }

  #scheduleDrain(): void {
    if (this.#running) return;
    this.#running = true;
    // From a fresh turn of the loop, so that everything that has arrived by then shares the vertex.
    this.options.clock.soon(() => void this.#drainQueue());
  }

  async #drainQueue(): Promise<void> {
    try {
      while (this.#hasWork && this.#state !== 'failed') {
        await this.#runBatch(this.#takeFlights());
        // Let sockets be read between groups: what they bring forms the next one.
        await new Promise<void>((next) => this.options.clock.soon(next));
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#running = false;
      this.#drained?.();
    }
  }

  /** The gate has opened: what waits behind it may go out. */
  gateOpened(): void {
    this.#hasMore = true;
    this.wake();
  }

  get #hasWork(): boolean {
    return this.#queue.length > 0 || this.#hasMore || this.options.source.hasReady;
  }

  /** Vertices of others can be taken. */
  wake(): void {
    if (this.#state === 'open') this.#scheduleDrain();
  }

  #takeFlights(): Flight[] {
    return this.#queue.splice(0, countThatFits(this.#queue));
  }

  /** Set from the moment the core moves until the group is on disk and indexed: reads wait for it. */
  get busy(): Promise<void> | undefined {
    return this.#busy;
  }

  async #runBatch(flights: Flight[]): Promise<void> {
    const group = this.#executeBatch(flights);
    this.#busy = group.catch(() => {});
    try {
      await group;
    } finally {
      this.#busy = undefined;
    }
  }

  async #executeBatch(flights: Flight[]): Promise<void> {
    const { ordering, executor, source, gate } = this.options;
    if (this.#admitPeers()) await gate.onUnknownOwnVertex();
    this.#forks.offerProofs();
    ordering.offer(flights);
    this.#hasMore =
      gate.isOpen &&
      ordering.advance({ nowMs: this.options.clock.nowMs(), causes: () => this.#causes.list() });
    const group = await executor.commit();
    if (group && group.blocks > 0) {
      this.#causes.blockDone();
      this.options.onExecuted(group);
    }
    // Only what is on disk leaves the node (consensus 5.12).
    if (group) source.onCommitted(group.vertices, group.checkpoints);
    if (ordering.resumeAfterSeal()) this.#hasMore = true;
    for (const { packed, outcome, timeSecs } of ordering.takeDone()) {
      const flight = this.#flights.end(packed);
      if (flight) this.#answer(flight, outcome, timeSecs);
    }
    if (ordering.halt) throw ordering.halt;
    this.#noteEpoch();
    gate.recheck();
    this.#scheduleTimer();
  }

  /**
   * Takes what others sent: the vertices go into the DAG, and what becomes final with them is executed. True when one of
   * them is of this seat.
   */
  #admitPeers(): boolean {
    const { ordering, source } = this.options;
    const ready = source.takeReady(MAX_ADMITTED_PER_BATCH);
    if (ready.length === 0) return false;
    let isOwn = false;
    for (const vertex of ready) {
      const result = ordering.admit(vertex.vertex, vertex.bytes, { proofs: (place) => vertex.proofs[place] });
      if (result === 'full') throw new Error('the event DAG of this epoch is full');
      if (result === 'invalid') source.reportInvalid(vertex);
      isOwn ||= result === 'inserted' && vertex.vertex.header.creator === ordering.seat;
    }
    source.markAdmitted(ready.map(({ vertex }) => vertex.id));
    ordering.drain();
    return isOwn;
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
      waiter.cancelTimer();
      if (outcome.code === abi.OK) waiter.resolve({ outcome, timeSecs });
      else waiter.reject(this.#refusal(input, outcome.code, outcome.words));
    }
  }

  /** The next empty vertex: when a deadline is due, and every few seconds on an idle node. */
  #scheduleTimer(): void {
    this.#cancelTimer();
    if (this.#state !== 'open') return;
    const { gate, ordering } = this.options;
    const dueMs = gate.isOpen ? ordering.payloadDueMs(this.options.clock.nowMs()) : Number.POSITIVE_INFINITY;
    this.#cancelTimer = this.options.clock.setTimer(
      () => this.#onTimer(),
      Math.min(dueMs, this.#causes.waitMs()),
    );
  }

  #onTimer(): void {
    if (this.#state !== 'open') return;
    if (this.#running) {
      this.#scheduleTimer();
      return;
    }
    this.#running = true;
    void this.#runBatch([])
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#running = false;
        if (this.#hasWork) this.#scheduleDrain();
        this.#drained?.();
      });
  }

  #fail(error: unknown): void {
    if (this.#state === 'failed') return;
    this.#state = 'failed';
    this.#cancelTimer();
    const headers = { 'Retry-After': '5' };
    const refused = new ServiceError('not_ready', { text: 'the node is stopping', headers });
    this.#flights.failAll(refused);
    this.options.onFailure(error);
  }

  /** Takes no more writes, executes what is queued, resolves when nothing is under way. */
  async close(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closing';
    this.#cancelTimer();
    if (this.#queue.length > 0) this.#scheduleDrain();
    while (this.#running) await new Promise<void>((done) => (this.#drained = done));
  }
}
