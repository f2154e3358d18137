// The distinct words of all indexed texts, and which of them hold, begin with or end in a piece of a word.
// A piece is looked up by its rarest run of up to three characters, so the cost is a few words and not the vocabulary.

import { Postings } from './postings.ts';

/** Marks the begin of a word in its runs, and its end: no word holds them. */
const BEGIN = '^';
const END = '$';
const RUN_MOST = 3;

export interface Piece {
  text: string;
  /** The piece starts where a word starts; ends where one ends. */
  begins: boolean;
  ends: boolean;
}

/** Runs of a word: every 1, 2 and 3 characters that follow each other, its marks included. */
function runsOf(word: string): Set<string> {
  const marked = BEGIN + word + END;
  const runs = new Set<string>();
  for (let at = 0; at < marked.length; at++) {
    for (let size = 1; size <= RUN_MOST && at + size <= marked.length; size++) {
      runs.add(marked.slice(at, at + size));
    }
  }
  return runs;
}

const markedText = ({ text, begins, ends }: Piece): string =>
  (begins ? BEGIN : '') + text + (ends ? END : '');

export class Vocabulary {
  readonly #runs = new Postings();

  add(word: number, text: string): void {
    this.#runs.add(word, runsOf(text));
  }

  remove(word: number): void {
    this.#runs.remove(word);
  }

  /** Numbers of the words that a piece fits. `textOf`: the word behind a number. */
  matching(piece: Piece, textOf: (word: number) => string): number[] {
    const marked = markedText(piece);
    const size = Math.min(RUN_MOST, marked.length);
    let rarest = this.#runs.rowsWith(marked.slice(0, size));
    for (let at = 1; at + size <= marked.length; at++) {
      const words = this.#runs.rowsWith(marked.slice(at, at + size));
      if (words.length < rarest.length) rarest = words;
    }
    const found = Array.from(rarest);
    // A piece that is one run says by itself that the word fits.
    if (marked.length === size) return found;
    return found.filter((word) => `${BEGIN}${textOf(word)}${END}`.includes(marked));
  }
}
