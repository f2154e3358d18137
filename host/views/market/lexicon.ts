// Maps texts (words or tokens) to the rows that contain them, and finds texts by their parts.

import { Postings } from './postings.ts';
import type { RowSet } from './row-set.ts';
import { Vocabulary } from './vocabulary.ts';

export class Lexicon {
  readonly #parts = new Vocabulary();
  readonly rows = new Postings(
    (number, text) => this.#parts.add(number, text),
    (number) => this.#parts.remove(number),
  );

  /** Adds to a set the rows of all texts that contain a part of at least TRIGRAM characters. */
  addContaining(part: string, set: RowSet): void {
    const { numbers, isExact } = this.#parts.candidates(part);
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i]!;
      if (isExact || this.rows.text(number).includes(part)) this.rows.addRowsTo(set, number);
    }
  }

  /** Numbers of the texts that begin with a part of at least TRIGRAM characters. */
  beginningWith(part: string): Uint32Array {
    return this.#parts.beginning(part).filter((number) => this.rows.text(number).startsWith(part));
  }

  /** Numbers of the texts that end with a part of at least TRIGRAM characters. */
  endingWith(part: string): Uint32Array {
    return this.#parts.candidates(part).numbers.filter((number) => this.rows.text(number).endsWith(part));
  }
}
