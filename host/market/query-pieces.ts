// What a query says about the words of a text that contains it, and about how they are joined.
// "ice scan" is held by texts with a word that ends in "ice", one that begins with "scan", and the joint "e s".

import { FIELD_END } from './text-fields.ts';
import type { Piece } from './vocabulary.ts';

/** A word as DECISIONS 6.14 has it, on lower-cased text: ASCII letters, digits, everything beyond ASCII. */
const WORD = /[a-z0-9\u0080-\uffff]+/g;
/** Signs between two words that a joint may have; longer ones are not indexed. */
const JOINT_MOST = 3;

/** Distinct words of a text, lower-cased. */
export const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(WORD) ?? []);

export interface TextParts {
  pieces: Piece[];
  /** Last character of a word, what stands between, first character of the next. */
  joints: Set<string>;
  words: Set<string>;
}

/** Takes a lower-cased text or query apart. */
export function partsOf(text: string): TextParts {
  const pieces = new Map<string, Piece>();
  const joints = new Set<string>();
  const words = new Set<string>();
  let last = -1;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const end = index + word.length;
    const piece = { text: word, begins: index > 0, ends: end < text.length };
    pieces.set(`${piece.begins}${piece.ends}${word}`, piece);
    words.add(word);
    if (last >= 0 && index - last <= JOINT_MOST) {
      const joint = text.slice(last - 1, index + 1);
      if (!joint.includes(FIELD_END)) joints.add(joint);
    }
    last = end;
  }
  return { pieces: [...pieces.values()], joints, words };
}
