// What assured tasks came to in the last 30 days: budgets completed (V) and the largest one created (M), from
// which required stake and bootstrap reward follow (DECISIONS 6.7, 6.12).
// Keeps: two rings of buckets and, in the header, their sum and their greatest value, capped for display.

import { addCapped } from '../lib/u128';
import { bucketCount, bucketOf, bucketPlace, bucketsPassed } from '../state/buckets';
import { header } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';

@unmanaged
class AssuredBucket {
  volume: u64;
  largest: u64;
}

function bucketAt(place: usize): AssuredBucket {
  return changetype<AssuredBucket>(root().assured + (place << 4));
}

function newest(): AssuredBucket {
  return bucketAt(bucketPlace(header().assuredBucket));
}

/** Empties the buckets that left the window and sums up the others; at each block, before anything is noted in it. */
export function rollAssured(nowSecs: u64): void {
  const h = header();
  const current = bucketOf(nowSecs);
  if (current == h.assuredBucket) return;
  const passed = bucketsPassed(current, h.assuredBucket);
  for (let i: u64 = 0; i < passed; i++) {
    const at = changetype<usize>(bucketAt(bucketPlace(current - i)));
    memory.fill(at, 0, 16);
    markBytes(at, 16);
  }
  h.assuredBucket = current;
  h.assuredVolume = 0;
  h.assuredLargest = 0;
  for (let place: usize = 0; place < <usize>bucketCount(); place++) {
    h.assuredVolume = addCapped(h.assuredVolume, bucketAt(place).volume);
    h.assuredLargest = max<u64>(h.assuredLargest, bucketAt(place).largest);
  }
}

/** Notes the budget of an assured task that was created now, micro-units. */
export function noteAssuredCreated(budget: u64): void {
  const bucket = newest();
  bucket.largest = max<u64>(bucket.largest, budget);
  markBytes(changetype<usize>(bucket), 16);
  header().assuredLargest = max<u64>(header().assuredLargest, budget);
}

/** Notes the budget of an assured task that was completed now, micro-units. */
export function noteAssuredCompleted(budget: u64): void {
  const bucket = newest();
  bucket.volume = addCapped(bucket.volume, budget);
  markBytes(changetype<usize>(bucket), 16);
  header().assuredVolume = addCapped(header().assuredVolume, budget);
}
