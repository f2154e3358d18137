// The tokens of each document in their order: two or three bytes for each.
//
//   sequence:   token token token END  token END       a token as its number + 1, END as 0; seven bits a byte, the last below 128
//
// Keeps: no token has END's number, and every field is followed by END, so what is found lies within one field.

import { grown } from '../columns.ts';
import { BytePages, placeOf } from './byte-pages.ts';
import type { Needle } from './needle.ts';
import { END, type TokenTest } from './token-test.ts';

/** Two or more tokens in a row. */
export interface Phrase {
  /** All but the first and the last, as `written`. */
  inner: Needle;
  first: TokenTest;
  last: TokenTest;
}

/** Numbers as in a sequence. */
export function written(tokens: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const token of tokens) putNumber(bytes, token === END ? 0 : token + 1);
  return Uint8Array.from(bytes);
}

function putNumber(bytes: number[], number: number): void {
  let rest = number;
  for (; rest > 127; rest >>>= 7) bytes.push(128 | (rest & 127));
  bytes.push(rest);
}

/** Where the number begins whose last byte is before `end`. */
function beginBefore(page: Uint8Array, end: number, from: number): number {
  let at = end - 1;
  while (at > from && page[at - 1]! > 127) at -= 1;
  return at;
}

/** The token that begins at a place. */
function tokenAt(page: Uint8Array, from: number): number {
  let value = 0;
  for (let at = from, shift = 0; ; at++, shift += 7) {
    value |= (page[at]! & 127) << shift;
    if (page[at]! < 128) return value === 0 ? END : value - 1;
  }
}

export class TokenSequences {
  readonly #bytes = new BytePages();
  /** By document: where its sequence begins, and its bytes. */
  #begins = new Uint32Array(16);
  #lengths = new Uint32Array(16);

  add(document: number, sequence: readonly number[]): void {
    const bytes = written(sequence);
    const offset = this.#bytes.take(bytes.length);
    this.#bytes.pageOf(offset).set(bytes, placeOf(offset));
    this.#begins = grown(this.#begins, document);
    this.#lengths = grown(this.#lengths, document);
    this.#begins[document] = offset;
    this.#lengths[document] = bytes.length;
  }

  of(document: number): number[] {
    const page = this.#bytes.pageOf(this.#begins[document]!);
    const from = placeOf(this.#begins[document]!);
    const tokens: number[] = [];
    for (let at = from; at < from + this.#lengths[document]!; at++) {
      tokens.push(tokenAt(page, at));
      while (page[at]! > 127) at += 1;
    }
    return tokens;
  }

  contains(document: number, { inner, first, last }: Phrase): boolean {
    const page = this.#bytes.pageOf(this.#begins[document]!);
    const from = placeOf(this.#begins[document]!);
    const end = from + this.#lengths[document]!;
    let matched = 0;
    // The last token is behind the inner ones.
    for (let next = from + 1; next < end; next++) {
      matched = inner.after(matched, page[next - 1]!);
      const at = next - inner.length;
      // There a number begins, and the inner ones do.
      if (matched < inner.length || at === from || page[at - 1]! > 127) continue;
      if (first.holds(tokenAt(page, beginBefore(page, at, from))) && last.holds(tokenAt(page, next)))
        return true;
    }
    return false;
  }
}
