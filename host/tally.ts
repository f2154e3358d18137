// How many there are of each of many things.
// Keeps: a key stands in it exactly while there is one of it.

export class Tally<Key> {
  readonly #counts = new Map<Key, number>();

  /** Different keys. */
  get size(): number {
    return this.#counts.size;
  }

  keys(): IterableIterator<Key> {
    return this.#counts.keys();
  }

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: Key): void {
    this.#counts.set(key, this.of(key) + 1);
  }

  /** One of the key, of which there must be one. */
  remove(key: Key): void {
    const left = this.of(key) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }

  clear(): void {
    this.#counts.clear();
  }
}
