// Why vertices are needed although nobody writes: deadlines, due runs of contracts, late consensus time, a waiting change of seats, an idle
// network, the return of a removed seat (consensus 5.13 d); and when to check again.
// Keeps: only local clocks and the state are read; the emission policy serves each cause once a second.

import type { State } from '../core/state.ts';
import { RETURN_CAUSE } from './emission.ts';
import type { Ordering } from './ordering.ts';

/** An idle network orders an empty vertex this often, so that timers are at most 5 s late (protocol 1.4). */
const IDLE_MS = 4000;
/** Seats break the silence one after the other: the vertex of the first is final before the next one would begin. */
const TURNS = 4;
const TURN_MS = 250;
/** A cause that is already due is checked again after this: the interval of the policy. */
const RECHECK_MS = 1000;
const MIN_WAIT_MS = 5;

export interface CauseClock {
  nowMs(): number;
  monotonicMs(): number;
}

export class Causes {
  /** When a block was last executed, by the monotonic clock; undefined before the first since the start. */
  #lastBlockMs: number | undefined;
  #lastBlock: number;
  #isAnyDue = false;
  readonly #patienceMs: number;

  constructor(
    private readonly clock: CauseClock,
    private readonly state: State,
    private readonly ordering: Ordering,
  ) {
    this.#lastBlock = ordering.head.block;
    this.#patienceMs = IDLE_MS + TURN_MS * (Math.max(0, ordering.seat) % TURNS);
  }

  /** A block was executed and is on disk. */
  onBlock(): void {
    this.#lastBlockMs = this.clock.monotonicMs();
    this.#lastBlock = this.ordering.head.block;
  }

  /** Names of the present causes. */
  list(): string[] {
    const due: string[] = [];
    const nowMs = this.clock.nowMs();
    const { nextDeadline, dueRuns } = this.state.header();
    if (dueRuns > 0) due.push('runs');
    if (nextDeadline !== 0 && nextDeadline * 1000 <= nowMs) due.push('deadline');
    // The first block of an epoch repeats the previous time, there is none before the launch, and the first block after a
    // silence has the time of the last one. So time is late only when the next block is missing, too.
    if (this.ordering.head.timeMs <= nowMs - 2 * this.#patienceMs) due.push('late');
    if (this.ordering.isChangeWaiting) due.push('change');
    if (this.#isReturnDue()) due.push(RETURN_CAUSE);
    this.#isAnyDue = due.length > 0;
    // Separate from `late`: a wall clock that was set back must not silence the node.
    const isIdle = this.#idleMs() === 0 && this.ordering.head.block === this.#lastBlock;
    return isIdle ? ['idle', ...due] : due;
  }

  /** Is this seat removed for silence, and made nothing in this epoch that could show that it is alive. */
  #isReturnDue(): boolean {
    const { dag, seat } = this.ordering;
    return dag.own === undefined && this.state.seats()[seat]?.isRemoved === true;
  }

  /** Milliseconds until the policy is to be asked again even if nothing arrives. */
  waitMs(): number {
    const { nextDeadline } = this.state.header();
    const deadline = nextDeadline === 0 ? Number.POSITIVE_INFINITY : nextDeadline * 1000 - this.clock.nowMs();
    const due = this.#isAnyDue || deadline <= 0 ? RECHECK_MS : deadline;
    return Math.max(MIN_WAIT_MS, Math.min(this.#idleMs(), due));
  }

  #idleMs(): number {
    if (this.#lastBlockMs === undefined) return 0;
    return Math.max(0, this.#lastBlockMs + this.#patienceMs - this.clock.monotonicMs());
  }
}
