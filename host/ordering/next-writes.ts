// Whether the next witness waits for the writes that follow answers (consensus 5.13). A block becomes final in the very moment in
// which the next witness can be made, so a client that writes again as soon as it is answered would just miss that witness,
// and what misses one waits for the next, a round later.
// Keeps: a wait is a small part of a round, and ends when the same share of the clients wrote again as lately; there is none
// where this was less than half of them, or of the writes. Of clients that nothing is known of it is expected: a mistake costs
// one wait.

const MAX_WAIT_MS = 50;
/** Longest wait after answers, in rounds. Measured in decisions/0023. */
const WAIT_ROUNDS = 0.2;
/** What is left of the counts of earlier answers when there are newer ones. */
const MEMORY = 0.75;
/** Answers so many rounds before say nothing about the clients of now. */
const FORGOTTEN_ROUNDS = 16;

interface Counts {
  answered: number;
  /** Writes within the wait after answers. */
  followed: number;
  /** Writes at any time. */
  came: number;
}

const NOTHING: Counts = { answered: 0, followed: 0, came: 0 };

/** As it is where nothing is known. */
const areRegular = (counts: Counts): boolean => {
  const { answered, followed, came } = counts;
  return counts === NOTHING || (followed > 0 && 2 * followed >= Math.max(answered, came));
};

const shareOf = (counts: Counts): number =>
  counts === NOTHING ? 1 : Math.min(1, counts.followed / counts.answered);

const joined = (earlier: Counts, last: Counts): Counts => ({
  answered: MEMORY * earlier.answered + last.answered,
  followed: MEMORY * earlier.followed + last.followed,
  came: MEMORY * earlier.came + last.came,
});

export class NextWrites {
  #earlier = NOTHING;
  /** Since the newest answers. */
  #last = NOTHING;
  #answeredMs = Number.NEGATIVE_INFINITY;
  #waitMs = 0;

  /** Writes were answered. `roundMs`: what the own round before took. */
  answered(count: number, nowMs: number, roundMs: number): void {
    if (count === 0) return;
    this.#earlier = this.#known(nowMs, roundMs);
    this.#last = { ...NOTHING, answered: count };
    this.#answeredMs = nowMs;
    this.#waitMs = Math.min(MAX_WAIT_MS, Math.floor(roundMs * WAIT_ROUNDS));
  }

  /** Writes were taken in. */
  came(count: number, nowMs: number): void {
    const { answered, followed, came } = this.#last;
    const inTime = this.#isOver(nowMs) ? 0 : count;
    this.#last = { answered, followed: followed + inTime, came: came + count };
  }

  /** `isAnswering`: writes were executed whose answers leave next. `roundMs`: what the own round before took. */
  areAwaited(isAnswering: boolean, nowMs: number, roundMs: number): boolean {
    if (isAnswering) return areRegular(this.#known(nowMs, roundMs));
    if (this.#isOver(nowMs) || !areRegular(this.#earlier)) return false;
    return this.#last.came < Math.floor(shareOf(this.#earlier) * this.#last.answered);
  }

  /** When the wait ends at the latest. */
  get dueMs(): number {
    return this.#answeredMs + this.#waitMs;
  }

  #known(nowMs: number, roundMs: number): Counts {
    const isForgotten = nowMs - this.#answeredMs > FORGOTTEN_ROUNDS * roundMs;
    return isForgotten || this.#answeredMs === Number.NEGATIVE_INFINITY
      ? NOTHING
      : joined(this.#earlier, this.#last);
  }

  /** Also when the clock was set back. */
  #isOver(nowMs: number): boolean {
    return nowMs < this.#answeredMs || nowMs >= this.dueMs;
  }
}
