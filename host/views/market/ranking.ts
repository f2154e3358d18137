// Active listings of one category, or of all, in an order from which discovery can derive every ranking: by price, then
// by the part of the score that comes from the agent's record (`base`), then by agent_id.
// Keeps: for one price and one relevance, rows are sorted by descending score, so the best rows of a price come first.
// Rounding maps up to ten neighbouring values of `base` to one score, whose rows are then sorted by agent_id.

import { SortedIndex } from '../../store/sorted-index.ts';
import { Tally } from '../../tally.ts';

/** Values of `base` that give one score: a score is the sum of `base` and other parts, divided by ten. */
const BASES_PER_SCORE = 10;
/** Up to this many rows of one score are sorted, more are merged. */
const MAX_SORTED = 64;

/** Sort keys of rows; those of a row in the ranking must not change. */
export interface RankColumns {
  price(row: number): number;
  /** 3 * reputation + 2 * completion rate, in basis points. */
  base(row: number): number;
  compareIds(a: number, b: number): number;
}

interface Place {
  chunk: number;
  at: number;
}

export class Ranking {
  readonly #rows: SortedIndex;
  /** Number of rows by price. */
  readonly prices = new Tally<number>();

  constructor(private readonly columns: RankColumns) {
    this.#rows = new SortedIndex(
      (a, b) =>
        columns.price(a) - columns.price(b) || columns.base(b) - columns.base(a) || columns.compareIds(a, b),
    );
  }

  get size(): number {
    return this.#rows.size;
  }

  insert(row: number): void {
    this.#rows.insert(row);
    this.prices.add(this.columns.price(row));
  }

  /** Makes an empty ranking of rows that are in its order. */
  fillSorted(rows: Uint32Array | readonly number[]): void {
    this.#rows.fillSorted(rows);
    for (const row of rows) this.prices.add(this.columns.price(row));
  }

  remove(row: number): void {
    this.#rows.remove(row);
    this.prices.remove(this.columns.price(row));
  }

  /** Position of the first row that is not before the rows of a price with at most this base. */
  #seek(price: number, base: number): Place {
    const isBefore = (row: number): boolean => {
      const difference = this.columns.price(row) - price;
      return difference < 0 || (difference === 0 && this.columns.base(row) > base);
    };
    const chunks = this.#rows.chunks();
    const chunk = firstNot(chunks.length, (i) => isBefore(chunks[i]!.at(-1)!));
    const rows = chunks[chunk] ?? [];
    return { chunk, at: firstNot(rows.length, (i) => isBefore(rows[i]!)) };
  }

  /** Rows of a price with a base of `from` down to `to`. */
  *#between(price: number, from: number, to: number): Generator<number> {
    const chunks = this.#rows.chunks();
    let { chunk, at } = this.#seek(price, from);
    for (; chunk < chunks.length; chunk++, at = 0) {
      const rows = chunks[chunk]!;
      for (; at < rows.length; at++) {
        const row = rows[at]!;
        if (this.columns.price(row) !== price || this.columns.base(row) < to) return;
        yield row;
      }
    }
  }

  /** Highest base not above `max` among the rows of a price; undefined when there are none. */
  topBase(price: number, max: number): number | undefined {
    const { chunk, at } = this.#seek(price, max);
    const row = this.#rows.chunks()[chunk]?.[at];
    return row !== undefined && this.columns.price(row) === price ? this.columns.base(row) : undefined;
  }

  /** Number of accepted rows of a price with at least this base. */
  count(price: number, minBase: number, accepts: (row: number) => boolean): number {
    const { price: priceOf, base: baseOf } = this.columns;
    const chunks = this.#rows.chunks();
    let { chunk, at } = this.#seek(price, Number.POSITIVE_INFINITY);
    let count = 0;
    for (; chunk < chunks.length; chunk++, at = 0) {
      const rows = chunks[chunk]!;
      for (; at < rows.length; at++) {
        const row = rows[at]!;
        if (priceOf(row) !== price || baseOf(row) < minBase) return count;
        if (accepts(row)) count++;
      }
    }
    return count;
  }

  /**
   * Accepted rows of a price by descending score, those of equal score by agent_id. `rest`: the other parts of the score,
   * which is floor((base + rest) / 10). Rows with a base below `minBase` are left out.
   */
  *inOrder(
    price: number,
    rest: number,
    minBase: number,
    accepts: (row: number) => boolean,
  ): Generator<number> {
    let max = Number.POSITIVE_INFINITY;
    for (;;) {
      const top = this.topBase(price, max);
      if (top === undefined || top < minBase) return;
      // The lowest base with the same score as the highest.
      const low = Math.max(minBase, Math.floor((top + rest) / BASES_PER_SCORE) * BASES_PER_SCORE - rest);
      yield* this.#ofScore(price, top, low, accepts);
      max = low - 1;
    }
  }

  *#ofScore(price: number, top: number, low: number, accepts: (row: number) => boolean): Generator<number> {
    const some: number[] = [];
    let seen = 0;
    for (const row of this.#between(price, top, low)) {
      if (++seen > MAX_SORTED) return yield* this.#merged(price, top, low, accepts);
      if (accepts(row)) some.push(row);
    }
    yield* some.sort((a, b) => this.columns.compareIds(a, b));
  }

  /** Merges the rows of each base, which are already sorted by agent_id. */
  *#merged(price: number, top: number, low: number, accepts: (row: number) => boolean): Generator<number> {
    const runs: { rows: Iterator<number>; head: number }[] = [];
    const advance = (rows: Iterator<number>): number | undefined => {
      for (let next = rows.next(); !next.done; next = rows.next()) if (accepts(next.value)) return next.value;
      return undefined;
    };
    for (let base: number | undefined = top; base !== undefined && base >= low; ) {
      const rows = this.#between(price, base, base);
      const head = advance(rows);
      if (head !== undefined) runs.push({ rows, head });
      base = this.topBase(price, base - 1);
    }
    while (runs.length > 0) {
      let first = 0;
      for (let i = 1; i < runs.length; i++) {
        if (this.columns.compareIds(runs[i]!.head, runs[first]!.head) < 0) first = i;
      }
      const run = runs[first]!;
      yield run.head;
      const head = advance(run.rows);
      if (head === undefined) runs.splice(first, 1);
      else run.head = head;
    }
  }
}

/** Binary search: the first of 0 to `end` - 1 for which `isBefore` is false (it is true for all before), else `end`. */
function firstNot(end: number, isBefore: (i: number) => boolean): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (isBefore(mid)) low = mid + 1;
    else high = mid;
  }
  return low;
}
