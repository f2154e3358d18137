// A multiset: counts per key.
// Keeps: a key is present exactly while its count is above 0.

export class Tally<Key> {
  readonly #counts = new Map<Key, number>();

  /** Number of distinct keys. */
  get size(): number {
    return this.#counts.size;
  }

  keys(): IterableIterator<Key> {
    return this.#counts.keys();
  }

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: Key, count = 1): void {
    this.#counts.set(key, this.of(key) + count);
  }

  /** Removes one or `count`; the key must have as many. */
  remove(key: Key, count = 1): void {
    const left = this.of(key) - count;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }

  clear(): void {
    this.#counts.clear();
  }
}
