// Sets of rows for every single character and every pair of adjacent characters: so many tokens contain a text this short
// that joining their lists would take too long.
// Keeps: every character and pair that occurs has its set; a row must be removed with the same text as it was added.
// Memory: a document of 330 bytes is in about 150 sets, nearly all of them bit sets.

import { RowSet } from './row-set.ts';
import { FIELD_END } from './text-tokens.ts';

const NO_CHARACTER = FIELD_END.charCodeAt(0);

const keyOf = (first: number, second: number): number => first + second * 0x10000;

export class GramSets {
  readonly #sets = new Map<number, RowSet>();
  #rowsEnd = 0;

  /** `text`: all or a part of the row's text; parts may overlap. */
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

  /** `text`: the text that was added for the row, or parts that together cover it. */
  remove(row: number, text: string): void {
    eachGram(text, (key) => {
      const set = this.#sets.get(key);
      set?.remove(row);
      if (set?.isDisposable) this.#sets.delete(key);
    });
  }

  /** Rows that contain a text of one or two characters. May be the index's own set: use it before the next change. */
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
