// Short lists of rows by a key of 32 bits with a sign, without an object for each: a hash table of the first entries of chains.
// Keeps: a list has each row once, in no particular order, and at most FEW of them; a key without rows takes nothing. Keys are
// made from strangers' texts: where they are depends on a seed, as in text-table.ts.
// Memory: 11 to 21 bytes for each key, eight for each row.

import { grown } from '../columns.ts';

/** Longest list. */
export const FEW = 32;
const SPARE = 4 / 3;
const FIRST_SLOTS = 64;

export class ShortLists {
  #keys = new Int32Array(FIRST_SLOTS);
  /** By slot: the first entry + 1, or 0 for a free slot. */
  #heads = new Uint32Array(FIRST_SLOTS);
  #size = 0;
  /** By entry: its row, and the next entry + 1, or 0. */
  #rows = new Uint32Array(16);
  #next = new Uint32Array(16);
  #entriesEnd = 0;
  /** The first unused entry + 1, or 0. */
  #free = 0;
  readonly #multiplier: number;

  constructor(seed: number) {
    this.#multiplier = 0x9e3779b1 ^ (seed << 1);
  }

  /** Number of keys that have rows. */
  get size(): number {
    return this.#size;
  }

  #homeOf(key: number): number {
    let hash = Math.imul(key, this.#multiplier);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return (hash ^ (hash >>> 13)) & (this.#heads.length - 1);
  }

  /** The slot of a key, or the free one for it. */
  #slotOf(key: number): number {
    const mask = this.#heads.length - 1;
    let slot = this.#homeOf(key);
    while (this.#heads[slot] !== 0 && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  /** Adds a row; false, and nothing is changed, if the list is full. */
  add(key: number, row: number): boolean {
    const slot = this.#slotOf(key);
    const head = this.#heads[slot]!;
    let count = 0;
    for (let entry = head; entry !== 0; entry = this.#next[entry - 1]!, count++)
      if (this.#rows[entry - 1] === row) return true;
    if (count === FEW) return false;
    this.#keys[slot] = key;
    this.#heads[slot] = this.#entry(row, head);
    if (count > 0) return true;
    this.#size += 1;
    if (this.#size * SPARE > this.#heads.length) this.#spread();
    return true;
  }

  #entry(row: number, next: number): number {
    const reused = this.#free;
    const entry = reused === 0 ? this.#entriesEnd++ : reused - 1;
    if (reused !== 0) this.#free = this.#next[entry]!;
    this.#rows = grown(this.#rows, entry);
    this.#next = grown(this.#next, entry);
    this.#rows[entry] = row;
    this.#next[entry] = next;
    return entry + 1;
  }

  #spread(): void {
    const [keys, heads] = [this.#keys, this.#heads];
    this.#keys = new Int32Array(2 * keys.length);
    this.#heads = new Uint32Array(2 * keys.length);
    for (let i = 0; i < keys.length; i++) {
      if (heads[i] === 0) continue;
      const slot = this.#slotOf(keys[i]!);
      this.#keys[slot] = keys[i]!;
      this.#heads[slot] = heads[i]!;
    }
  }

  /** The rows of a key. */
  of(key: number): number[] {
    const rows: number[] = [];
    for (let entry = this.#heads[this.#slotOf(key)]!; entry !== 0; entry = this.#next[entry - 1]!)
      rows.push(this.#rows[entry - 1]!);
    return rows;
  }

  remove(key: number, row: number): void {
    const slot = this.#slotOf(key);
    let before = 0;
    let entry = this.#heads[slot]!;
    while (entry !== 0 && this.#rows[entry - 1] !== row) [before, entry] = [entry, this.#next[entry - 1]!];
    if (entry === 0) return;
    const next = this.#next[entry - 1]!;
    if (before !== 0) this.#next[before - 1] = next;
    else if (next !== 0) this.#heads[slot] = next;
    else this.#vacate(slot);
    this.#next[entry - 1] = this.#free;
    this.#free = entry;
  }

  // What could not be in its own slot moves up, so that no search ends before it.
  #vacate(slot: number): void {
    const mask = this.#heads.length - 1;
    let hole = slot;
    for (let at = (slot + 1) & mask; this.#heads[at] !== 0; at = (at + 1) & mask) {
      const home = this.#homeOf(this.#keys[at]!);
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      this.#keys[hole] = this.#keys[at]!;
      this.#heads[hole] = this.#heads[at]!;
      hole = at;
    }
    this.#heads[hole] = 0;
    this.#size -= 1;
  }

  /** Removes a list; its rows. */
  take(key: number): number[] {
    const slot = this.#slotOf(key);
    const rows: number[] = [];
    let last = 0;
    for (let entry = this.#heads[slot]!; entry !== 0; entry = this.#next[entry - 1]!) {
      rows.push(this.#rows[entry - 1]!);
      last = entry;
    }
    if (last === 0) return rows;
    // The whole chain is free now.
    this.#next[last - 1] = this.#free;
    this.#free = this.#heads[slot]!;
    this.#vacate(slot);
    return rows;
  }
}
