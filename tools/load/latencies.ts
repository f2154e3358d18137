// Latencies in fixed memory: a histogram whose buckets are at most 1/64 wide, so a quantile is within 1.6 percent.
// Keeps: every recorded value counts once, also after merging; values below 128 us are exact to the microsecond.

const SUB_BITS = 6;
const BUCKETS = 2048;

/** Bucket of whole microseconds: exact below 128, then 64 buckets to each power of two. */
function bucketOf(us: number): number {
  const shift = 31 - Math.clz32(us) - SUB_BITS;
  return shift <= 0 ? us : (shift << SUB_BITS) + (us >>> shift);
}

/** The middle of a bucket, in microseconds. */
function middleOf(bucket: number): number {
  if (bucket < 2 << SUB_BITS) return bucket;
  const shift = (bucket >>> SUB_BITS) - 1;
  return (((bucket - (shift << SUB_BITS)) << shift) + (1 << shift) / 2) >>> 0;
}

export class Latencies {
  private readonly counts = new Uint32Array(BUCKETS);
  count = 0;

  record(ms: number): void {
    const us = Math.min(Math.max(0, Math.round(ms * 1000)), 0x7fff_ffff);
    this.counts[bucketOf(us)]! += 1;
    this.count += 1;
  }

  merge(other: Latencies): void {
    for (let i = 0; i < BUCKETS; i++) this.counts[i]! += other.counts[i]!;
    this.count += other.count;
  }

  /** Milliseconds that a share `q` (0..1) of the values does not exceed; NaN without values. */
  quantileMs(q: number): number {
    let left = Math.max(1, Math.ceil(q * this.count));
    for (let i = 0; i < BUCKETS; i++) {
      left -= this.counts[i]!;
      if (left <= 0) return middleOf(i) / 1000;
    }
    return Number.NaN;
  }

  get medianMs(): number {
    return this.quantileMs(0.5);
  }

  get p99Ms(): number {
    return this.quantileMs(0.99);
  }
}
