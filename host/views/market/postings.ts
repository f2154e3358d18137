// Posting lists: the rows that contain a text (a word, token or trigram). A Relation whose terms are texts.
// Keeps: a text has a number exactly while some row contains it; `onNew` and `onGone` are called when that changes.

import { Names } from './names.ts';
import { Relation } from './relation.ts';
import type { RowSet } from './row-set.ts';

const NO_ROWS = new Uint32Array(0);
const nothing = (): void => {};

export class Postings {
  readonly #names = new Names();
  readonly #relation = new Relation();

  constructor(
    private readonly onNew: (term: number, text: string) => void = nothing,
    private readonly onGone: (term: number) => void = nothing,
  ) {}

  /** Number of distinct texts. */
  get size(): number {
    return this.#names.size;
  }

  /** Numbers of terms are below this. */
  get termsEnd(): number {
    return this.#names.end;
  }

  /** The row must have no texts yet. */
  add(row: number, texts: Set<string>): void {
    const terms = new Uint32Array(texts.size);
    let i = 0;
    for (const text of texts) {
      const known = this.#names.find(text);
      const term = known ?? this.#names.intern(text);
      if (known === undefined) this.onNew(term, text);
      terms[i++] = term;
    }
    this.#relation.add(row, terms);
  }

  remove(row: number): void {
    for (const term of this.#relation.remove(row)) {
      this.onGone(term);
      this.#names.release(term);
    }
  }

  find(text: string): number | undefined {
    return this.#names.find(text);
  }

  text(term: number): string {
    return this.#names.text(term);
  }

  countOf(term: number): number {
    return this.#relation.countOf(term);
  }

  /** Rows that contain a term; valid until the next change. */
  rowsOf(term: number): Uint32Array {
    return this.#relation.rowsOf(term);
  }

  /** Terms of a row; valid until the next change. */
  termsOf(row: number): Uint32Array {
    return this.#relation.termsOf(row);
  }

  /** Adds the rows of a term to a set. */
  addRowsTo(set: RowSet, term: number): void {
    this.#relation.addRowsTo(set, term);
  }

  rowsWith(text: string): Uint32Array {
    const term = this.#names.find(text);
    return term === undefined ? NO_ROWS : this.#relation.rowsOf(term);
  }
}
