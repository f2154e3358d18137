// Shares the event loop among those who ask (protocol 8.3): requests run at once while there is little to do. Beyond a few
// milliseconds in one turn of the loop they wait for the next ones, and whoever has used least lately comes first.
// Keeps: between two turns sockets are read and batches go on, so a flood delays others by a turn, not by its length. What
// waits is bounded; where it is full, the one who used most gives way.

import type { Clock } from '../world/clock.ts';
import type { Charge, Recent } from './cost-budget.ts';

/** Work of one turn, in ms. */
const TURN_MS = 3;
const MAX_WAITING = 2_048;
/** When a request that found no room among those that wait for their turn is worth another try. */
export const TURN_RETRY_MS = 1000;

export interface Job {
  charge: Charge;
  /** Returns when it ended, on the clock of these turns. */
  run(startMs: number): number;
  /** Called instead of `run` when there is no room. */
  refuse(): void;
}

interface FairTurnsOptions {
  clock: Pick<Clock, 'monotonicMs' | 'soon'>;
  /** While it is set, nothing runs. */
  pause(): Promise<void> | undefined;
  /** Of one address. */
  maxWaiting: number;
  /** false: what waits is bounded by the connections alone (SERVICE_RATE_LIMITS=off). */
  isBounded: boolean;
}

export class FairTurns {
  /** By address, in the order of arrival. No list is empty. */
  readonly #waiting = new Map<string, Job[]>();
  #count = 0;
  #spentMs = 0;
  #isScheduled = false;

  constructor(private readonly o: FairTurnsOptions) {}

  get size(): number {
    return this.#count;
  }

  /**
   * Runs a job now or in a later turn; `refuse` is called instead, now or later, when too much waits. `nowMs`: for who has just
   * looked at the clock.
   */
  take(job: Job, nowMs = this.o.clock.monotonicMs()): void {
    const pause = this.o.pause();
    if (!pause && this.#count === 0 && this.#spentMs < TURN_MS) {
      this.#run(job, nowMs);
      return;
    }
    const { address } = job.charge;
    const own = this.#waiting.get(address) ?? [];
    if (this.o.isBounded && own.length >= this.o.maxWaiting) {
      job.refuse();
      return;
    }
    own.push(job);
    this.#waiting.set(address, own);
    this.#count += 1;
    if (this.o.isBounded && this.#count > MAX_WAITING) this.#remove(this.#extreme(1), 'last').refuse();
    this.#schedule(pause);
  }

  /** Returns when it ended. */
  #run(job: Job, startMs: number): number {
    const endMs = job.run(startMs);
    this.#spentMs += endMs - startMs;
    if (this.#spentMs >= TURN_MS) this.#schedule();
    return endMs;
  }

  #schedule(pause?: Promise<void>): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    if (pause) void pause.then(() => this.#turn());
    else this.o.clock.soon(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    this.#spentMs = 0;
    let nowMs = this.o.clock.monotonicMs();
    while (this.#count > 0) {
      const pause = this.o.pause();
      if (pause || this.#spentMs >= TURN_MS) {
        this.#schedule(pause);
        return;
      }
      nowMs = this.#run(this.#remove(this.#extreme(-1), 'first'), nowMs);
    }
  }

  /** The address that had most lately (1) or least (-1), first by network, then by itself; of equals the first to come. */
  #extreme(sign: 1 | -1): string {
    let found: { address: string; had: Recent } | undefined;
    for (const [address, [job]] of this.#waiting) {
      const had = job!.charge.recent;
      const byNetwork = found ? sign * (had.network - found.had.network) : 1;
      const byAddress = found ? sign * (had.address - found.had.address) : 1;
      if (byNetwork > 0 || (byNetwork === 0 && byAddress > 0)) found = { address, had };
    }
    return found!.address;
  }

  #remove(address: string, which: 'first' | 'last'): Job {
    const own = this.#waiting.get(address)!;
    const job = which === 'first' ? own.shift()! : own.pop()!;
    if (own.length === 0) this.#waiting.delete(address);
    this.#count -= 1;
    return job;
  }
}
