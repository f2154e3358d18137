// Sets of rows for every single character and every pair of adjacent characters: so many tokens contain a text this short
// that joining their lists would take too long.
// Keeps: every character and pair that occurs has its set; a row must be removed with the same text as it was added.
// Memory: a document of 330 bytes is in about 150 sets, nearly all of them bit sets. A pair that is in few documents takes some
// 20 bytes: a text of 5,000 characters from all over Unicode has as many of its own.

import { RowSet } from './row-set.ts';
import { ShortLists } from './short-lists.ts';
import { FIELD_END } from './text-tokens.ts';

const NO_CHARACTER = FIELD_END.charCodeAt(0);

/** 32 bits with a sign: others are objects where they are keys of a map. */
const keyOf = (first: number, second: number): number => first | (second << 16);

export class GramSets {
  /** Of frequent characters and pairs; of the others `#short`. */
  readonly #sets = new Map<number, RowSet>();
  readonly #short: ShortLists;
  #rowsEnd = 0;

  /** `seed`: see TextTable. */
  constructor(seed: number) {
    this.#short = new ShortLists(seed);
  }

  /** `text`: all or a part of the row's text; parts may overlap. */
  add(row: number, text: string): void {
    if (row >= this.#rowsEnd) this.#rowsEnd = row + 1;
    for (const key of gramsOf(text)) this.#addTo(key, row);
  }

  #addTo(key: number, row: number): void {
    const set = this.#sets.get(key);
    if (set) set.add(row);
    else if (!this.#short.add(key, row))
      this.#sets.set(key, RowSet.of([...this.#short.take(key), row], this.#rowsEnd));
  }

  /** `text`: the text that was added for the row, or parts that together cover it. */
  remove(row: number, text: string): void {
    for (const key of gramsOf(text)) {
      const set = this.#sets.get(key);
      if (set) set.remove(row);
      else this.#short.remove(key, row);
      if (set?.isDisposable) this.#sets.delete(key);
    }
  }

  /** Rows that contain a text of one or two characters. May be the index's own set: use it before the next change. */
  rowsWith(text: string): RowSet {
    const second = text.length > 1 ? text.charCodeAt(1) : NO_CHARACTER;
    const key = keyOf(text.charCodeAt(0), second);
    return this.#sets.get(key) ?? RowSet.of(this.#short.of(key), this.#rowsEnd);
  }
}

/** Each once: a text of thousands of characters has the same few hundreds again and again. */
function gramsOf(text: string): Set<number> {
  const grams = new Set<number>();
  let before = NO_CHARACTER;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    grams.add(keyOf(character, NO_CHARACTER));
    if (before !== NO_CHARACTER) grams.add(keyOf(before, character));
    before = character;
  }
  return grams;
}
