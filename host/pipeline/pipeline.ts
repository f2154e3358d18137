// Takes verified writes in, forms vertices under load, executes them, and answers each writer.
// Keeps: a write is answered once, after it was executed in the order and is on disk here; queues are bounded and
// full means 503 at once; one agent holds at most a tenth of the queue (PITFALLS P6).
// A group is executed and written before the next one starts, so reads between two groups see one state.

import * as abi from '../../assembly/abi.ts';
import type { TxOutcome } from '../core/outcomes.ts';
import { refusalOf } from '../core/refusals.ts';
import { ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { EventDoc } from '../store/documents.ts';
import { keyOf, readU32, readU64 } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import { toHex } from '../wire/bytes.ts';
import { OPERATIONS } from '../wire/operations.ts';
import type { EntryInput } from './block.ts';
import type { Executed, Executor } from './executor.ts';
import type { Identities } from './identity.ts';
import type { SingleSeat } from './single-seat.ts';

/** Longest wait for the order, in ms (DECISIONS 1.8). */
const ORDER_TIMEOUT_MS = 10_000;
/** Transactions in one vertex: bounded so that a group stays in the low milliseconds. */
const VERTEX_ENTRIES = 2048;
/** An idle network orders an empty vertex this often, so that timers are at most 5 s late (DECISIONS 1.4). */
const IDLE_MS = 4000;

export interface Submission {
  input: EntryInput;
  /** The entry as it goes into the vertex. */
  bytes: Uint8Array;
  /** Acting agent as the queue counts it: index, or the hex key of a registrant. */
  owner: string;
}

export interface Settled {
  outcome: TxOutcome;
  timeSecs: number;
}

interface Waiter {
  resolve(result: Settled): void;
  reject(error: unknown): void;
  cancelTimer(): void;
}

interface Flight {
  submission: Submission;
  waiters: Waiter[];
  enqueuedMs: number;
}

export interface PipelineOptions {
  executor: Executor;
  seat: SingleSeat;
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
  /** Every transaction under way, and those of them that a repeat would duplicate, by TxID. */
  readonly #flights = new Set<Flight>();
  readonly #byTxId = new Map<string, Flight>();
  readonly #held = new Map<string, number>();
  #queue: Flight[] = [];
  #running = false;
  #state: 'starting' | 'open' | 'closing' | 'failed' = 'starting';
  #drained: (() => void) | undefined;
  #cancelTick: () => void = () => {};
  #lastBlockMs = 0;
  #busy: Promise<void> | undefined;

  constructor(private readonly o: PipelineOptions) {}

  /** Starts ordering: the first vertex fires what came due while the node was down. */
  async open(): Promise<void> {
    this.#state = 'open';
    this.#lastBlockMs = this.o.clock.monotonicMs();
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
    if (this.#state !== 'open') throw new ServiceError('not_ready', { headers: { 'Retry-After': '5' } });
    const txId = toHex(s.input.id);
    const register = s.input.parsed!.name === 'register';
    const flying = register ? undefined : this.#byTxId.get(txId);
    if (flying) {
      // While its first request waits it is a duplicate; after that one gave up (503), this one takes its place.
      if (flying.waiters.length > 0) {
        throw new ServiceError('DUPLICATE_TX', { details: { executed: false } });
      }
      return this.#wait(flying);
    }
    this.#admit(s);
    const flight: Flight = { submission: s, waiters: [], enqueuedMs: this.o.clock.monotonicMs() };
    this.#queue.push(flight);
    this.#flights.add(flight);
    if (!register) this.#byTxId.set(txId, flight);
    this.#held.set(s.owner, (this.#held.get(s.owner) ?? 0) + 1);
    const promise = this.#wait(flight);
    this.#kick();
    return promise;
  }

  #admit(s: Submission): void {
    const full = this.#queue.length >= this.o.queueMost;
    if (full || (this.#held.get(s.owner) ?? 0) >= this.o.queueMost / 10) {
      throw new ServiceError('overloaded', { headers: { 'Retry-After': '1' } });
    }
    const now = Math.floor(this.o.clock.nowMs() / 1000);
    const { code, details } = this.o.ids.state.core.check(s.input.command, now);
    if (code !== abi.OK) throw this.refusal(s.input, code, details.map(Number));
  }

  /** The error of a core code for this request, with what only the store knows. */
  refusal(input: EntryInput, code: number, details: number[]): ServiceError {
    if (code === abi.DUPLICATE_TX) return this.#duplicate(input);
    if (code === abi.NOT_PENDING && input.parsed?.name === 'verify') {
      const id = input.command.subarray(abi.COMMAND_FIELDS, abi.COMMAND_FIELDS + 32);
      if (!this.o.executor.store.get(keyOf('e', id))) return new ServiceError('event_not_found');
    }
    return refusalOf(code, details);
  }

  #duplicate(input: EntryInput): ServiceError {
    const { store } = this.o.executor;
    const event = readJson<EventDoc>(store.get(keyOf('e', input.id)));
    if (event) {
      const { status } = OPERATIONS[input.parsed!.name];
      return new ServiceError('DUPLICATE_TX', { details: { executed: true, status, order: event.order } });
    }
    const refused = store.get(keyOf('t', input.id));
    if (!refused) return new ServiceError('DUPLICATE_TX', { details: { executed: true } });
    const code = readU32(refused, 8);
    const { status } = this.refusal({ ...input, parsed: undefined }, code, []);
    return new ServiceError('DUPLICATE_TX', {
      details: { executed: true, status, order: readU64(refused, 0) },
    });
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
      while (this.#queue.length > 0 && this.#state !== 'failed') {
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
    let bytes = 0;
    let count = 0;
    const most = this.o.seat.payloadMost;
    while (count < this.#queue.length && count < VERTEX_ENTRIES) {
      bytes += 4 + this.#queue[count]!.submission.bytes.length;
      if (bytes > most && count > 0) break;
      count++;
    }
    const taken = this.#queue.slice(0, count);
    this.#queue = this.#queue.slice(count);
    return taken;
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
    const block = this.o.seat.makeBlock(
      flights.map((f) => f.submission),
      this.o.executor.head,
      this.o.clock.nowMs(),
    );
    const group = await this.o.executor.execute(block);
    this.#lastBlockMs = this.o.clock.monotonicMs();
    this.o.onExecuted(group);
    const byIndex = new Map(group.transactions.map((t) => [t.index, t]));
    for (const [i, flight] of flights.entries()) this.#answer(flight, byIndex.get(i)!, group.timeSecs);
    this.#scheduleTick();
  }

  #answer(flight: Flight, outcome: TxOutcome, timeSecs: number): void {
    const { submission } = flight;
    const txId = toHex(submission.input.id);
    this.#flights.delete(flight);
    if (this.#byTxId.get(txId) === flight) this.#byTxId.delete(txId);
    const held = this.#held.get(submission.owner)! - 1;
    if (held > 0) this.#held.set(submission.owner, held);
    else this.#held.delete(submission.owner);
    this.o.onLatency(this.o.clock.monotonicMs() - flight.enqueuedMs);
    for (const waiter of flight.waiters) {
      waiter.cancelTimer();
      if (outcome.code === abi.OK) waiter.resolve({ outcome, timeSecs });
      else waiter.reject(this.refusal(submission.input, outcome.code, outcome.words));
    }
  }

  /** The next empty vertex: when a deadline is due, and every few seconds on an idle node. */
  #scheduleTick(): void {
    this.#cancelTick();
    if (this.#state !== 'open') return;
    const now = this.o.clock.nowMs();
    const { nextDeadline } = this.o.ids.state.header();
    const idle = Math.max(0, this.#lastBlockMs + IDLE_MS - this.o.clock.monotonicMs());
    const due = nextDeadline === 0 ? idle : Math.min(idle, Math.max(0, nextDeadline * 1000 - now));
    this.#cancelTick = this.o.clock.setTimer(() => this.#tick(), Math.max(due, 5));
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
        if (this.#queue.length > 0) this.#kick();
        this.#drained?.();
      });
  }

  #fail(error: unknown): void {
    if (this.#state === 'failed') return;
    this.#state = 'failed';
    this.#cancelTick();
    const headers = { 'Retry-After': '5' };
    const refused = new ServiceError('not_ready', { text: 'the node is stopping', headers });
    for (const flight of this.#flights) {
      for (const waiter of flight.waiters) {
        waiter.cancelTimer();
        waiter.reject(refused);
      }
    }
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
