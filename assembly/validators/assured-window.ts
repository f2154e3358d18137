// Assured tasks completed in the last 30 days: sum of their budgets (V) and the largest one (M), on which required stake and
// bootstrap reward depend (protocol 6.7, 6.12). Posting counts for neither: it costs nothing, and validators below the required
// stake judge nothing and are suspended.
// Keeps: two rings of buckets and, in the header, their sum and their maximum, capped for display.

import { addCapped } from '../lib/u128';
import { bucketCount, bucketOf, bucketPosition, bucketsPassed } from '../state/buckets';
import { header } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';

@unmanaged
class AssuredBucket {
  volume: u64;
  largest: u64;
}

function bucketAt(position: usize): AssuredBucket {
  return changetype<AssuredBucket>(root().assured + (position << 4));
}

function newest(): AssuredBucket {
  return bucketAt(bucketPosition(header().assuredBucket));
}

/** Empties the buckets that left the window and sums up the others; at the start of each block. */
export function rollAssured(nowSecs: u64): void {
  const h = header();
  const current = bucketOf(nowSecs);
  if (current == h.assuredBucket) return;
  const passed = bucketsPassed(current, h.assuredBucket);
  for (let i: u64 = 0; i < passed; i++) {
    const at = changetype<usize>(bucketAt(bucketPosition(current - i)));
    memory.fill(at, 0, 16);
    markBytes(at, 16);
  }
  h.assuredBucket = current;
  h.assuredVolume = 0;
  h.assuredLargest = 0;
  for (let position: usize = 0; position < <usize>bucketCount(); position++) {
    h.assuredVolume = addCapped(h.assuredVolume, bucketAt(position).volume);
    h.assuredLargest = max<u64>(h.assuredLargest, bucketAt(position).largest);
  }
}

/** Records the budget of an assured task completed now, or the part of it that the worker got, micro-units. */
export function noteAssuredCompleted(budget: u64): void {
  const bucket = newest();
  bucket.volume = addCapped(bucket.volume, budget);
  bucket.largest = max<u64>(bucket.largest, budget);
  markBytes(changetype<usize>(bucket), 16);
  header().assuredVolume = addCapped(header().assuredVolume, budget);
  header().assuredLargest = max<u64>(header().assuredLargest, budget);
}
