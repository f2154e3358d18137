// Value recognised in the last 30 days (G of DECISIONS 6.13), as a ring of buckets.
// Keeps: a bucket is a 24th of a day, rounded up to whole seconds, so 30 days are at most 720 buckets;
// a value counts from its bucket on until that bucket is 30 days old. The error is below one bucket.
// Moves no tokens.

import { addCapped } from '../lib/u128';
import { daySecs, header } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';

export const MOST_BUCKETS: u32 = 720;
const WINDOW_DAYS: u64 = 30;

function bucketSecs(): u64 {
  return (daySecs() + 23) / 24;
}

function bucketCount(): u64 {
  const secs = bucketSecs();
  return (WINDOW_DAYS * daySecs() + secs - 1) / secs;
}

function bucketAt(bucket: u64): usize {
  return root().generated + ((<usize>(bucket % bucketCount())) << 3);
}

/** Empties the buckets that left the window; at each block, before anything is recorded in it. */
export function rollGenerated(nowSecs: u64): void {
  const current = nowSecs / bucketSecs();
  const last = header().generatedBucket;
  if (current == last) return;
  const passed = min<u64>(current - last, bucketCount());
  for (let i: u64 = 0; i < passed; i++) {
    const at = bucketAt(current - i);
    store<u64>(at, 0);
    markBytes(at, 8);
  }
  header().generatedBucket = current;
}

/** Records recognised value, micro-units, at the time of the block. */
export function recordGenerated(value: u64): void {
  const at = bucketAt(header().generatedBucket);
  store<u64>(at, addCapped(load<u64>(at), value));
  markBytes(at, 8);
  header().generated = addCapped(header().generated, value);
}

/** G, capped for display. */
export function generatedInWindow(): u64 {
  let sum: u64 = 0;
  const count = bucketCount();
  for (let i: u64 = 0; i < count; i++) sum = addCapped(sum, load<u64>(bucketAt(i)));
  return sum;
}
