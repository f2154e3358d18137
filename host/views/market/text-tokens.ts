// Splits a text into words, tokens and joints. A token is a word with the separators on both sides, so that neighbours
// share the separator between them: "ice, scan" gives "ice, " and ", scan", connected by the joint "ce, sc".
// Keeps: a substring with at most one word is contained in one of the tokens; a substring of several words is contained
// in a sequence of tokens, the inner ones of which it contains completely. Nothing spans fields.

/** Separates fields: no request may contain it (protocol 1.2), so no query matches across fields. */
export const FIELD_END = '\u0000';

/** The text of a document with several fields. */
export const joinFields = (fields: readonly string[]): string => fields.join(FIELD_END);

/** A word of protocol 6.14 in lower-cased text: ASCII letters, digits, and all characters beyond ASCII. */
const WORD = /[a-z0-9\u0080-\uffff]+/g;

/** Distinct words of a text, lower-cased. */
export const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(WORD) ?? []);

const SEPARATOR = /[^a-z0-9\u0080-\uffff]+/;
const SEPARATOR_BEFORE = /^[^a-z0-9\u0080-\uffff]+/;

/** The word of a token, if it has one. */
export const wordIn = (token: string): string | undefined => token.match(WORD)?.[0];

/** How many characters of a token are before its word; all of them if it has none. */
export const separatorLength = (token: string): number =>
  token.length - token.replace(SEPARATOR_BEFORE, '').length;

/** Largest number of characters of a word in a joint. */
export const SIDE = 2;

export interface Tokens {
  /** In order; a text without words is one token. */
  tokens: string[];
  /** Joint i connects tokens i and i + 1: the last two characters of a word, the separator, the first two of the next. */
  joints: string[];
}

/** Splits one lower-cased field or query. */
export function tokensOf(field: string): Tokens {
  const tokens: string[] = [];
  const joints: string[] = [];
  // Begin of the separator before the current word, and begin and end of the word.
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

/** A joint reduced to one character on each side of the separator. */
export const shortJoint = (joint: string): string => {
  const separator = joint.match(SEPARATOR)!;
  return joint.slice(separator.index! - 1, separator.index! + separator[0].length + 1);
};

/** The fields of a text, each split. */
export const fieldTokens = (text: string): Tokens[] => text.split(FIELD_END).map(tokensOf);
