// Sliding windows of 30 days, in buckets of time.
// Keeps: a bucket is a 24th of a day, rounded up to whole seconds, so 30 days are at most MAX_BUCKETS;
// an entry counts until its bucket is 30 days old. The error is below one bucket.

import { daySecs } from './header';

export const MAX_BUCKETS: u32 = 720;
const WINDOW_DAYS: u64 = 30;

function bucketSecs(): u64 {
  return (daySecs() + 23) / 24;
}

/** Number of buckets in a window. */
export function bucketCount(): u64 {
  const secs = bucketSecs();
  return (WINDOW_DAYS * daySecs() + secs - 1) / secs;
}

/** Number of the bucket of a second. */
export function bucketOf(secs: u64): u64 {
  return secs / bucketSecs();
}

/** Position in the ring of the bucket with this number. */
export function bucketPosition(bucket: u64): usize {
  return <usize>(bucket % bucketCount());
}

/** Number of buckets (at most all) that left the window when `current` followed `last` as the newest. */
export function bucketsPassed(current: u64, last: u64): u64 {
  return min<u64>(current - last, bucketCount());
}
