// Which of many texts (words, tokens) may contain a part of three characters or more, by number.
// It is looked up by its rarest runs of three characters, so the cost is a few texts and not all of them. Where even the
// rarest run is in many, those that hold the next one too are found by their numbers, which is far cheaper than reading.
// Which may begin with a part is told by its first characters at once, where it has so many.

import { Bits } from './bits.ts';
import { Postings } from './postings.ts';

/** Shortest part that can be looked up. */
export const RUN = 3;
/** Characters of a text that stand for how it begins: no run is as long. */
const HEAD = 6;
/** So few texts are read at once. */
const FEW = 64;
/** Reading a text costs as much as going over this many numbers. */
const READ_COST = 16;

function runsOf(text: string): Set<string> {
  const runs = new Set<string>();
  for (let at = 0; at + RUN <= text.length; at++) runs.add(text.slice(at, at + RUN));
  return runs;
}

const headOf = (text: string): string => text.slice(0, HEAD);

export class Vocabulary {
  readonly #runs = new Postings();
  #end = 0;
  /** Empty between uses, with room for numbers below its size. */
  #marks = new Bits(0);
  #marksEnd = 0;
  /** Numbers that two lists share; of three lists, one holds those of the first two. Kept: no search allocates. */
  readonly #shared = [new Uint32Array(0), new Uint32Array(0)];

  add(number: number, text: string): void {
    this.#end = Math.max(this.#end, number + 1);
    const runs = runsOf(text);
    if (text.length >= HEAD) runs.add(headOf(text));
    this.#runs.add(number, runs);
  }

  remove(number: number): void {
    this.#runs.remove(number);
  }

  /** Numbers of all texts that contain a part, and of others unless `isExact`; valid until the next call or change. */
  candidates(part: string): { numbers: Uint32Array; isExact: boolean } {
    const lists = [...runsOf(part)].map((run) => this.#runs.rowsWith(run));
    const [rarest, ...others] = lists.sort((a, b) => a.length - b.length);
    let numbers = rarest!;
    for (const [i, list] of others.entries()) {
      if (numbers.length <= FEW || list.length > READ_COST * numbers.length) break;
      numbers = this.#both(numbers, list, i % 2);
    }
    return { numbers, isExact: part.length === RUN };
  }

  /** Numbers of all texts that begin with a part, and of others; valid until the next call or change. */
  beginning(part: string): Uint32Array {
    return part.length < HEAD ? this.candidates(part).numbers : this.#runs.rowsWith(headOf(part));
  }

  /** Numbers that stand in two lists, put into the shared list `to`, which `some` must not be. */
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
