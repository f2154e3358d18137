// A set of word sequences, to find where one text repeats another or itself.
// Keeps: time linear in the number of words, even for hostile input: the hash is salted like the lexicon's. Equality is
// exact, so no result depends on the salt.

/** Length of the sequences that protocol 6.14 compares. */
export const GRAM = 4;

export class SequenceSet {
  private readonly ids: Int32Array;
  /** Position + 1 of a sequence's first word, 0 for a free slot; at most half full. */
  private readonly slots: Int32Array;
  private readonly lengths: Int32Array;
  private readonly seed: number;

  /**
   * `ids`: the words that added sequences refer to. `capacity`: largest number of added sequences. `seed`: a value that
   * nobody can choose.
   */
  constructor(ids: Int32Array, capacity: number, seed: number) {
    let size = 16;
    while (size < 2 * capacity) size *= 2;
    this.ids = ids;
    this.slots = new Int32Array(size);
    this.lengths = new Int32Array(size);
    this.seed = seed | 1;
  }

  /** Adds the sequence of `length` words from `at` on in the set's ids; false if it was already present. */
  add(at: number, length: number): boolean {
    const slot = this.slotOf(this.ids, at, length);
    if (this.slots[slot] !== 0) return false;
    this.slots[slot] = at + 1;
    this.lengths[slot] = length;
    return true;
  }

  /** Whether the sequence of `length` words from `at` on in `ids` was added. */
  has(ids: Int32Array, at: number, length: number): boolean {
    return this.slots[this.slotOf(ids, at, length)] !== 0;
  }

  private slotOf(ids: Int32Array, at: number, length: number): number {
    const mask = this.slots.length - 1;
    let hash = this.seed;
    for (let k = 0; k < length; k++) {
      hash = Math.imul(hash ^ ids[at + k]!, this.seed);
      hash ^= hash >>> 15;
    }
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      if (this.slots[slot] === 0) return slot;
      if (this.lengths[slot] === length && this.isSame(this.slots[slot]! - 1, ids, at, length)) return slot;
    }
  }

  private isSame(found: number, ids: Int32Array, at: number, length: number): boolean {
    for (let k = 0; k < length; k++) if (this.ids[found + k] !== ids[at + k]) return false;
    return true;
  }
}
