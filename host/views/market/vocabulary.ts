// Finds which of many texts (words or tokens) may contain a part of three characters or more, by number.
// A part is looked up by its rarest trigram, so the cost is a few texts and not all of them. If even the rarest trigram is
// frequent, its list is intersected with that of the next one, which is far cheaper than reading the texts.
// Texts that may begin with a part of at least HEAD characters are found directly by their first characters.

import { Bits } from './bits.ts';
import { Postings } from './postings.ts';

/** Characters of a trigram, and of the shortest part that can be looked up. */
export const TRIGRAM = 3;
/** Characters of a text that are indexed as its beginning; longer than a trigram, so the two cannot be confused. */
const HEAD = 6;
/** Up to this many texts are read without further intersection. */
const FEW = 64;
/** Reading a text costs as much as visiting this many numbers. */
const READ_COST = 16;

function trigramsOf(text: string): Set<string> {
  const trigrams = new Set<string>();
  for (let at = 0; at + TRIGRAM <= text.length; at++) trigrams.add(text.slice(at, at + TRIGRAM));
  return trigrams;
}

const headOf = (text: string): string => text.slice(0, HEAD);

export class Vocabulary {
  readonly #postings = new Postings();
  #end = 0;
  /** Empty between uses; its size allows numbers below #marksEnd. */
  #marks = new Bits(0);
  #marksEnd = 0;
  /** Two buffers for intersections, used alternately and kept, so that a search does not allocate. */
  readonly #shared = [new Uint32Array(0), new Uint32Array(0)];

  add(number: number, text: string): void {
    this.#end = Math.max(this.#end, number + 1);
    const parts = trigramsOf(text);
    if (text.length >= HEAD) parts.add(headOf(text));
    this.#postings.add(number, parts);
  }

  remove(number: number): void {
    this.#postings.remove(number);
  }

  /** Numbers of all texts that contain a part, and of others unless `isExact`; valid until the next call or change. */
  candidates(part: string): { numbers: Uint32Array; isExact: boolean } {
    const lists = [...trigramsOf(part)].map((trigram) => this.#postings.rowsWith(trigram));
    const [rarest, ...others] = lists.sort((a, b) => a.length - b.length);
    let numbers = rarest!;
    for (const [i, list] of others.entries()) {
      if (numbers.length <= FEW || list.length > READ_COST * numbers.length) break;
      numbers = this.#both(numbers, list, i % 2);
    }
    return { numbers, isExact: part.length === TRIGRAM };
  }

  /** Numbers of all texts that begin with a part, and of others; valid until the next call or change. */
  beginning(part: string): Uint32Array {
    return part.length < HEAD ? this.candidates(part).numbers : this.#postings.rowsWith(headOf(part));
  }

  /** Intersects two lists into buffer number `to`, which must not be the one that `some` is in. */
  #both(some: Uint32Array, others: Uint32Array, to: number): Uint32Array {
    if (this.#marksEnd < this.#end) {
      this.#marksEnd = 2 * this.#end;
      this.#marks = new Bits(this.#marksEnd);
    }
    const marks = this.#marks;
    marks.addAll(some, 0, some.length);
    if (this.#shared[to]!.length < some.length) this.#shared[to] = new Uint32Array(2 * some.length);
    const both = this.#shared[to]!;
    let count = 0;
    for (let i = 0; i < others.length; i++) if (marks.has(others[i]!)) both[count++] = others[i]!;
    for (let i = 0; i < some.length; i++) marks.remove(some[i]!);
    return both.subarray(0, count);
  }
}
