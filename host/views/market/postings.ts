// Rows by the texts (words, runs of characters) that they hold: a Relation whose terms are given as texts.
// Keeps: a text has a number exactly while some row holds it; `onNew` and `onGone` tell when that begins and ends.

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

  /** Distinct texts held. */
  get size(): number {
    return this.#names.size;
  }

  /** Numbers of terms are below this. */
  get termsEnd(): number {
    return this.#names.end;
  }

  /** The row must hold nothing yet. */
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

  /** Rows that hold a term; valid until the next change. */
  rowsOf(term: number): Uint32Array {
    return this.#relation.rowsOf(term);
  }

  /** Terms of a row; valid until the next change. */
  termsOf(row: number): Uint32Array {
    return this.#relation.termsOf(row);
  }

  /** Puts the rows of a term into a set. */
  addRowsTo(set: RowSet, term: number): void {
    this.#relation.addRowsTo(set, term);
  }

  rowsWith(text: string): Uint32Array {
    const term = this.#names.find(text);
    return term === undefined ? NO_ROWS : this.#relation.rowsOf(term);
  }
}
