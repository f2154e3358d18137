// Many lists of small numbers, most of them short, in one flat array: running over thousands of lists meets the
// numbers themselves and not an object for each list, and the garbage collector has nothing to go through.
// Keeps: a list has room for the next power of two; room that a list grew out of is given to the next that fits.

const FIRST_ROOM = 1024;

const grown = (column: Uint32Array, length: number): Uint32Array<ArrayBuffer> => {
  const larger = new Uint32Array(length);
  larger.set(column);
  return larger;
};
/** Power of two of the room that a list of this size has. */
const classOf = (count: number): number => 32 - Math.clz32(count - 1);

export class NumberLists {
  #numbers = new Uint32Array(FIRST_ROOM);
  #numbersEnd = 0;
  /** By key. */
  #begins = new Uint32Array(FIRST_ROOM);
  #counts = new Uint32Array(FIRST_ROOM);
  /** By power of two: begins of free room. */
  readonly #free: number[][] = [];

  count(key: number): number {
    return this.#counts[key] ?? 0;
  }

  at(key: number, place: number): number {
    return this.#numbers[this.#begins[key]! + place]!;
  }

  set(key: number, place: number, number: number): void {
    this.#numbers[this.#begins[key]! + place] = number;
  }

  /** Puts a number at the end of a list; its place there. */
  push(key: number, number: number): number {
    this.#reach(key);
    const count = this.#counts[key]!;
    if (count === 0) this.#begins[key] = this.#take(0);
    else if ((count & (count - 1)) === 0) this.#enlarge(key, count);
    this.#numbers[this.#begins[key]! + count] = number;
    this.#counts[key] = count + 1;
    return count;
  }

  /** Gives an empty list so many numbers, of no value yet. */
  open(key: number, count: number): void {
    if (count === 0) return;
    this.#reach(key);
    this.#begins[key] = this.#take(classOf(count));
    this.#counts[key] = count;
  }

  /** Takes all numbers off a list. */
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

  /** Takes the last number off a list that has one. A list that has shrunk to half its room moves to less. */
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

  /** What holds the numbers: those of a list are at `beginOf(key)`. Valid until the next change. */
  get numbers(): Uint32Array {
    return this.#numbers;
  }

  beginOf(key: number): number {
    return this.#begins[key] ?? 0;
  }
}
