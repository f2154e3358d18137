// What waits for consensus time or for a seal, whether or not anybody writes (consensus 5.13 d), and when to look again.
// Keeps: only local clocks and the state are read; the emission policy lets each cause pass once a second.

import type { State } from '../core/state.ts';
import type { Ordering } from './ordering.ts';

/** An idle network orders an empty vertex this often, so that timers are at most 5 s late (protocol 1.4). */
const IDLE_MS = 4000;
/** Seats take it in turns to break the silence: what the first one makes is final before the next one would begin. */
const TURNS = 4;
const TURN_MS = 250;
/** Something that is due already is looked at again after this: the interval of the policy. */
const RECHECK_MS = 1000;
const MIN_WAIT_MS = 5;

export interface CauseClock {
  nowMs(): number;
  monotonicMs(): number;
}

export class Causes {
  /** When a block was last executed, by the clock that is never set; undefined before the first since the start. */
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
  blockDone(): void {
    this.#lastBlockMs = this.clock.monotonicMs();
    this.#lastBlock = this.ordering.head.block;
  }

  /** Names of what waits now. */
  list(): string[] {
    const due: string[] = [];
    const nowMs = this.clock.nowMs();
    const { nextDeadline } = this.state.header();
    if (nextDeadline !== 0 && nextDeadline * 1000 <= nowMs) due.push('deadline');
    // The first block of an epoch repeats the time before it, there is none before the launch, and after a silence the
    // first block's time is that of the last one: it is late only when the next one has not come either.
    if (this.ordering.head.timeMs <= nowMs - 2 * this.#patienceMs) due.push('late');
    if (this.ordering.isChangeWaiting) due.push('change');
    this.#isAnyDue = due.length > 0;
    // Apart from time that is late: a clock that was set back must not silence the node.
    const isIdle = this.#idleMs() === 0 && this.ordering.head.block === this.#lastBlock;
    return isIdle ? ['idle', ...due] : due;
  }

  /** Milliseconds until the policy is to be asked again though nothing has come in. */
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
