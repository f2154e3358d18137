// Words as small numbers: equal words have equal ids, assigned in order of first appearance.
// Keeps: time linear in the bytes, even for hostile input. The hash is salted with the SHA-256 of the hashed text
// itself, so nobody can choose words that collide; ids do not depend on the salt, so neither does any score.

/** For each byte its lower-cased form, 0 if it separates words. Source: protocol 6.14 "Word". */
export const WORD_BYTE = Uint8Array.from({ length: 256 }, (_, b) => {
  if (b >= 0x41 && b <= 0x5a) return b + 32;
  return (b >= 0x61 && b <= 0x7a) || (b >= 0x30 && b <= 0x39) || b >= 0x80 ? b : 0;
});

export class Lexicon {
  /** Words known so far: ids are 0..count-1. */
  count = 0;
  private readonly bytes: Uint8Array;
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly hashes: Int32Array;
  /** id + 1 by hash, 0 for a free slot; at most half full. */
  private readonly slots: Int32Array;
  private readonly seed: number;
  private readonly factor: number;

  /** `bytes`: all texts whose words are read. `salt`: at least 8 bytes that nobody can choose. */
  constructor(bytes: Uint8Array, salt: Uint8Array) {
    // Each word but the last is followed by a separator.
    const maxWords = (bytes.length + 1) >> 1;
    let size = 16;
    while (size < 2 * maxWords) size *= 2;
    this.bytes = bytes;
    this.starts = new Uint32Array(maxWords);
    this.ends = new Uint32Array(maxWords);
    this.hashes = new Int32Array(maxWords);
    this.slots = new Int32Array(size);
    const view = new DataView(salt.buffer, salt.byteOffset);
    this.seed = view.getInt32(0, true);
    this.factor = view.getInt32(4, true) | 1;
  }

  /**
   * Reads the words of bytes[from, to) into `ids`, from index `at` on, and their offsets into `starts` if given; returns
   * the index after the last.
   */
  read(from: number, to: number, ids: Int32Array, at: number, starts?: Uint32Array): number {
    const { bytes, factor, seed } = this;
    let i = from;
    while (i < to) {
      let byte = WORD_BYTE[bytes[i]!]!;
      if (byte === 0) {
        i++;
        continue;
      }
      const start = i;
      let hash = seed;
      do {
        hash = Math.imul(hash ^ byte, factor);
        hash ^= hash >>> 15;
        byte = ++i < to ? WORD_BYTE[bytes[i]!]! : 0;
      } while (byte !== 0);
      if (starts !== undefined) starts[at] = start;
      ids[at++] = this.idOf(start, i, hash);
    }
    return at;
  }

  /** Length of a word in bytes. */
  lengthOf(id: number): number {
    return this.ends[id]! - this.starts[id]!;
  }

  /** A word as first written. */
  bytesOf(id: number): Uint8Array {
    return this.bytes.subarray(this.starts[id]!, this.ends[id]!);
  }

  /** Whether a word is a single ASCII letter. */
  isLetter(id: number): boolean {
    return this.lengthOf(id) === 1 && this.isAscii(id) && !this.hasDigit(id);
  }

  /** Whether a word has no byte outside ASCII. */
  isAscii(id: number): boolean {
    for (let i = this.starts[id]!; i < this.ends[id]!; i++) if (this.bytes[i]! >= 0x80) return false;
    return true;
  }

  /** Whether a word contains a digit. */
  hasDigit(id: number): boolean {
    for (let i = this.starts[id]!; i < this.ends[id]!; i++) {
      if (this.bytes[i]! >= 0x30 && this.bytes[i]! <= 0x39) return true;
    }
    return false;
  }

  private idOf(start: number, end: number, hash: number): number {
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = this.slots[slot]! - 1;
      if (id < 0) return this.add(slot, start, end, hash);
      if (this.hashes[id] === hash && this.isWord(id, start, end)) return id;
    }
  }

  private add(slot: number, start: number, end: number, hash: number): number {
    const id = this.count++;
    this.starts[id] = start;
    this.ends[id] = end;
    this.hashes[id] = hash;
    this.slots[slot] = id + 1;
    return id;
  }

  private isWord(id: number, start: number, end: number): boolean {
    const first = this.starts[id]!;
    if (this.ends[id]! - first !== end - start) return false;
    for (let k = 0; k < end - start; k++) {
      if (WORD_BYTE[this.bytes[first + k]!] !== WORD_BYTE[this.bytes[start + k]!]) return false;
    }
    return true;
  }
}
