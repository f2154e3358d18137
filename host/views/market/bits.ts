// A set of small integers (rows of an index), one bit each: 12.5 KiB for 100,000 rows, so it stays in the CPU cache while
// lists are added to it.

export class Bits {
  #words: Uint32Array;

  constructor(rows: number) {
    this.#words = new Uint32Array((rows + 31) >>> 5);
  }

  add(row: number): void {
    const at = row >>> 5;
    if (at >= this.#words.length) {
      const grown = new Uint32Array(Math.max(2 * this.#words.length, at + 1));
      grown.set(this.#words);
      this.#words = grown;
    }
    this.#words[at]! |= 1 << (row & 31);
  }

  /** Adds `rows[from]` to `rows[end - 1]`, all below the size given at construction. */
  addAll(rows: Uint32Array, from: number, end: number): void {
    const words = this.#words;
    for (let i = from; i < end; i++) {
      const row = rows[i]!;
      words[row >>> 5]! |= 1 << (row & 31);
    }
  }

  has(row: number): boolean {
    return ((this.#words[row >>> 5]! >>> (row & 31)) & 1) === 1;
  }

  remove(row: number): void {
    const at = row >>> 5;
    if (at < this.#words.length) this.#words[at]! &= ~(1 << (row & 31));
  }

  /** Adds the intersection of two sets, whose rows must be below the size given at construction. */
  addBoth(a: Bits, b: Bits): void {
    const words = this.#words;
    const [as, bs] = [a.#words, b.#words];
    const end = Math.min(words.length, as.length, bs.length);
    for (let i = 0; i < end; i++) words[i]! |= as[i]! & bs[i]!;
  }

  get count(): number {
    let sum = 0;
    for (const word of this.#words) {
      let n = word - ((word >>> 1) & 0x55555555);
      n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
      sum += Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return sum;
  }

  /** All rows, ascending. */
  toArray(): Uint32Array<ArrayBuffer> {
    const rows = new Uint32Array(this.count);
    let end = 0;
    for (let i = 0; i < this.#words.length; i++) {
      for (let word = this.#words[i]!; word !== 0; word &= word - 1)
        rows[end++] = (i << 5) + 31 - Math.clz32(word & -word);
    }
    return rows;
  }

  /** Calls `visit` with every row, ascending; the visited row may be removed during the call. */
  forEach(visit: (row: number) => void): void {
    const words = this.#words;
    for (let i = 0; i < words.length; i++) {
      for (let word = words[i]!; word !== 0; word &= word - 1) {
        visit((i << 5) + 31 - Math.clz32(word & -word));
      }
    }
  }
}
