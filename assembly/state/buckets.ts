// Windows of 30 days in buckets of time, for sums that look back.
// Keeps: a bucket is a 24th of a day, rounded up to whole seconds, so 30 days are at most MOST_BUCKETS;
// something counts from its bucket on until that bucket is 30 days old. The error is below one bucket.

import { daySecs } from './header';

export const MOST_BUCKETS: u32 = 720;
const WINDOW_DAYS: u64 = 30;

function bucketSecs(): u64 {
  return (daySecs() + 23) / 24;
}

/** Buckets that make a window. */
export function bucketCount(): u64 {
  const secs = bucketSecs();
  return (WINDOW_DAYS * daySecs() + secs - 1) / secs;
}

/** Number of the bucket of a second. */
export function bucketOf(secs: u64): u64 {
  return secs / bucketSecs();
}

/** Place in a ring of a bucket with this number. */
export function bucketPlace(bucket: u64): usize {
  return <usize>(bucket % bucketCount());
}

/** How many buckets, at most all, left the window when `current` became the newest after `last`. */
export function bucketsPassed(current: u64, last: u64): u64 {
  return min<u64>(current - last, bucketCount());
}
