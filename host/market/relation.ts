// Which rows hold which terms, both ways: the terms of a row, and the rows of a term as one flat array to run over.
// Keeps: a row stands once in the list of each of its terms, at the place that the row remembers, so adding and
// taking out cost the row's own terms and nothing that grows with the lists. Rows of a term are in no order.
// Memory: 12 bytes for each pair, and about 150 for each row.

const FIRST_ROOM = 4;
const NO_ROWS = new Uint32Array(0);

interface TermList {
  rows: Uint32Array;
  count: number;
}

export class Relation {
  /** By row: its terms ascending, then for each the row's place in the term's list. */
  readonly #held: (Uint32Array | undefined)[] = [];
  readonly #lists: (TermList | undefined)[] = [];

  /** `terms`: distinct, sorted by the call. The row must hold none yet. */
  add(row: number, terms: Uint32Array): void {
    const count = terms.length;
    const held = new Uint32Array(2 * count);
    held.set(terms.sort());
    for (let i = 0; i < count; i++) held[count + i] = this.#append(terms[i]!, row);
    this.#held[row] = held;
  }

  #append(term: number, row: number): number {
    let list = this.#lists[term];
    if (!list) {
      list = { rows: new Uint32Array(FIRST_ROOM), count: 0 };
      this.#lists[term] = list;
    }
    if (list.count === list.rows.length) {
      const grown = new Uint32Array(2 * list.rows.length);
      grown.set(list.rows);
      list.rows = grown;
    }
    list.rows[list.count] = row;
    return list.count++;
  }

  /** Takes a row out; the result are the terms that no row holds any more. */
  remove(row: number): number[] {
    const held = this.#held[row];
    if (!held) return [];
    const unheld: number[] = [];
    const count = held.length / 2;
    for (let i = 0; i < count; i++) {
      const term = held[i]!;
      const list = this.#lists[term]!;
      list.count--;
      // The last row of the list takes the empty place.
      const moved = list.rows[list.count]!;
      if (moved !== row) {
        const place = held[count + i]!;
        list.rows[place] = moved;
        this.#setPlace(moved, term, place);
      }
      if (list.count === 0) {
        this.#lists[term] = undefined;
        unheld.push(term);
      }
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

  /** Rows that hold a term; valid until the next change. */
  rowsOf(term: number): Uint32Array {
    const list = this.#lists[term];
    return list ? list.rows.subarray(0, list.count) : NO_ROWS;
  }

  countOf(term: number): number {
    return this.#lists[term]?.count ?? 0;
  }
}
