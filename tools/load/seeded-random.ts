// Random choices that a seed repeats: the same seed gives the same sequence on every machine.
// For choosing loads and moments only; keys and nonces come from the system's generator.

export class SeededRandom {
  private state: number;

  /** `seed`: any integer; its low 32 bits count. */
  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** 32 uniform bits (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** An integer in 0..count-1, count at most 2^32. */
  below(count: number): number {
    return Math.floor((this.next() / 0x1_0000_0000) * count);
  }

  /** An integer in min..max. */
  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  bytes(count: number): Uint8Array {
    const out = new Uint8Array(count);
    for (let i = 0; i < count; i++) out[i] = this.next() & 0xff;
    return out;
  }
}
