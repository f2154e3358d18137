// Finds which of many tokens may contain a part of three characters or more, by number.
// A part is looked up by its rarest trigram, so the cost is a few tokens and not all of them. If even the rarest trigram is
// frequent, its list is intersected with that of the next one, which is far cheaper than reading the tokens.
// Tokens that may begin with a part of at least HEAD characters are found directly by their first characters.

import { AscendingLists } from './ascending-lists.ts';
import { TextTable } from './text-table.ts';

/** Characters of a trigram, and of the shortest part that can be looked up. */
export const TRIGRAM = 3;
/** Characters of a token that are indexed as its beginning; longer than a trigram, so the two cannot be confused. */
const HEAD = 6;
/** Up to this many tokens are read without further intersection. */
const FEW = 64;
/** Reading a token costs as much as visiting this many numbers. */
const READ_COST = 16;

const NONE = new Uint32Array(0);

function trigramsOf(text: string): Set<string> {
  const trigrams = new Set<string>();
  for (let at = 0; at + TRIGRAM <= text.length; at++) trigrams.add(text.slice(at, at + TRIGRAM));
  return trigrams;
}

const headOf = (text: string): string => text.slice(0, HEAD);

export class Vocabulary {
  readonly #parts: TextTable;
  /** By part: the tokens. */
  readonly #holders = new AscendingLists();

  /** `seed`: see TextTable. */
  constructor(seed = 0) {
    this.#parts = new TextTable(seed);
  }

  /** Number of parts. */
  get size(): number {
    return this.#parts.size;
  }

  /** Numbers ascend from call to call. */
  add(number: number, text: string): void {
    for (let at = 0; at + TRIGRAM <= text.length; at++) this.#put(text.slice(at, at + TRIGRAM), number);
    if (text.length >= HEAD) this.#put(headOf(text), number);
  }

  #put(part: string, number: number): void {
    this.#holders.push(this.#parts.intern(part), number);
  }

  /** Numbers, ascending, of all tokens that contain a part, and of others unless `isExact`. */
  candidates(part: string): { numbers: Uint32Array; isExact: boolean } {
    const isExact = part.length === TRIGRAM;
    const lists: number[] = [];
    for (const trigram of trigramsOf(part)) {
      const list = this.#parts.find(trigram);
      if (list === undefined) return { numbers: NONE, isExact };
      lists.push(list);
    }
    const [rarest, ...others] = lists.sort((a, b) => this.#holders.count(a) - this.#holders.count(b));
    let numbers = this.#holders.of(rarest!);
    let spent = 0;
    for (const list of others) {
      spent += this.#holders.count(list);
      // All of them together: a part may have thousands of trigrams, which the same tokens have.
      if (numbers.length <= FEW || spent > READ_COST * numbers.length) break;
      numbers = this.#inBoth(numbers, list);
    }
    return { numbers, isExact };
  }

  #inBoth(numbers: Uint32Array, list: number): Uint32Array {
    const count = this.#holders.read(list);
    return both(numbers, this.#holders.numbers, count);
  }

  /** Numbers of all tokens that begin with a part, and of others. */
  beginning(part: string): Uint32Array {
    if (part.length < HEAD) return this.candidates(part).numbers;
    const list = this.#parts.find(headOf(part));
    return list === undefined ? NONE : this.#holders.of(list);
  }
}

/** What an ascending list and the first `end` numbers of another have in common, in place of the first list. */
function both(some: Uint32Array, others: Uint32Array, end: number): Uint32Array {
  let count = 0;
  for (let i = 0, j = 0; i < some.length && j < end; ) {
    const difference = some[i]! - others[j]!;
    if (difference === 0) some[count++] = some[i]!;
    if (difference <= 0) i += 1;
    if (difference >= 0) j += 1;
  }
  return some.subarray(0, count);
}
