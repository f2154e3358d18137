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
import { vertexful } from '../ordering/packed.ts';
import type { Gate } from '../ordering/vertex-gate.ts';
import type { VertexSource } from '../ordering/vertex-source.ts';
import { toHex } from '../wire/bytes.ts';
import type { Clock } from '../world/clock.ts';
import { type Flight, Flights, type Settled, type Submission, type Waiter } from './flights.ts';
import { refusalFor } from './refusal.ts';

/** Longest wait for the order, in ms (protocol 1.8). */
const ORDER_TIMEOUT_MS = 10_000;
/** Vertices of others in one group. */
const MOST_ADMITTED = 512;

export type { Settled, Submission } from './flights.ts';

/** The seat's consensus key was rotated: from this epoch on it signs with another key than this node's. */
export class KeyRotated extends Error {
  override name = 'KeyRotated';

  constructor(epoch: Epoch, seat: number) {
    const key = toHex(epoch.seats[seat]!.key);
    super(`from epoch ${epoch.number} on this seat signs with the key ${key}: start the node with that key`);
  }
}

export interface PipelineOptions {
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
  queueMost: number;
  /** Called after each group is durable, in order. */
  onExecuted(group: Executed): void;
  /** Called with the time a transaction waited from queue to durable, in ms. */
  onLatency(ms: number): void;
  onNoQuorum(): void;
  /** Called once when the node can't go on. */
  onFailure(error: unknown): void;
}

export class Pipeline {
  readonly #flights = new Flights();
  #queue: Flight[] = [];
  #running = false;
  #state: 'starting' | 'open' | 'closing' | 'failed' = 'starting';
  #drained: (() => void) | undefined;
  #cancelTick: () => void = () => {};
  readonly #causes: Causes;
  readonly #forks: ForkWatch;
  /** The last group ended at the bound of what is made in one go. */
  #hasMore = false;
  #epoch: number;
  #busy: Promise<void> | undefined;

  constructor(private readonly o: PipelineOptions) {
    this.#causes = new Causes(o.clock, o.ids.state, o.ordering);
    this.#forks = new ForkWatch(o.ordering, o.executor, o.ids.state);
    this.#epoch = o.ordering.epoch.number;
  }

  /**
   * Starts ordering: the first vertices fire what came due while the node was down. Errors: EpochRefused when the
   * order has come to its end.
   */
  async open(): Promise<void> {
    const { halt } = this.o.ordering;
    if (halt) throw halt;
    this.o.gate.look();
    this.#state = 'open';
    await this.#group([]);
    this.#scheduleTick();
  }

  /** Last executed order. */
  get order(): number {
    return this.o.executor.head.order;
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
    const flight = this.#flights.start(s, this.o.clock.monotonicMs());
    this.#queue.push(flight);
    const promise = this.#wait(flight);
    this.#kick();
    return promise;
  }

  /**
   * Checks 8 to 11 of protocol 1.6 for a command against the present state. Errors: `not_ready`, `overloaded`, the
   * refusals of the operation, DUPLICATE_TX of an executed transaction.
   */
  admit(s: Pick<Submission, 'input' | 'owner'>): void {
    this.#expectOpen();
    const full = this.#queue.length >= this.o.queueMost;
    if (full || this.#flights.heldBy(s.owner) >= this.o.queueMost / 10) {
      throw new ServiceError('overloaded', { headers: { 'Retry-After': '1' } });
    }
    const now = Math.floor(this.o.clock.nowMs() / 1000);
    const { code, details } = this.o.ids.state.core.check(s.input.command, now);
    if (code !== abi.OK) throw this.#refusal(s.input, code, details.map(Number));
  }

  #expectOpen(): void {
    const { gate, ordering } = this.o;
    const headers = { 'Retry-After': '5' };
    if (this.#state !== 'open' || this.o.isBehind()) throw new ServiceError('not_ready', { headers });
    const reason =
      ordering.seat === OBSERVER ? 'this node is an observer: writes go to a validator' : gate.held;
    if (reason !== undefined) throw new ServiceError('not_ready', { text: reason, headers });
  }

