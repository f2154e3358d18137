// Value recognised in the last 30 days (G of DECISIONS 6.13), as a ring of buckets.
// Keeps: a bucket that left the window is empty; what is withdrawn leaves the bucket it was recorded in. Moves no tokens.

import { addCapped } from '../lib/u128';
import { bucketCount, bucketOf, bucketPlace, bucketsPassed } from '../state/buckets';
import { header } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';

function bucketAt(bucket: u64): usize {
  return root().generated + (bucketPlace(bucket) << 3);
}

/** Empties the buckets that left the window; at each block, before anything is recorded in it. */
export function rollGenerated(nowSecs: u64): void {
  const current = bucketOf(nowSecs);
  const last = header().generatedBucket;
  if (current == last) return;
  const passed = bucketsPassed(current, last);
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

/** Takes back a value that was recognised at a second: out of its bucket too, while that is in the window. */
export function withdrawGenerated(value: u64, recognizedSecs: u64): void {
  const h = header();
  h.generated -= min<u64>(value, h.generated);
  const bucket = bucketOf(recognizedSecs);
  if (h.generatedBucket - bucket >= bucketCount()) return;
  const at = bucketAt(bucket);
  store<u64>(at, load<u64>(at) - min<u64>(value, load<u64>(at)));
  markBytes(at, 8);
}

/** G, capped for display. */
export function generatedInWindow(): u64 {
  let sum: u64 = 0;
  const count = bucketCount();
  for (let i: u64 = 0; i < count; i++) sum = addCapped(sum, load<u64>(bucketAt(i)));
  return sum;
}
