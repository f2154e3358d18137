// Groups rows by the number of query words they contain: level n has the rows with n of them.

import { Bits } from './bits.ts';
import type { Rows } from './generation.ts';
import type { TextIndex } from './text-index.ts';

/** Queries with more words are counted row by row, since levels cost a step for each pair of words. */
export const MAX_LEVELS = 8;

/** By row: how many words it has. A row may come more than once for a word: it counts once. */
class WordCounts implements Rows {
  readonly found: Uint16Array;
  readonly #counted: Uint16Array;
  /** Number of the word, from 1. */
  word = 0;

  constructor(rowsEnd: number) {
    this.found = new Uint16Array(rowsEnd);
    this.#counted = new Uint16Array(rowsEnd);
  }

  addAll(rows: Uint32Array, from: number, end: number): void {
    for (let i = from; i < end; i++) {
      const row = rows[i]!;
      if (this.#counted[row] === this.word) continue;
      this.#counted[row] = this.word;
      this.found[row]! += 1;
    }
  }
}

export class RelevanceLevels {
  /** Item n - 1: rows with at least n words. */
  readonly #atLeast: Bits[] = [];
  readonly #counts: number[] = [];
  /** Words found, by row; used for queries with many words. */
  readonly #found: Uint16Array | undefined;

  constructor(text: TextIndex, words: readonly string[], rowsEnd: number) {
    if (words.length > MAX_LEVELS) {
      const counts = new WordCounts(rowsEnd);
      for (const word of words) {
        counts.word += 1;
        text.addRowsWith(word, counts);
      }
      this.#found = counts.found;
      return;
    }
    for (const word of words) {
      const holders = text.withWord(word);
      this.#atLeast.push(new Bits(rowsEnd));
      // Rows with n of the earlier words and this one have n + 1.
      for (let n = this.#atLeast.length - 1; n > 0; n--) {
        this.#atLeast[n]!.addBoth(this.#atLeast[n - 1]!, holders);
      }
      this.#atLeast[0]!.addBoth(holders, holders);
    }
  }

  /** For up to MAX_LEVELS words: rows with at least n of them; undefined for n = 0, which means all rows. */
  atLeast(n: number): Bits | undefined {
    return this.#atLeast[n - 1];
  }

  /** Number of these rows; computed at the first call. */
  countAtLeast(n: number): number {
    this.#counts[n] ??= this.#atLeast[n - 1]?.count ?? 0;
    return this.#counts[n];
  }

  /** Number of words that a row contains. */
  of(row: number): number {
    if (this.#found) return this.#found[row]!;
    let n = this.#atLeast.length;
    while (n > 0 && !this.#atLeast[n - 1]!.has(row)) n--;
    return n;
  }
}
