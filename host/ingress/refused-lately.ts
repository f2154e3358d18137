// Addresses that the node has refused lately for having asked too much: work is not done for them until they may ask again.

/** Addresses kept; when there are more, all are forgotten. */
const MAX_ADDRESSES = 10_000;
/** Others may have the same address, and what one of them may not do says nothing of them. */
const MAX_SECS = 5;

export class RefusedLately {
  readonly #untilMs = new Map<string, number>();

  constructor(private readonly monotonicMs: () => number) {}

  /** `secs`: after which it may ask again. */
  add(address: string, secs: number): void {
    if (!(secs > 0)) return;
    if (this.#untilMs.size >= MAX_ADDRESSES) this.#untilMs.clear();
    this.#untilMs.set(address, this.monotonicMs() + Math.min(secs, MAX_SECS) * 1000);
  }

  get isEmpty(): boolean {
    return this.#untilMs.size === 0;
  }

  has(address: string): boolean {
    const untilMs = this.#untilMs.get(address);
    if (untilMs === undefined) return false;
    if (untilMs > this.monotonicMs()) return true;
    this.#untilMs.delete(address);
    return false;
  }
}
