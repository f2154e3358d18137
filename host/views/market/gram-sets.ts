// Which rows hold a character, and which hold two in a row: texts this short are held by so many tokens that putting
// their lists together takes too long, so for them there is a set of rows at hand.
// Keeps: every character and pair that some row holds has its set; rows come back with the parts they were added by.
// Memory: about 150 numbers for a document of 330 bytes, nearly all of them bits.

import { RowSet } from './row-set.ts';
import { FIELD_END } from './text-fields.ts';

const NO_CHARACTER = FIELD_END.charCodeAt(0);

const keyOf = (first: number, second: number): number => first + second * 0x10000;

export class GramSets {
  readonly #sets = new Map<number, RowSet>();
  #rowsEnd = 0;

  /** `text`: all or a part of what the row holds; parts may overlap. */
  add(row: number, text: string): void {
    if (row >= this.#rowsEnd) this.#rowsEnd = row + 1;
    eachGram(text, (key) => this.#addTo(key, row));
  }

  #addTo(key: number, row: number): void {
    const set = this.#sets.get(key);
    if (set) {
      set.add(row);
      return;
    }
    const first = new RowSet(this.#rowsEnd);
    first.add(row);
    this.#sets.set(key, first);
  }

  /** The same texts, or parts that cover them, as were added for the row. */
  remove(row: number, text: string): void {
    eachGram(text, (key) => {
      const set = this.#sets.get(key);
      set?.remove(row);
      if (set?.isBare) this.#sets.delete(key);
    });
  }

  /** Rows that hold a text of one or two characters. May be the index's own set: read it at once. */
  rowsWith(text: string): RowSet {
    const second = text.length > 1 ? text.charCodeAt(1) : NO_CHARACTER;
    return this.#sets.get(keyOf(text.charCodeAt(0), second)) ?? new RowSet();
  }
}

function eachGram(text: string, visit: (key: number) => void): void {
  let before = NO_CHARACTER;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    visit(keyOf(character, NO_CHARACTER));
    if (before !== NO_CHARACTER) visit(keyOf(before, character));
    before = character;
  }
}
