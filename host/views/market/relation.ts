// A many-to-many relation of rows and terms: the terms of a row, and the rows of a term as one flat list.
// Keeps: a row is once in the list of each of its terms, and remembers its position there, so adding and removing cost
// only the row's own terms, whatever the length of the lists. Rows of a term are unsorted.
// Memory: 12 to 24 bytes for each pair, and 8 for each row.

import { NumberLists } from './number-lists.ts';
import type { RowSet } from './row-set.ts';

export class Relation {
  /** By row: its terms, ascending, then for each term the row's position in the term's list. */
  readonly #terms = new NumberLists();
  /** By term: its rows. */
  readonly #rows = new NumberLists();

  /** `terms`: distinct; sorted in place by this call. The row must have none yet. */
  add(row: number, terms: Uint32Array): void {
    const count = terms.length;
    terms.sort();
    this.#terms.open(row, 2 * count);
    for (let i = 0; i < count; i++) {
      this.#terms.set(row, i, terms[i]!);
      this.#terms.set(row, count + i, this.#rows.push(terms[i]!, row));
    }
  }

  /** Removes a row; returns the terms that no row has any more. */
  remove(row: number): number[] {
    const unused: number[] = [];
    const count = this.#terms.count(row) / 2;
    for (let i = 0; i < count; i++) {
      const term = this.#terms.at(row, i);
      // The last row of the list moves into the gap.
      const moved = this.#rows.pop(term);
      if (moved !== row) {
        const place = this.#terms.at(row, count + i);
        this.#rows.set(term, place, moved);
        this.#setPlace(moved, term, place);
      }
      if (this.#rows.count(term) === 0) unused.push(term);
    }
    this.#terms.clear(row);
    return unused;
  }

  #setPlace(row: number, term: number, place: number): void {
    const count = this.#terms.count(row) / 2;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (this.#terms.at(row, mid) < term) low = mid + 1;
      else high = mid;
    }
    this.#terms.set(row, count + low, place);
  }

  countOf(term: number): number {
    return this.#rows.count(term);
  }

  /** Rows of a term; valid until the next change. */
  rowsOf(term: number): Uint32Array {
    return this.#rows.of(term);
  }

  /** Adds the rows of a term to a set. */
  addRowsTo(set: RowSet, term: number): void {
    const begin = this.#rows.beginOf(term);
    set.addAll(this.#rows.numbers, begin, begin + this.#rows.count(term));
  }

  /** Terms of a row, ascending; valid until the next change. */
  termsOf(row: number): Uint32Array {
    const list = this.#terms.of(row);
    return list.subarray(0, list.length / 2);
  }
}
