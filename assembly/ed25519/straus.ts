// Sums of multiples of points by Straus' method: one chain of doublings for all, signed odd digits (wNAF), a table of
// odd multiples for each point.
// Keeps: a plan, two lists of table entries for each bit, one to add and one to subtract, so that the main loop neither
// visits zero digits nor branches on signs. The number of additions depends on public values only.

import { addCached, cacheFour, cachePoint, doubleCached, doublePoint, setNeutral, subCached } from './point';
import { QUAD_BYTES } from './sizes';

// Smaller batches are summed here, others in buckets: measured, like the windows of pippenger.ts. A term of 128 bits
// at width 4 has at most 33 digits, one of 253 at width 5 at most 52.
export const MIN_BUCKETED_SIGNATURES: u32 = 150;
const MAX_ENTRIES: u32 = 12835;

const BITS: u32 = 256;
const HEADS_BYTES: usize = 2048;
// For each bit the address of its first entry to add, then of its first to subtract; 0 = none.
const HEADS: usize = memory.data(HEADS_BYTES, 16);
// Entries: u32 address of the next, u32 address of a cached point.
const ENTRIES: usize = memory.data(MAX_ENTRIES << 3, 16);
const DOUBLED: usize = memory.data(QUAD_BYTES, 16);
const STEP: usize = memory.data(QUAD_BYTES, 16);

let entryCount: u32 = 0;

/**
 * Fills a table whose first entry is a decoded point P with 3P, 5P, ...: `count` entries, 4 to 64, all cached. One
 * more entry behind them is overwritten, because points are cached four at a time.
 */
export function fillOddMultiples(table: usize, count: u32): void {
  const end = table + count * QUAD_BYTES;
  doubleCached(DOUBLED, table);
  cachePoint(STEP, DOUBLED);
  addCached(table + QUAD_BYTES, DOUBLED, table);
  for (let at = table + 2 * QUAD_BYTES; at < end; at += QUAD_BYTES) addCached(at, at - QUAD_BYTES, STEP);
  setNeutral(end);
  for (let at = table + QUAD_BYTES; at < end; at += 4 * QUAD_BYTES) cacheFour(at);
}

export function clearPlan(): void {
  memory.fill(HEADS, 0, HEADS_BYTES);
  entryCount = 0;
}

/** Bits `at` to `at + count - 1` of a number of `words` words; beyond its end they are 0. */
function bitsAt(scalar: usize, words: u32, at: u32, count: u32): u32 {
  const word = at >> 5;
  let bits: u64 = 0;
  if (word < words) bits = load<u32>(scalar + (word << 2));
  if (word + 1 < words) bits |= (<u64>load<u32>(scalar + (word << 2), 4)) << 32;
  return <u32>(bits >> (at & 31)) & ((1 << count) - 1);
}

/**
 * Adds to the plan `scalar` times the point of `table` (2^(width-2) odd multiples), or minus that. The scalar has
 * `words` words and is below 2^255.
 */
export function planTerm(table: usize, scalar: usize, words: u32, width: u32, negative: bool): void {
  let carry: u32 = 0;
  let at: u32 = 0;
  const end = min(BITS, (words << 5) + 1);
  while (at < end) {
    const window = bitsAt(scalar, words, at, width);
    if ((window & 1) == carry) {
      at++;
      continue;
    }
    // Odd and below 2^width; from the middle on it becomes a negative digit and a carry.
    const digit = window + carry;
    carry = digit >> (width - 1);
    const size = carry ? (1 << width) - digit : digit;
    planEntry(at, table + (size >> 1) * QUAD_BYTES, carry != 0 ? !negative : negative);
    at += width;
  }
}

function planEntry(bit: u32, cached: usize, negative: bool): void {
  assert(entryCount < MAX_ENTRIES, 'plan is full');
  const head = HEADS + (bit << 3) + (negative ? 4 : 0);
  const entry = ENTRIES + (entryCount++ << 3);
  store<u32>(entry, load<u32>(head));
  store<u32>(entry, <u32>cached, 4);
  store<u32>(head, <u32>entry);
}

/** out = the sum of all planned terms. */
export function runPlan(out: usize): void {
  setNeutral(out);
  let started = false;
  for (let bit: i32 = BITS - 1; bit >= 0; bit--) {
    if (started) doublePoint(out, out);
    for (let e: usize = load<u32>(HEADS + (bit << 3)); e != 0; e = load<u32>(e)) {
      addCached(out, out, load<u32>(e, 4));
      started = true;
    }
    for (let e: usize = load<u32>(HEADS + (bit << 3), 4); e != 0; e = load<u32>(e)) {
      subCached(out, out, load<u32>(e, 4));
      started = true;
    }
  }
}
