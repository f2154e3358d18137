// Value recognised in the last 30 days (G of protocol 6.13), as a ring of buckets.
// Keeps: a bucket outside the window is empty; a withdrawal is taken from the bucket that recorded the value. Moves no
// tokens.

import { addCapped } from '../lib/u128';
import { bucketCount, bucketOf, bucketPosition, bucketsPassed } from '../state/buckets';
import { header } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';

function bucketAt(bucket: u64): usize {
  return root().generated + (bucketPosition(bucket) << 3);
}

/** Empties the buckets that left the window; at the start of each block. */
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

/** Withdraws a value recognised at that second, also from its bucket while that is in the window. */
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
  // In the order of the memory: to find the place of a bucket takes divisions, and this is asked for in every batch.
  const first = root().generated;
  const end = first + ((<usize>bucketCount()) << 3);
  for (let at = first; at < end; at += 8) sum = addCapped(sum, load<u64>(at));
  return sum;
}
