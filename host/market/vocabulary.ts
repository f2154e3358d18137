// Which of many texts (words, tokens) may contain a part of three characters or more, by number.
// It is looked up by its rarest run of three characters, so the cost is a few texts and not all of them.

import { Postings } from './postings.ts';

/** Shortest part that can be looked up. */
export const RUN = 3;

function runsOf(text: string): Set<string> {
  const runs = new Set<string>();
  for (let at = 0; at + RUN <= text.length; at++) runs.add(text.slice(at, at + RUN));
  return runs;
}

export class Vocabulary {
  readonly #runs = new Postings();

  add(number: number, text: string): void {
    this.#runs.add(number, runsOf(text));
  }

  remove(number: number): void {
    this.#runs.remove(number);
  }

  /** Numbers of all texts that contain a part, and of others unless `isExact`; valid until the next change. */
  candidates(part: string): { numbers: Uint32Array; isExact: boolean } {
    let rarest: Uint32Array | undefined;
    for (const run of runsOf(part)) {
      const numbers = this.#runs.rowsWith(run);
      if (!rarest || numbers.length < rarest.length) rarest = numbers;
    }
    return { numbers: rarest!, isExact: part.length === RUN };
  }
}
