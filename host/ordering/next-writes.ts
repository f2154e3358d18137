// Whether the next witness waits for the writes that follow answers (consensus 5.13). A block becomes final in the very moment in
// which the next witness can be made, so a client that writes again as soon as it is answered would just miss that witness,
// and what misses one waits for the next, a round later.
// Keeps: a wait is a small part of a round, and ends when the same share of the clients wrote again as lately; there is none
// unless this was half of them at least, and half of the writes were theirs.

const MAX_WAIT_MS = 50;
/** Longest wait after answers, in rounds. Measured in decisions/0023. */
const WAIT_ROUNDS = 0.2;
/** What is left of the counts of earlier answers when there are newer ones. */
const MEMORY = 0.75;

interface Counts {
  answered: number;
  /** Writes within the wait after answers. */
  followed: number;
  /** Writes at any time. */
  came: number;
}

const NOTHING: Counts = { answered: 0, followed: 0, came: 0 };

const areRegular = ({ answered, followed, came }: Counts): boolean =>
  followed > 0 && 2 * followed >= Math.max(answered, came);

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
    this.#earlier = joined(this.#earlier, this.#last);
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

  /** `isAnswering`: writes were executed whose answers leave next. */
  areAwaited(isAnswering: boolean, nowMs: number): boolean {
    if (isAnswering) return areRegular(joined(this.#earlier, this.#last));
    if (this.#isOver(nowMs) || !areRegular(this.#earlier)) return false;
    const share = this.#earlier.followed / this.#earlier.answered;
    return this.#last.came < Math.floor(Math.min(1, share) * this.#last.answered);
  }

  /** When the wait ends at the latest. */
  get dueMs(): number {
    return this.#answeredMs + this.#waitMs;
  }

  /** Also when the clock was set back. */
  #isOver(nowMs: number): boolean {
    return nowMs < this.#answeredMs || nowMs >= this.dueMs;
  }
}
