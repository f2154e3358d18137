// Sorted lists of rows by key: a list is made with its first row, and gone with its last.

import { SortedIndex } from './sorted-index.ts';

export class SortedLists<K> {
  readonly #lists = new Map<K, SortedIndex>();

  /** `compare`: that of every list, a strict total order (see SortedIndex). */
  constructor(private readonly compare: (a: number, b: number) => number) {}

  insert(key: K, row: number): void {
    const known = this.#lists.get(key);
    const list = known ?? new SortedIndex(this.compare);
    if (!known) this.#lists.set(key, list);
    list.insert(row);
  }

  /** Removes a row that is in the list. */
  remove(key: K, row: number): void {
    const list = this.#lists.get(key)!;
    list.remove(row);
    if (list.size === 0) this.#lists.delete(key);
  }

  /** Undefined where no row is. */
  get(key: K): SortedIndex | undefined {
    return this.#lists.get(key);
  }

  clear(): void {
    this.#lists.clear();
  }
}
