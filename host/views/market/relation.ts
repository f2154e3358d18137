// Which rows hold which terms, both ways: the terms of a row, and the rows of a term as one flat list to run over.
// Keeps: a row stands once in the list of each of its terms, at the place that the row remembers, so adding and
// taking out cost the row's own terms and nothing that grows with the lists. Rows of a term are in no order.
// Memory: 12 to 24 bytes for each pair, and 8 for each row.

import { NumberLists } from './number-lists.ts';
import type { RowSet } from './row-set.ts';

export class Relation {
  /** By row: its terms ascending, then for each the row's place in the term's list. */
  readonly #held = new NumberLists();
  /** By term: its rows. */
  readonly #rows = new NumberLists();

  /** `terms`: distinct, sorted by the call. The row must hold none yet. */
  add(row: number, terms: Uint32Array): void {
    const count = terms.length;
    terms.sort();
    this.#held.open(row, 2 * count);
    for (let i = 0; i < count; i++) {
      this.#held.set(row, i, terms[i]!);
      this.#held.set(row, count + i, this.#rows.push(terms[i]!, row));
    }
  }

  /** Takes a row out; the result are the terms that no row holds any more. */
  remove(row: number): number[] {
    const unheld: number[] = [];
    const count = this.#held.count(row) / 2;
    for (let i = 0; i < count; i++) {
      const term = this.#held.at(row, i);
      // The last row of the list takes the empty place.
      const moved = this.#rows.pop(term);
      if (moved !== row) {
        const place = this.#held.at(row, count + i);
        this.#rows.set(term, place, moved);
        this.#setPlace(moved, term, place);
      }
      if (this.#rows.count(term) === 0) unheld.push(term);
    }
    this.#held.clear(row);
    return unheld;
  }

  #setPlace(row: number, term: number, place: number): void {
    const count = this.#held.count(row) / 2;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (this.#held.at(row, mid) < term) low = mid + 1;
      else high = mid;
    }
    this.#held.set(row, count + low, place);
  }

  countOf(term: number): number {
    return this.#rows.count(term);
  }

  /** Rows that hold a term; valid until the next change. */
  rowsOf(term: number): Uint32Array {
    return this.#rows.of(term);
  }

  /** Puts the rows of a term into a set. */
  addRowsTo(set: RowSet, term: number): void {
    const begin = this.#rows.beginOf(term);
    set.addAll(this.#rows.numbers, begin, begin + this.#rows.count(term));
  }

  /** Terms of a row, ascending; valid until the next change. */
  termsOf(row: number): Uint32Array {
    const held = this.#held.of(row);
    return held.subarray(0, held.length / 2);
  }
}
