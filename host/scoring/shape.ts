// The layout of an output: lines, sentences, paragraphs, brackets, numbers, references.
// Keeps: each function is one pass over bytes, without strings or regular expressions. Source: protocol 6.14.

import { WORD_BYTE } from './lexicon.ts';

const LF = 0x0a;
const HASH = 0x23;
const STAR = 0x2a;
const DASH = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const PIPE = 0x7c;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
/** White space of ASCII: TAB, LF, VT, FF, CR, space. */
const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/** Calls `visit` with [from, to) of each line, LF excluded; a last LF is followed by an empty line. */
function forEachLine(out: Uint8Array, visit: (from: number, to: number) => void): void {
  let from = 0;
  for (let i = 0; i < out.length; i++) {
    if (out[i] !== LF) continue;
    visit(from, i);
    from = i + 1;
  }
  visit(from, out.length);
}

/** How often each byte occurs. */
export function histogram(out: Uint8Array): Uint32Array {
  const counts = new Uint32Array(256);
  for (let i = 0; i < out.length; i++) counts[out[i]!]!++;
  return counts;
}

/** `//`, `#` or `/*` anywhere. */
export function hasCommentSign(out: Uint8Array): boolean {
  if (out.includes(HASH)) return true;
  for (let i = 1; i < out.length; i++) {
    if (out[i - 1] === SLASH && (out[i] === SLASH || out[i] === STAR)) return true;
  }
  return false;
}

/** Number of lines, and the bytes of the longest. */
export function lineLengths(out: Uint8Array): { lines: number; longest: number } {
  let lines = 0;
  let longest = 0;
  forEachLine(out, (from, to) => {
    lines++;
    longest = Math.max(longest, to - from);
  });
  return { lines, longest };
}

/** Whether a line starts like a heading or a list item: `#`, `-`, `*`, or digits and a dot. */
function isListLine(out: Uint8Array, from: number, to: number): boolean {
  if (from === to) return false;
  const first = out[from]!;
  if (first === HASH || first === DASH || first === STAR) return true;
  let i = from;
  while (i < to && isDigit(out[i]!)) i++;
  return i > from && i < to && out[i] === DOT;
}

/** Whether the line is empty or white space. */
function isBlankLine(out: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!isBlank(out[i]!)) return false;
  return true;
}

interface Text {
  paragraphs: number;
  sentences: number;
  hasListLine: boolean;
}

/** Paragraphs, sentences that contain a word, and whether there is a heading or list line. */
export function textShape(out: Uint8Array): Text {
  const text: Text = { paragraphs: 0, sentences: sentenceCount(out), hasListLine: false };
  let inParagraph = false;
  forEachLine(out, (from, to) => {
    const blank = isBlankLine(out, from, to);
    if (!blank && !inParagraph) text.paragraphs++;
    inParagraph = !blank;
    text.hasListLine ||= isListLine(out, from, to);
  });
  return text;
}

/** Whether a byte ends a sentence. */
const isSentenceEnd = (byte: number): boolean =>
  byte === DOT || byte === 0x21 || byte === 0x3f || byte === LF;

/** Number of stretches up to `.`, `!`, `?` or LF that contain a word. */
export function sentenceCount(out: Uint8Array): number {
  let sentences = 0;
  let hasWord = false;
  for (let i = 0; i < out.length; i++) {
    const byte = out[i]!;
    if (WORD_BYTE[byte] !== 0) hasWord = true;
    else if (hasWord && isSentenceEnd(byte)) {
      sentences++;
      hasWord = false;
    }
  }
  return hasWord ? sentences + 1 : sentences;
}

/** Column that a byte separates: 0 for comma, 1 for semicolon, 2 for TAB; NONE for every other byte. */
const NONE = 3;
const SEPARATOR = new Uint8Array(256).fill(NONE);
for (const [column, char] of [...',;\t'].entries()) SEPARATOR[char.charCodeAt(0)] = column;

/** Two or more non-empty lines that all have the same number, not zero, of one separator. */
export function hasEvenColumns(out: Uint8Array): boolean {
  const counts = new Int32Array(NONE + 1);
  const expected = new Int32Array(NONE);
  const even = [true, true, true];
  let lines = 0;
  let blank = true;
  for (let i = 0; i <= out.length; i++) {
    const byte = i < out.length ? out[i]! : LF;
    if (byte !== LF) {
      counts[SEPARATOR[byte]!]!++;
      blank &&= isBlank(byte);
      continue;
    }
    if (!blank) {
      for (let c = 0; c < NONE; c++) {
        if (lines === 0) expected[c] = counts[c]!;
        even[c] &&= counts[c]! > 0 && counts[c] === expected[c];
      }
      lines++;
    }
    counts.fill(0);
    blank = true;
  }
  return lines >= 2 && even.includes(true);
}

/** A line that starts with `|`, `-`, `*` or `#`. */
export function hasTableLine(out: Uint8Array): boolean {
  for (let i = 0; i < out.length; i++) {
    if (i > 0 && out[i - 1] !== LF) continue;
    const first = out[i]!;
    if (first === PIPE || first === DASH || first === STAR || first === HASH) return true;
  }
  return false;
}

/** Distinct maximal digit runs, counted up to `max`. */
export function distinctNumbers(out: Uint8Array, max: number): number {
  const known: Uint8Array[] = [];
  for (let i = 0; i < out.length && known.length < max; i++) {
    if (!isDigit(out[i]!)) continue;
    const from = i;
    while (i < out.length && isDigit(out[i]!)) i++;
    const run = out.subarray(from, i);
    if (!known.some((other) => isSameRun(other, run))) known.push(run);
  }
  return known.length;
}

function isSameRun(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

const HTTP = [0x68, 0x74, 0x74, 0x70];

/** Whether the bytes before `end` spell `http`. */
function endsInHttp(out: Uint8Array, end: number): boolean {
  return end >= HTTP.length && HTTP.every((byte, k) => out[end - HTTP.length + k] === byte);
}

/** How often `http://` or `https://` occurs. */
export function urlCount(out: Uint8Array): number {
  let urls = 0;
  for (let i = 0; i + 2 < out.length; i++) {
    if (out[i] !== COLON || out[i + 1] !== SLASH || out[i + 2] !== SLASH) continue;
    if (endsInHttp(out, i) || (out[i - 1] === 0x73 && endsInHttp(out, i - 1))) urls++;
  }
  return urls;
}

/** How often digits in brackets, `[n]`, occur. */
export function referenceCount(out: Uint8Array): number {
  let references = 0;
  for (let i = 0; i < out.length; i++) {
    if (out[i] !== OPEN) continue;
    let end = i + 1;
    while (end < out.length && isDigit(out[end]!)) end++;
    if (end > i + 1 && out[end] === CLOSE) references++;
    i = end - 1;
  }
  return references;
}
