// Sums of multiples of many points by Pippenger's method: for each window of c bits, points are added to buckets by
// their signed digit, and each bucket's sum is multiplied by its number.
// Keeps: windows from the highest down; buckets hold one window's sums at a time. For batches so large that summing up
// the buckets (2 additions each) costs less than the tables of straus.ts, which serves smaller ones.

import { addCached, cacheFour, doublePoint, setCached, setNeutral, subCached } from './point';
import { MAX_LOADED_JOBS, QUAD_BYTES } from './sizes';

const MAX_TERMS: u32 = 2 * MAX_LOADED_JOBS + 1;
// Buckets of the largest window, 8 bits with a sign.
const MAX_BUCKETS: u32 = 128;
const LONG_BITS: u32 = 253;
const SHORT_BITS: u32 = 128;

// Terms: addresses of their cached points, those with long scalars first. Digits: i16, a row for each
// window, 43 rows of 6 bits at most.
const TERMS: usize = memory.data(8208, 16);
const ROW_BYTES: usize = 4112;
const DIGITS: usize = memory.data(176816, 16);
let termCount: u32 = 0;
let longCount: u32 = 0;
let window: u32 = 0;

// Bucket b >= 1 is at position b - 1; the running sums are in order of creation, from the top bucket down.
const BUCKETS: usize = memory.data(20480, 16);
const RUNNING: usize = memory.data(20480, 16);
const FILLED: usize = memory.data(128, 16);
const ROW_SUM: usize = memory.data(QUAD_BYTES, 16);

/** Starts a sum with a window size for that many terms per window on average. */
export function clearTerms(termsInRow: u32): void {
  window = termsInRow < 400 ? 6 : termsInRow < 850 ? 7 : 8;
  termCount = 0;
  longCount = 0;
}

/** Adds `scalar` times a cached point to the sum. `words` is 8 (below 2^253) or 4; those of 8 come first. */
export function addTerm(cached: usize, scalar: usize, words: u32): void {
  assert(termCount < MAX_TERMS, 'too many terms');
  const isLong = words == 8;
  assert(!isLong || longCount == termCount, 'long terms come first');
  store<u32>(TERMS + (termCount << 2), <u32>cached);
  const half: i32 = 1 << (window - 1);
  const rows = rowCount(isLong ? LONG_BITS : SHORT_BITS);
  let carry: i32 = 0;
  let to = DIGITS + (termCount << 1);
  for (let row: u32 = 0; row < rows; row++) {
    let digit = windowBits(scalar, words, row * window) + carry;
    carry = i32(digit > half);
    digit -= carry << window;
    store<i16>(to, <i16>digit);
    to += ROW_BYTES;
  }
  termCount++;
  if (isLong) longCount++;
}

/** Number of windows for a scalar of `bits` bits; one more bit is for the last carry. */
function rowCount(bits: u32): u32 {
  return bits / window + 1;
}

function windowBits(scalar: usize, words: u32, at: u32): i32 {
  const word = at >> 5;
  let bits: u64 = 0;
  if (word < words) bits = load<u32>(scalar + (word << 2));
  if (word + 1 < words) bits |= (<u64>load<u32>(scalar + (word << 2), 4)) << 32;
  return <i32>(bits >> (at & 31)) & ((1 << window) - 1);
}

/** Adds the points of one window to the buckets of their digits. */
function fillBuckets(row: u32, count: u32): void {
  memory.fill(FILLED, 0, MAX_BUCKETS);
  const digits = DIGITS + row * ROW_BYTES;
  for (let term: u32 = 0; term < count; term++) {
    const digit = <i32>load<i16>(digits + (term << 1));
    if (digit == 0) continue;
    const cached: usize = load<u32>(TERMS + (term << 2));
    const place = <u32>(digit < 0 ? -digit : digit) - 1;
    const bucket = BUCKETS + place * QUAD_BYTES;
    if (!load<u8>(FILLED + place)) {
      store<u8>(FILLED + place, 1);
      setCached(bucket, cached, digit < 0);
    } else if (digit < 0) {
      subCached(bucket, bucket, cached);
    } else {
      addCached(bucket, bucket, cached);
    }
  }
}

/** Turns all buckets into cached points, empty ones into the neutral element. */
function cacheBuckets(buckets: u32): void {
  for (let place: u32 = 0; place < buckets; place++) {
    if (!load<u8>(FILLED + place)) setNeutral(BUCKETS + place * QUAD_BYTES);
  }
  for (let place: u32 = 0; place < buckets; place += 4) cacheFour(BUCKETS + place * QUAD_BYTES);
}

/**
 * sum += 1 * bucket 1 + 2 * bucket 2 + ...: the sum of all running sums from the top bucket down.
 */
function sumBuckets(sum: usize, buckets: u32): void {
  cacheBuckets(buckets);
  let before = ROW_SUM;
  setNeutral(before);
  let to = RUNNING;
  for (let place: i32 = buckets - 1; place >= 0; place--) {
    addCached(to, before, BUCKETS + place * QUAD_BYTES);
    before = to;
    to += QUAD_BYTES;
  }
  for (let at = RUNNING; at < to; at += 4 * QUAD_BYTES) cacheFour(at);
  for (let at = RUNNING; at < to; at += QUAD_BYTES) addCached(sum, sum, at);
}

/** out = the sum of all terms. */
export function sumTerms(out: usize): void {
  setNeutral(out);
  const buckets: u32 = 1 << (window - 1);
  const shortRows = rowCount(SHORT_BITS);
  for (let row: i32 = rowCount(longCount > 0 ? LONG_BITS : SHORT_BITS) - 1; row >= 0; row--) {
    for (let i: u32 = 0; i < window; i++) doublePoint(out, out);
    fillBuckets(row, <u32>row < shortRows ? termCount : longCount);
    sumBuckets(out, buckets);
  }
}
