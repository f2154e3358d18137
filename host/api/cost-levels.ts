// Token buckets that count what requests cost, in milliseconds of the main thread (protocol 8.3), and the fair share of
// each user of a bucket that is used up.
// Keeps: memory is bounded however many keys a flood uses; a debt is at most what refills in 15 s, so everybody can pay
// it off.

/** `ratio`: share of the main thread that one key may have for long. `burstMs`: what it may use at once. */
export interface CostRate {
  ratio: number;
  burstMs: number;
}

/** How long what was used weighs on the fair share, and how long somebody counts as a user. */
const MEMORY_MS = 10_000;
/** Shared by its users is a little less than what refills, so that a debt is paid. */
const REPAY = 0.9;
const MAX_DEBT_MS = 15_000;

interface Bucket {
  creditMs: number;
  atMs: number;
  /** What was used, fading over MEMORY_MS. */
  recentMs: number;
  /** Users in the running stretch of MEMORY_MS, and in the one before. */
  stretch: number;
  users: number;
  usersBefore: number;
  /** The stretch in which this key was last counted as a user. */
  countedIn: number;
}

/**
 * The buckets of one level, in two generations: a bucket that is used moves to the younger, the older is dropped as a
 * whole. At the cap generations change early, so during a flood of addresses one may get its burst again.
 */
export class CostLevel {
  private young = new Map<string, Bucket>();
  private old = new Map<string, Bucket>();
  private turnedMs = 0;
  /** Even the deepest debt is paid off after this long, the bucket full, and what was used faded. */
  private readonly keepMs: number;
  private readonly leastCreditMs: number;

  constructor(
    readonly rate: CostRate,
    private readonly maxKeys: number,
  ) {
    this.keepMs = MAX_DEBT_MS + rate.burstMs / rate.ratio;
    this.leastCreditMs = -MAX_DEBT_MS * rate.ratio;
  }

  get size(): number {
    return this.young.size + this.old.size;
  }

  creditMs(key: string, nowMs: number): number {
    return this.bucket(key, nowMs).creditMs;
  }

  /** The share of the main thread that a key had lately. */
  recentRatio(key: string, nowMs: number): number {
    return this.bucket(key, nowMs).recentMs / MEMORY_MS;
  }

  /**
   * Is there room for `ms` of a user of this key who had `userRatio` lately? As long as there is credit, for everybody;
   * then for those who had no more than an equal part of what refills.
   */
  hasRoom(key: string, ms: number, userRatio: number, nowMs: number): boolean {
    const { creditMs, users, usersBefore } = this.bucket(key, nowMs);
    if (creditMs >= ms) return true;
    const isWithinShare = userRatio <= (REPAY * this.rate.ratio) / Math.max(1, users, usersBefore);
    return isWithinShare && creditMs > this.leastCreditMs;
  }

  /**
   * `realMs`: what counts for the fair share, where `costMs` is at least what one request costs. Returns whether this key
   * was used for the first time in a while, so that it counts as one more user.
   */
  charge(key: string, costMs: number, realMs: number, nowMs: number): boolean {
    const bucket = this.bucket(key, nowMs);
    bucket.creditMs = Math.max(this.leastCreditMs, bucket.creditMs - costMs);
    bucket.recentMs += realMs;
    const stretch = Math.floor(nowMs / MEMORY_MS);
    const isNew = bucket.countedIn !== stretch;
    bucket.countedIn = stretch;
    return isNew;
  }

  countUser(key: string, nowMs: number): void {
    this.bucket(key, nowMs).users += 1;
  }

  /** Time until a key has this much credit. */
  waitMs(key: string, creditMs: number, nowMs: number): number {
    return (creditMs - this.creditMs(key, nowMs)) / this.rate.ratio;
  }

  private bucket(key: string, nowMs: number): Bucket {
    if (nowMs - this.turnedMs >= this.keepMs || this.young.size >= this.maxKeys) this.turn(nowMs);
    const { burstMs, ratio } = this.rate;
    let bucket = this.young.get(key);
    if (!bucket) {
      bucket = this.old.get(key) ?? this.full(nowMs);
      this.young.set(key, bucket);
    }
    const elapsedMs = nowMs - bucket.atMs;
    if (elapsedMs === 0) return bucket;
    bucket.creditMs = Math.min(burstMs, bucket.creditMs + elapsedMs * ratio);
    bucket.recentMs *= Math.exp(-elapsedMs / MEMORY_MS);
    bucket.atMs = nowMs;
    const stretch = Math.floor(nowMs / MEMORY_MS);
    if (stretch === bucket.stretch) return bucket;
    bucket.usersBefore = stretch === bucket.stretch + 1 ? bucket.users : 0;
    bucket.users = 0;
    bucket.stretch = stretch;
    return bucket;
  }

  private full(nowMs: number): Bucket {
    const stretch = Math.floor(nowMs / MEMORY_MS);
    const { burstMs: creditMs } = this.rate;
    return { creditMs, atMs: nowMs, recentMs: 0, stretch, users: 0, usersBefore: 0, countedIn: -1 };
  }

  private turn(nowMs: number): void {
    this.old = this.young;
    this.young = new Map();
    this.turnedMs = nowMs;
  }
}
