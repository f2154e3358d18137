// Whose vertices are held back here: those of seats that used up what they may sign of no use, or that have too much which is
// not ordered yet (consensus 5.12).
// Keeps: host policy only. Nobody is held back whom a quorum may need: not while the other seats that are connected are not a
// quorum, not while this node has orders to catch up with, and not for a while after it ordered nothing for too long.

import type { PayloadUse } from '../ordering/payload-use.ts';
import type { Clock } from '../world/clock.ts';
import { type Junk, JunkBudget } from './junk-budget.ts';
import type { Bound } from './sender-load.ts';

/** What a seat may have here that is not ordered: some seconds of full load. */
const MAX_UNORDERED: Bound = { count: 1024, bytes: 64 * 1024 * 1024 };
/** Without a block for so long although something waits to be ordered, somebody is missing. */
const STALL_MS = 3000;
/** The same when nothing is known to wait: an idle network makes a block every 5 s (consensus 5.13). */
const IDLE_STALL_MS = 8000;
/** What was not looked at for so long may have been finished meanwhile. */
const MAX_UNWATCHED_MS = 1000;
/** For how long nobody is held back after that. */
const AMNESTY_MS = 30_000;

export interface HoldingOptions {
  clock: Pick<Clock, 'monotonicMs'>;
  ownSeat: number;
  /** Seats that are connected. */
  connected(): readonly number[];
  isQuorum(seats: Iterable<number>): boolean;
  isBehind(): boolean;
  hasUnfinishedWork(): boolean;
  /** Of a seat: admitted and not ordered. */
  unordered(seat: number): Readonly<Bound>;
}

export class Holding {
  readonly #budget: JunkBudget;
  #lastBlockMs: number;
  #amnestyUntilMs = Number.NEGATIVE_INFINITY;
  /** When it was last asked, and since when something waits to be ordered, as far as that is known. */
  #checkedMs = Number.NEGATIVE_INFINITY;
  #unfinishedSinceMs = 0;

  constructor(private readonly options: HoldingOptions) {
    const { clock } = options;
    this.#budget = new JunkBudget(() => clock.monotonicMs());
    this.#lastBlockMs = clock.monotonicMs();
  }

  /** Junk of each seat since the start, bytes. */
  get totals(): ReadonlyMap<number, number> {
    return this.#budget.totals();
  }

  /** Blocks were executed, and what their vertices were good for. */
  executed(uses: ReadonlyMap<number, PayloadUse>): void {
    this.#lastBlockMs = this.options.clock.monotonicMs();
    // What a node that is behind executes in a second was made in hours.
    this.#budget.executed(uses, !this.options.isBehind());
  }

  onEpoch(): void {
    this.#budget.onEpoch();
  }

  /** A vertex of this seat comes in that has so much junk. */
  charge(seat: number, junk: Junk): void {
    if (seat !== this.options.ownSeat) this.#budget.charge(seat, junk);
  }

  /** May this seat bring in a vertex that is held back, by building on it. */
  vouch(seat: number, bytes: number): boolean {
    if (!this.#budget.canVouch(seat)) return false;
    this.#budget.vouched(seat, bytes);
    return true;
  }

  canVouch(seat: number): boolean {
    return this.#budget.canVouch(seat);
  }

  /** Has the seat used up what it may sign of no use. */
  isOverdrawn(seat: number): boolean {
    return this.#budget.isBarred(seat) || this.#budget.isSpent(seat) || this.#budget.isIdling(seat);
  }

  /**
   * Is a vertex of this seat held back now. `isHeavy`: it has payload, or is a fork; `underWay`: what of the seat will be
   * admitted before it.
   */
  holds(seat: number, isHeavy: boolean, underWay: Readonly<Bound>): boolean {
    if (seat === this.options.ownSeat) return false;
    const isTooMuch =
      this.#budget.isBarred(seat) ||
      this.#budget.isIdling(seat) ||
      (isHeavy && this.#budget.isSpent(seat)) ||
      this.#hasTooMuchUnordered(seat, underWay);
    return isTooMuch && !this.#isOff() && this.#isDispensable(seat);
  }

  #hasTooMuchUnordered(seat: number, underWay: Readonly<Bound>): boolean {
    const { count, bytes } = this.options.unordered(seat);
    return count + underWay.count >= MAX_UNORDERED.count || bytes + underWay.bytes >= MAX_UNORDERED.bytes;
  }

  /** Is nobody held back now: this node is not in step with the others, or they are no quorum although they are connected. */
  #isOff(): boolean {
    const nowMs = this.options.clock.monotonicMs();
    if (this.#isStalled(nowMs)) this.#amnestyUntilMs = nowMs + AMNESTY_MS;
    return nowMs < this.#amnestyUntilMs || this.options.isBehind();
  }

  #isStalled(nowMs: number): boolean {
    const wasWatched = nowMs - this.#checkedMs < MAX_UNWATCHED_MS;
    this.#checkedMs = nowMs;
    if (!wasWatched || !this.options.hasUnfinishedWork()) this.#unfinishedSinceMs = nowMs;
    const quietMs = nowMs - this.#lastBlockMs;
    return Math.min(quietMs, nowMs - this.#unfinishedSinceMs) >= STALL_MS || quietMs >= IDLE_STALL_MS;
  }

  // Of several that are overdrawn the lower ones are done without first, as long as a quorum is left.
  #isDispensable(seat: number): boolean {
    const { connected, ownSeat, isQuorum } = this.options;
    let rest = [ownSeat, ...connected()].filter((other) => other !== seat);
    for (const other of rest.filter((one) => one < seat && this.isOverdrawn(one)).sort((a, b) => a - b)) {
      const fewer = rest.filter((one) => one !== other);
      if (isQuorum([...fewer, seat])) rest = fewer;
    }
    return isQuorum(rest);
  }
}
