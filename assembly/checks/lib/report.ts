// What a check answers: verdict, score, reason (protocol 14.2), and the words of the reason.
// Keeps: at most 200 bytes, cut between characters; quoted bytes have nothing that the outcome may not hold.

import { writeDecimal } from '../../lib/text';
import { decode } from './utf8';

const FAIL: u8 = 0;
const PASS: u8 = 1;
const BAD_PARAMETERS: u8 = 2;
const MAX_REASON: u32 = 200;
/** What is quoted of a delivery. */
const MAX_QUOTED: u32 = 40;
const REPLACEMENT: u32 = 0xfffd;

// One character may be written beyond the end, and is then taken back.
const OUT: usize = memory.data(4 + 200 + 32, 8);
const DIGITS: usize = memory.data(24, 8);
let length: u32 = 0;
let isCut: bool = false;

function put(from: usize, bytes: u32): void {
  if (isCut || length + bytes > MAX_REASON) {
    isCut = true;
    return;
  }
  memory.copy(OUT + 4 + length, from, bytes);
  length += bytes;
}

/** Adds an ASCII text of the source. */
export function say(text: string): void {
  const from = changetype<usize>(text);
  for (let i = 0; i < text.length; i++) put(from + ((<usize>i) << 1), 1);
}

export function sayNumber(value: u64): void {
  put(DIGITS, <u32>(writeDecimal(DIGITS, value) - DIGITS));
}

// Controls, line separators, and what sets the direction of text.
function isShowable(code: u32): bool {
  if (code < 32 || (code >= 0x7f && code < 0xa0)) return false;
  if (code == 0x061c || code == 0x200e || code == 0x200f) return false;
  return !((code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069));
}

/** Adds bytes of a stranger in quotes: at most 40, whole characters, what may not be shown replaced by a question mark. */
export function quote(at: usize, bytes: u32): void {
  say('"');
  let end = at + bytes;
  if (bytes > MAX_QUOTED) end = at + MAX_QUOTED;
  while (at < end) {
    const code = decode(at, end);
    const size: usize = code == REPLACEMENT ? 1 : code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (code == REPLACEMENT || !isShowable(code)) say('?');
    else put(at, <u32>size);
    at += size;
  }
  say(bytes > MAX_QUOTED ? '..."' : '"');
}

function answer(verdict: u8, scoreBps: u32): u64 {
  store<u8>(OUT, verdict);
  store<u8>(OUT, 0, 1);
  store<u16>(OUT, <u16>scoreBps, 2);
  return ((<u64>OUT) << 32) | (4 + length);
}

/** The delivery is as agreed; the score in basis points, at most 10,000. */
export function pass(scoreBps: u32 = 10_000): u64 {
  return answer(PASS, scoreBps);
}

/** It is not, for the reason that was said; the score says how much of it is. */
export function fail(scoreBps: u32 = 0): u64 {
  return answer(FAIL, scoreBps);
}

/** Whether the parameters were found invalid; the reason was then said. */
export let areParametersBad: bool = false;

/** Notes that the parameters are invalid and why; the first fault counts. */
export function rejectParameters(why: string): void {
  if (areParametersBad) return;
  areParametersBad = true;
  length = 0;
  say('parameters: ');
  say(why);
}

export function badParameters(): u64 {
  return answer(BAD_PARAMETERS, 0);
}
