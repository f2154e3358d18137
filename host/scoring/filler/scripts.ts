// Whether words look like natural language: letters of one script, not encoded values.

import { shareBp } from '../policy.ts';
import type { Text } from './text.ts';

const NEUTRAL = 0;
const LATIN = 1;
const SYMBOL = 2;
/** Script by the first byte of a UTF-8 sequence. Coarse: two scripts that differ here never mix inside a word. */
const SCRIPT = new Uint8Array(256);
const RANGES: readonly (readonly [number, number, number])[] = [
  [0x41, 0x7a, LATIN],
  [0xc3, 0xcb, LATIN],
  [0xce, 0xcf, 3],
  [0xd0, 0xd3, 4],
  [0xd4, 0xd6, 5],
  [0xd7, 0xdf, 6],
  [0xe0, 0xe0, 7],
  [0xe1, 0xe1, 8],
  [0xe2, 0xe2, SYMBOL],
  [0xe3, 0xe9, 9],
  [0xea, 0xed, 10],
  [0xee, 0xee, SYMBOL],
  [0xf0, 0xff, SYMBOL],
];
for (const [first, last, script] of RANGES) SCRIPT.fill(script, first, last + 1);
/** U+2000 to U+207F: dashes, quotation marks and spaces. They count as part of words only because they are not ASCII. */
const PUNCTUATION_LEAD = 0xe2;
const PUNCTUATION_LAST = 0x81;
/** A symbol or two, such as a tick or an arrow, does not make a word odd. */
const MAX_SYMBOLS = 2;

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const kindOf = (byte: number): number => {
  if (byte >= 0x30 && byte <= 0x39) return DIGIT;
  return byte <= 0x5a ? UPPER : LOWER;
};
/** Shorter words cannot be distinguished from encoded values. */
const OPAQUE_BYTES = 8;

/** Whether an ASCII word looks like an encoded or random value: it switches between cases and digits very often. */
function isOpaqueWord(bytes: Uint8Array): boolean {
  if (bytes.length < OPAQUE_BYTES) return false;
  let changes = 0;
  for (let i = 1; i < bytes.length; i++) {
    const [before, kind] = [kindOf(bytes[i - 1]!), kindOf(bytes[i]!)];
    // A capital followed by lower-case letters is normal, as in names.
    if (before !== kind && !(before === UPPER && kind === LOWER)) changes++;
  }
  return 4 * changes >= bytes.length;
}

function isOddWord(bytes: Uint8Array): boolean {
  let symbols = 0;
  let scripts = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === PUNCTUATION_LEAD && (bytes[i + 1] ?? 0) <= PUNCTUATION_LAST) continue;
    const script = SCRIPT[byte]!;
    if (script === SYMBOL) symbols++;
    else if (script !== NEUTRAL && script !== LATIN) scripts |= 1 << script;
  }
  // More than one bit set: two scripts besides Latin. Latin may mix with any other script, in names and units.
  return symbols > MAX_SYMBOLS || (scripts & (scripts - 1)) !== 0;
}

/** Mark of a word not examined yet. */
const UNKNOWN = 2;

/** Share of the output's words that no language would write. */
export function oddWordsBp({ reading: { lexicon }, words }: Text): number {
  if (words.length === 0) return 0;
  const isOdd = (id: number): boolean =>
    lexicon.isAscii(id) ? isOpaqueWord(lexicon.bytesOf(id)) : isOddWord(lexicon.bytesOf(id));
  const odd = new Uint8Array(lexicon.count).fill(UNKNOWN);
  let count = 0;
  for (const id of words) {
    if (odd[id] === UNKNOWN) odd[id] = isOdd(id) ? 1 : 0;
    count += odd[id]!;
  }
  return shareBp(count, words.length);
}
