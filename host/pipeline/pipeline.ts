// Takes verified writes in, has them ordered and executed under load, and answers each writer.
// Keeps: a write is answered once, after it was executed in the order and is on disk here; queues are bounded and
// full means 503 at once; one agent holds at most a tenth of the queue (PITFALLS P6).
// One group = what is offered, the vertices that are made for it, the blocks that become final with them, one write.
// It is done before the next one starts, so reads between two groups see one state.

import * as abi from '../../assembly/abi.ts';
import type { TxOutcome } from '../core/outcomes.ts';
import { ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { EntryInput } from './block.ts';
import { Causes } from './causes.ts';
import { isQuorumAlone } from './epoch.ts';
import type { Executed, Executor } from './executor.ts';
import { type Flight, Flights, type Settled, type Submission, type Waiter } from './flights.ts';
import type { Identities } from './identity.ts';
import type { Ordering } from './ordering.ts';
import { vertexful } from './packed.ts';
import { refusalFor } from './refusal.ts';

/** Longest wait for the order, in ms (DECISIONS 1.8). */
const ORDER_TIMEOUT_MS = 10_000;

export type { Settled, Submission } from './flights.ts';

export interface PipelineOptions {
  executor: Executor;
  ordering: Ordering;
  ids: Identities;
  clock: { nowMs(): number; monotonicMs(): number; setTimer(run: () => void, ms: number): () => void };
  log: Logger;
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
  /** The last group ended at the bound of what is made in one go. */
  #hasMore = false;
  #epoch: number;
  #busy: Promise<void> | undefined;

  constructor(private readonly o: PipelineOptions) {
    this.#causes = new Causes(o.clock, o.ids.state, o.ordering);
    this.#epoch = o.ordering.epoch.number;
  }

  /**
   * Starts ordering: the first vertices fire what came due while the node was down. Errors: EpochRefused when the
   * order has come to its end.
   */
  async open(): Promise<void> {
    const { halt } = this.o.ordering;
    if (halt) throw halt;
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
   * Checks 8 to 11 of DECISIONS 1.6 against the present state, then waits for the order. Resolves with the outcome
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
   * Checks 8 to 11 of DECISIONS 1.6 for a command against the present state. Errors: `not_ready`, `overloaded`, the
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
    if (this.#state !== 'open') throw new ServiceError('not_ready', { headers: { 'Retry-After': '5' } });
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
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    try {
      while ((this.#queue.length > 0 || this.#hasMore) && this.#state !== 'failed') {
        await this.#group(this.#take());
        // Let sockets be read between groups: what they bring forms the next one.
        await new Promise((next) => setImmediate(next));
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#running = false;
      this.#drained?.();
    }
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
    const { ordering, executor } = this.o;
    ordering.offer(flights);
    this.#hasMore = ordering.advance({ nowMs: this.o.clock.nowMs(), causes: () => this.#causes.list() });
    const group = await executor.commit();
    if (group && group.blocks > 0) {
      this.#causes.blockDone();
      this.o.onExecuted(group);
    }
    for (const { packed, outcome, timeSecs } of ordering.takeDone()) {
      const flight = this.#flights.end(packed);
      if (flight) this.#answer(flight, outcome, timeSecs);
    }
    if (ordering.halt) throw ordering.halt;
    this.#noteEpoch();
    this.#scheduleTick();
  }

  #noteEpoch(): void {
    const { epoch, seat } = this.o.ordering;
    if (epoch.number === this.#epoch) return;
    this.#epoch = epoch.number;
    this.o.log.debug({ epoch: epoch.number, block: epoch.firstBlock }, 'epoch');
    if (!isQuorumAlone(epoch, seat)) {
      this.o.log.warn(
        { epoch: epoch.number },
        'this seat is no quorum alone: nothing becomes final here without others',
      );
    }
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
    this.#cancelTick = this.o.clock.setTimer(() => this.#tick(), this.#causes.waitMs());
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
        if (this.#queue.length > 0 || this.#hasMore) this.#kick();
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
