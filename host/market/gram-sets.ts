// Which rows hold a character, and which hold two in a row: texts this short are held by so many tokens that putting
// their lists together takes too long, so for them there is a set of rows at hand.
// Keeps: a set with few rows is a Set, one with many is a bit for each row; a set that grew stays in that form.
// Memory: about 150 numbers for a document of 330 bytes, nearly all of them bits.

import { Bits } from './bits.ts';
import { FIELD_END } from './text-fields.ts';

const NO_CHARACTER = FIELD_END.charCodeAt(0);
/** A row in a Set costs as much as about 256 rows as bits. */
const BITS_FOR_ONE = 256;
const FEW = 32;

const keyOf = (first: number, second: number): number => first + second * 0x10000;

export class GramSets {
  readonly #sets = new Map<number, Set<number> | Bits>();
  #rowsEnd = 0;

  /** `text`: all or a part of what the row holds; parts may overlap. */
  add(row: number, text: string): void {
    if (row >= this.#rowsEnd) this.#rowsEnd = row + 1;
    eachGram(text, (key) => this.#addTo(key, row));
  }

  #addTo(key: number, row: number): void {
    const set = this.#sets.get(key);
    if (set) set.add(row);
    else this.#sets.set(key, new Set([row]));
    if (!(set instanceof Set) || set.size < FEW || set.size * BITS_FOR_ONE < this.#rowsEnd) return;
    this.#sets.set(key, bitsOf(set, this.#rowsEnd));
  }

  /** The same texts, or parts that cover them, as were added for the row. */
  remove(row: number, text: string): void {
    eachGram(text, (key) => {
      const set = this.#sets.get(key);
      if (set instanceof Bits) set.remove(row);
      else if (set?.delete(row) && set.size === 0) this.#sets.delete(key);
    });
  }

  /** Rows that hold a text of one or two characters. May be the index's own set: read it at once. */
  rowsWith(text: string): Bits {
    const set = this.#sets.get(
      keyOf(text.charCodeAt(0), text.length > 1 ? text.charCodeAt(1) : NO_CHARACTER),
    );
    return set instanceof Bits ? set : bitsOf(set ?? [], this.#rowsEnd);
  }
}

function bitsOf(rows: Iterable<number>, rowsEnd: number): Bits {
  const bits = new Bits(rowsEnd);
  for (const row of rows) bits.add(row);
  return bits;
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
