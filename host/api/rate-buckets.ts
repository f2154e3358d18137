// The read limit of an address (protocol 8.1): token buckets.

const READS_PER_SEC = 100;
const READ_BURST = 500;
/** A bucket unused for this long is full again (500 / 100 = 5 s) and may be dropped. */
const BUCKET_KEEP_MS = 10_000;

/** A read costs its refill time; counting in milliseconds keeps all numbers integers. */
const READ_COST_MS = 1_000 / READS_PER_SEC;
const BURST_MS = READ_BURST * READ_COST_MS;

interface Bucket {
  creditMs: number;
  atMs: number;
}

/**
 * Token buckets in two generations: a bucket that is used moves to the younger, the older is dropped as a whole.
 * At the cap generations change early, so during a flood an address may get its burst again.
 */
export class Buckets {
  private young = new Map<string, Bucket>();
  private old = new Map<string, Bucket>();
  private turnedMs = 0;

  constructor(private readonly maxKeys: number) {}

  get size(): number {
    return this.young.size + this.old.size;
  }

  /** Takes one read; false when none is left. */
  take(key: string, nowMs: number): boolean {
    if (nowMs - this.turnedMs >= BUCKET_KEEP_MS || this.young.size >= this.maxKeys) this.turn(nowMs);
    let bucket = this.young.get(key);
    if (!bucket) {
      bucket = this.old.get(key) ?? { creditMs: BURST_MS, atMs: nowMs };
      this.young.set(key, bucket);
    }
    bucket.creditMs = Math.min(BURST_MS, bucket.creditMs + nowMs - bucket.atMs);
    bucket.atMs = nowMs;
    if (bucket.creditMs < READ_COST_MS) return false;
    bucket.creditMs -= READ_COST_MS;
    return true;
  }

  private turn(nowMs: number): void {
    this.old = this.young;
    this.young = new Map();
    this.turnedMs = nowMs;
  }
}
