// Which rows hold which terms, both ways: the terms of a row, and the rows of a term as one flat list to run over.
// Keeps: a row stands once in the list of each of its terms, at the place that the row remembers, so adding and
// taking out cost the row's own terms and nothing that grows with the lists. Rows of a term are in no order.
// Memory: 12 to 16 bytes for each pair, and about 150 for each row.

import { NumberLists } from './number-lists.ts';
import type { RowSet } from './row-set.ts';

const NO_TERMS = new Uint32Array(0);

export class Relation {
  /** By row: its terms ascending, then for each the row's place in the term's list. */
  readonly #held: (Uint32Array | undefined)[] = [];
  readonly #lists = new NumberLists();

  /** `terms`: distinct, sorted by the call. The row must hold none yet. */
  add(row: number, terms: Uint32Array): void {
    const count = terms.length;
    const held = new Uint32Array(2 * count);
    held.set(terms.sort());
    for (let i = 0; i < count; i++) held[count + i] = this.#lists.push(terms[i]!, row);
    this.#held[row] = held;
  }

  /** Takes a row out; the result are the terms that no row holds any more. */
  remove(row: number): number[] {
    const held = this.#held[row];
    if (!held) return [];
    const unheld: number[] = [];
    const count = held.length / 2;
    for (let i = 0; i < count; i++) {
      const term = held[i]!;
      // The last row of the list takes the empty place.
      const moved = this.#lists.pop(term);
      if (moved !== row) {
        const place = held[count + i]!;
        this.#lists.set(term, place, moved);
        this.#setPlace(moved, term, place);
      }
      if (this.#lists.count(term) === 0) unheld.push(term);
    }
    this.#held[row] = undefined;
    return unheld;
  }

  #setPlace(row: number, term: number, place: number): void {
    const held = this.#held[row]!;
    const count = held.length / 2;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (held[mid]! < term) low = mid + 1;
      else high = mid;
    }
    held[count + low] = place;
  }

  countOf(term: number): number {
    return this.#lists.count(term);
  }

  /** Rows that hold a term; valid until the next change. */
  rowsOf(term: number): Uint32Array {
    return this.#lists.of(term);
  }

  /** Puts the rows of a term into a set. */
  addRowsTo(set: RowSet, term: number): void {
    const begin = this.#lists.beginOf(term);
    set.addAll(this.#lists.numbers, begin, begin + this.#lists.count(term));
  }

  /** Terms of a row, ascending; valid until it changes. */
  termsOf(row: number): Uint32Array {
    const held = this.#held[row];
    return held ? held.subarray(0, held.length / 2) : NO_TERMS;
  }
}
