// Active listings of one category, or of all, in the order that discovery can make any ranking from: by price, then
// by what a record adds to the score, then by agent_id.
// Keeps: for one price and one relevance the rows stand by falling score, so the best of a price are read off its
// begin; only the rounding of scores puts up to ten neighbouring values into one score, whose rows then go by agent_id.

import { SortedIndex } from '../../store/sorted-index.ts';
import { Tally } from '../../tally.ts';

/** A score takes in so many values of `base` at most: it is their sum with other parts, divided by ten. */
export const BASES_IN_SCORE = 10;
/** Rows of one score up to this number are sorted, more are merged. */
const MAX_SORTED = 64;

/** What rows are ordered by; of a row inside, it must not change. */
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
  /** Rows by price. */
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

  remove(row: number): void {
    this.#rows.remove(row);
    this.prices.remove(this.columns.price(row));
  }

  /** First place whose row is not before those of a price with at most this base. */
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

  /** Highest base of the rows of a price, among those of at most `most`; undefined when there are none. */
  topBase(price: number, most: number): number | undefined {
    const { chunk, at } = this.#seek(price, most);
    const row = this.#rows.chunks()[chunk]?.[at];
    return row !== undefined && this.columns.price(row) === price ? this.columns.base(row) : undefined;
  }

  /** How many rows of a price with at least this base are accepted. */
  count(price: number, leastBase: number, accepts: (row: number) => boolean): number {
    const { price: priceOf, base: baseOf } = this.columns;
    const chunks = this.#rows.chunks();
    let { chunk, at } = this.#seek(price, Number.POSITIVE_INFINITY);
    let count = 0;
    for (; chunk < chunks.length; chunk++, at = 0) {
      const rows = chunks[chunk]!;
      for (; at < rows.length; at++) {
        const row = rows[at]!;
        if (priceOf(row) !== price || baseOf(row) < leastBase) return count;
        if (accepts(row)) count++;
      }
    }
    return count;
  }

  /**
   * Accepted rows of a price by falling score, those of one score by agent_id. `rest`: what else the score is made
   * of, so that it is the floor of (base + rest) / 10. Rows with a base below `leastBase` are left out.
   */
  *inOrder(
    price: number,
    rest: number,
    leastBase: number,
    accepts: (row: number) => boolean,
  ): Generator<number> {
    let most = Number.POSITIVE_INFINITY;
    for (;;) {
      const top = this.topBase(price, most);
      if (top === undefined || top < leastBase) return;
      // The least base with the score of the highest.
      const low = Math.max(leastBase, Math.floor((top + rest) / BASES_IN_SCORE) * BASES_IN_SCORE - rest);
      yield* this.#ofScore(price, top, low, accepts);
      most = low - 1;
    }
  }

  *#ofScore(price: number, top: number, low: number, accepts: (row: number) => boolean): Generator<number> {
    const some: number[] = [];
    let met = 0;
    for (const row of this.#between(price, top, low)) {
      if (++met > MAX_SORTED) return yield* this.#merged(price, top, low, accepts);
      if (accepts(row)) some.push(row);
    }
    yield* some.sort((a, b) => this.columns.compareIds(a, b));
  }

  /** Rows of each base stand by agent_id already. */
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

/** First of 0 to `end` - 1 for which it is not so, when it is so for all before and none after; else `end`. */
function firstNot(end: number, isSo: (i: number) => boolean): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (isSo(mid)) low = mid + 1;
    else high = mid;
  }
  return low;
}
