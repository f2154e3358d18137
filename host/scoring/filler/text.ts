// An output prepared for the filler gates: its words, and where phrases, lines and sentences begin.
// Keeps: only the first 20,000 words are judged (about 120 kB of prose), which bounds the cost of these gates.

import type { Output, Reading } from '../reading.ts';

/** What precedes a word: only blanks; a punctuation mark; the end of a line or cell; the end of a sentence. */
export const NO_BREAK = 0;
export const PHRASE = 1;
export const LINE = 2;
export const SENTENCE = 3;

/** Break level of each byte that is not part of a word and does not end a sentence. */
const LEVEL = new Uint8Array(256);
LEVEL.fill(PHRASE, 0x21, 0x80);
// In text inside JSON a backslash begins an escaped line end.
for (const char of '\n\t"|{}[];\\') LEVEL[char.charCodeAt(0)] = LINE;
// An apostrophe joins the parts of a word.
LEVEL[0x27] = NO_BREAK;
const isEnd = (byte: number): boolean => byte === 0x2e || byte === 0x21 || byte === 0x3f;
const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

const MAX_WORDS = 20_000;

export interface Text {
  readonly reading: Reading;
  /** The judged words of the output. */
  readonly words: Int32Array;
  /** For each word the strongest break before it; the first has SENTENCE. */
  readonly breaks: Uint8Array;
  /** For hashing: a value nobody can choose. */
  readonly seed: number;
}

export function textOf(reading: Reading, { bytes, salt }: Output): Text {
  const words = reading.words.subarray(0, MAX_WORDS);
  const seed = new DataView(salt.buffer, salt.byteOffset).getInt32(12);
  return { reading, words, breaks: breaksOf(words, reading, bytes), seed };
}

function breaksOf(words: Int32Array, { starts, lexicon }: Reading, bytes: Uint8Array): Uint8Array {
  const breaks = new Uint8Array(words.length);
  let end = 0;
  for (let i = 0; i < words.length; i++) {
    const start = starts[i]!;
    let level = NO_BREAK;
    // `.`, `!` or `?` right after a word and before a blank ends a sentence; elsewhere it is an operator or part of a name.
    if (i === 0 || (end + 1 < start && isEnd(bytes[end]!) && isBlank(bytes[end + 1]!))) level = SENTENCE;
    for (let k = end; k < start; k++) level = Math.max(level, LEVEL[bytes[k]!]!);
    breaks[i] = level;
    end = start + lexicon.lengthOf(words[i]!);
  }
  return breaks;
}