  #refusal(input: EntryInput, code: number, details: number[]): ServiceError {
    return refusalFor(this.o.executor.store, this.o.ids, input, code, details);
  }

  #wait(flight: Flight): Promise<Settled> {
    return new Promise((resolve, reject) => {
      const cancelTimer = this.o.clock.setTimer(() => {
        flight.waiters = flight.waiters.filter((w) => w !== waiter);
        this.o.onNoQuorum();
        reject(new ServiceError('no_quorum', { headers: { 'Retry-After': '2' } }));
      }, ORDER_TIMEOUT_MS);
      const waiter: Waiter = { resolve, reject, cancelTimer };
      flight.waiters.push(waiter);
    });
  }

  #kick(): void {
    if (this.#running) return;
    this.#running = true;
    // From a fresh turn of the loop, so that everything that has arrived by then shares the vertex.
    this.o.clock.soon(() => void this.#run());
  }

  async #run(): Promise<void> {
    try {
      while (this.#hasWork && this.#state !== 'failed') {
        await this.#group(this.#take());
        // Let sockets be read between groups: what they bring forms the next one.
        await new Promise<void>((next) => this.o.clock.soon(next));
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
    return this.#queue.length > 0 || this.#hasMore || this.o.source.hasReady;
  }

  /** Vertices of others can be taken. */
  wake(): void {
    if (this.#state === 'open') this.#kick();
  }

  #take(): Flight[] {
    return this.#queue.splice(0, vertexful(this.#queue));
  }

  /** Set from the moment the core moves until the group is on disk and indexed: reads wait for it. */
  get busy(): Promise<void> | undefined {
    return this.#busy;
  }

  async #group(flights: Flight[]): Promise<void> {
    const group = this.#executeGroup(flights);
    this.#busy = group.catch(() => {});
    try {
      await group;
    } finally {
      this.#busy = undefined;
    }
  }

  async #executeGroup(flights: Flight[]): Promise<void> {
    const { ordering, executor, source, gate } = this.o;
    if (this.#admitPeers()) await gate.foreign();
    this.#forks.look();
    ordering.offer(flights);
    this.#hasMore =
      gate.isOpen && ordering.advance({ nowMs: this.o.clock.nowMs(), causes: () => this.#causes.list() });
    const group = await executor.commit();
    if (group && group.blocks > 0) {
      this.#causes.blockDone();
      this.o.onExecuted(group);
    }
    // Only what is on disk leaves the node (consensus 5.12).
    if (group) source.committed(group.vertices, group.checkpoints);
    if (ordering.goOn()) this.#hasMore = true;
    for (const { packed, outcome, timeSecs } of ordering.takeDone()) {
      const flight = this.#flights.end(packed);
      if (flight) this.#answer(flight, outcome, timeSecs);
    }
    if (ordering.halt) throw ordering.halt;
    this.#noteEpoch();
    gate.look();
    this.#scheduleTick();
  }

  /**
   * Takes what others sent: the vertices go into the DAG, and what becomes final with them is executed. True when one of
   * them is of this seat.
   */
  #admitPeers(): boolean {
    const { ordering, source } = this.o;
    const ready = source.take(MOST_ADMITTED);
    if (ready.length === 0) return false;
    let isOwn = false;
    for (const vertex of ready) {
      const result = ordering.admit(vertex.vertex, vertex.bytes, { proofs: (place) => vertex.proofs[place] });
      if (result === 'full') throw new Error('the event DAG of this epoch is full');
      if (result === 'invalid') source.refused(vertex);
      isOwn ||= result === 'inserted' && vertex.vertex.header.creator === ordering.seat;
    }
    source.admitted(ready.map(({ vertex }) => vertex.id));
    ordering.drain();
    return isOwn;
  }

  #noteEpoch(): void {
    const { epoch, seat } = this.o.ordering;
    if (epoch.number === this.#epoch) return;
    this.#epoch = epoch.number;
    this.o.log.debug({ epoch: epoch.number, block: epoch.firstBlock }, 'epoch');
    if (seat === OBSERVER) return;
    if (!this.o.ordering.hasOwnKey) throw new KeyRotated(epoch, seat);
  }

  #answer(flight: Flight, outcome: TxOutcome, timeSecs: number): void {
    const { input } = flight.submission;
    this.o.onLatency(this.o.clock.monotonicMs() - flight.enqueuedMs);
    for (const waiter of flight.waiters) {
      waiter.cancelTimer();
      if (outcome.code === abi.OK) waiter.resolve({ outcome, timeSecs });
      else waiter.reject(this.#refusal(input, outcome.code, outcome.words));
    }
  }

  /** The next empty vertex: when a deadline is due, and every few seconds on an idle node. */
  #scheduleTick(): void {
    this.#cancelTick();
    if (this.#state !== 'open') return;
    const { gate, ordering } = this.o;
    const dueMs = gate.isOpen ? ordering.payloadDueMs(this.o.clock.nowMs()) : Number.POSITIVE_INFINITY;
    this.#cancelTick = this.o.clock.setTimer(() => this.#tick(), Math.min(dueMs, this.#causes.waitMs()));
  }

  #tick(): void {
    if (this.#state !== 'open') return;
    if (this.#running) {
      this.#scheduleTick();
      return;
    }
    this.#running = true;
    void this.#group([])
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#running = false;
        if (this.#hasWork) this.#kick();
        this.#drained?.();
      });
  }

  #fail(error: unknown): void {
    if (this.#state === 'failed') return;
    this.#state = 'failed';
    this.#cancelTick();
    const headers = { 'Retry-After': '5' };
    const refused = new ServiceError('not_ready', { text: 'the node is stopping', headers });
    this.#flights.failAll(refused);
    this.o.onFailure(error);
  }

  /** Takes no more writes, executes what is queued, resolves when nothing is under way. */
  async close(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closing';
    this.#cancelTick();
    if (this.#queue.length > 0) this.#kick();
    while (this.#running) await new Promise<void>((done) => (this.#drained = done));
  }
}
