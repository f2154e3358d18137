// How the full text takes a text apart. A token is a word with the signs around it, so that neighbours share the signs
// between them: "ice, scan" is "ice, " and ", scan", joined by the joint "ce, sc".
// Keeps: what a text contains with at most one word in it, one of its tokens contains; what spans several words, a
// run of tokens contains, each of the inner ones as a whole. Nothing goes across fields.

import { FIELD_END } from './text-fields.ts';

/** A word as protocol 6.14 has it, on lower-cased text: ASCII letters, digits, everything beyond ASCII. */
const WORD = /[a-z0-9\u0080-\uffff]+/g;

/** Distinct words of a text, lower-cased. */
export const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(WORD) ?? []);

const SIGNS = /[^a-z0-9\u0080-\uffff]+/;

/** Whether a lower-cased text holds a character that is not of a word. */
export const hasSign = (text: string): boolean => SIGNS.test(text);

/** Most characters of a word in a joint. */
const SIDE = 2;

export interface Tokens {
  /** In order; for a text without words the text itself. */
  tokens: string[];
  /** Joint i stands between tokens i and i + 1: last two characters of a word, the signs, first two of the next. */
  joints: string[];
}

/** Takes one field, lower-cased, or a query apart. */
export function tokensOf(field: string): Tokens {
  const tokens: string[] = [];
  const joints: string[] = [];
  /** Where the signs before the word at hand start, and the word. */
  let from = 0;
  let start = -1;
  let end = 0;
  for (const { 0: word, index } of field.matchAll(WORD)) {
    if (start >= 0) {
      tokens.push(field.slice(from, index));
      const before = Math.max(start, end - SIDE);
      joints.push(field.slice(before, Math.min(index + SIDE, index + word.length)));
      from = end;
    }
    start = index;
    end = index + word.length;
  }
  if (field !== '') tokens.push(field.slice(from));
  return { tokens, joints };
}

/** A joint with one character on each side. */
export const shortJoint = (joint: string): string => {
  const signs = joint.match(SIGNS)!;
  return joint.slice(signs.index! - 1, signs.index! + signs[0].length + 1);
};

/** The fields of a text, each taken apart. */
export const fieldTokens = (text: string): Tokens[] => text.split(FIELD_END).map(tokensOf);
