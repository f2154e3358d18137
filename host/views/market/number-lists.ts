// Many lists of small numbers, most of them short, in one flat array: no object per list, so iterating over thousands of
// lists is fast and the garbage collector has nothing to trace.
// Keeps: the capacity of a list is a power of two; space that a list has outgrown is reused for another list.

const INITIAL_CAPACITY = 1024;

const grown = (column: Uint32Array, length: number): Uint32Array<ArrayBuffer> => {
  const larger = new Uint32Array(length);
  larger.set(column);
  return larger;
};
/** Exponent of the capacity of a list of this size. */
const classOf = (count: number): number => 32 - Math.clz32(count - 1);

export class NumberLists {
  #numbers = new Uint32Array(INITIAL_CAPACITY);
  #numbersEnd = 0;
  /** By key. */
  #begins = new Uint32Array(INITIAL_CAPACITY);
  #counts = new Uint32Array(INITIAL_CAPACITY);
  /** By exponent of the capacity: begins of free space. */
  readonly #free: number[][] = [];

  count(key: number): number {
    return this.#counts[key] ?? 0;
  }

  at(key: number, index: number): number {
    return this.#numbers[this.#begins[key]! + index]!;
  }

  set(key: number, index: number, number: number): void {
    this.#numbers[this.#begins[key]! + index] = number;
  }

  /** Appends a number to a list; returns its index. */
  push(key: number, number: number): number {
    this.#reach(key);
    const count = this.#counts[key]!;
    if (count === 0) this.#begins[key] = this.#take(0);
    else if ((count & (count - 1)) === 0) this.#enlarge(key, count);
    this.#numbers[this.#begins[key]! + count] = number;
    this.#counts[key] = count + 1;
    return count;
  }

  /** Gives an empty list `count` numbers with undefined values. */
  open(key: number, count: number): void {
    if (count === 0) return;
    this.#reach(key);
    this.#begins[key] = this.#take(classOf(count));
    this.#counts[key] = count;
  }

  /** Removes all numbers of a list. */
  clear(key: number): void {
    const count = this.count(key);
    if (count === 0) return;
    this.#give(this.#begins[key]!, classOf(count));
    this.#counts[key] = 0;
  }

  #reach(key: number): void {
    if (key < this.#counts.length) return;
    const length = Math.max(2 * this.#counts.length, key + 1);
    this.#counts = grown(this.#counts, length);
    this.#begins = grown(this.#begins, length);
  }

  #enlarge(key: number, count: number): void {
    const from = this.#begins[key]!;
    const size = classOf(count);
    const to = this.#take(size + 1);
    this.#numbers.copyWithin(to, from, from + count);
    this.#give(from, size);
    this.#begins[key] = to;
  }

  #take(size: number): number {
    const free = this.#free[size]?.pop();
    if (free !== undefined) return free;
    const begin = this.#numbersEnd;
    this.#numbersEnd += 2 ** size;
    if (this.#numbersEnd > this.#numbers.length) {
      this.#numbers = grown(this.#numbers, Math.max(2 * this.#numbers.length, this.#numbersEnd));
    }
    return begin;
  }

  #give(begin: number, size: number): void {
    const free = this.#free[size] ?? [];
    this.#free[size] = free;
    free.push(begin);
  }

  /** Removes and returns the last number of a list, which must not be empty. Halves the capacity where possible. */
  pop(key: number): number {
    const count = this.#counts[key]! - 1;
    const begin = this.#begins[key]!;
    const last = this.#numbers[begin + count]!;
    this.#counts[key] = count;
    if (count === 0) this.#give(begin, 0);
    else if ((count & (count - 1)) === 0) {
      const size = classOf(count);
      const to = this.#take(size);
      this.#numbers.copyWithin(to, begin, begin + count);
      this.#give(begin, size + 1);
      this.#begins[key] = to;
    }
    return last;
  }

  /** The numbers of a list; valid until the next change. */
  of(key: number): Uint32Array {
    const begin = this.#begins[key] ?? 0;
    return this.#numbers.subarray(begin, begin + this.count(key));
  }

  /** The array of all numbers; those of a list begin at `beginOf(key)`. Valid until the next change. */
  get numbers(): Uint32Array {
    return this.#numbers;
  }

  beginOf(key: number): number {
    return this.#begins[key] ?? 0;
  }
}
