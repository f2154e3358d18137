// A set of rows that costs what it holds: few rows are a Set, many a bit for each row of the index. So the answer to
// a question that few rows meet is as cheap among a million rows as among a thousand.
// Keeps: a set that grew to bits stays in that form.

import { Bits } from './bits.ts';

/** A row in a Set costs as much as about 256 rows as bits. */
const BITS_FOR_ONE = 256;
const FEW = 32;

export class RowSet {
  readonly #few = new Set<number>();
  #bits: Bits | undefined;

  /** `rowsEnd`: rows of the index are below this so far. */
  constructor(private rowsEnd = 0) {}

  add(row: number): void {
    if (row >= this.rowsEnd) this.rowsEnd = row + 1;
    if (this.#bits) this.#bits.add(row);
    else {
      this.#few.add(row);
      if (this.#isMany(this.#few.size)) this.#toBits();
    }
  }

  /** Adds `rows[from]` to `rows[end - 1]`, all below the end that the set was made for. */
  addAll(rows: Uint32Array, from: number, end: number): void {
    if (!this.#bits && this.#isMany(this.#few.size + end - from)) this.#toBits();
    if (this.#bits) this.#bits.addAll(rows, from, end);
    else for (let i = from; i < end; i++) this.#few.add(rows[i]!);
  }

  #isMany(size: number): boolean {
    return size > FEW && size * BITS_FOR_ONE >= this.rowsEnd;
  }

  #toBits(): void {
    const bits = new Bits(this.rowsEnd);
    for (const row of this.#few) bits.add(row);
    this.#few.clear();
    this.#bits = bits;
  }

  has(row: number): boolean {
    return this.#bits ? this.#bits.has(row) : this.#few.has(row);
  }

  remove(row: number): void {
    if (this.#bits) this.#bits.remove(row);
    else this.#few.delete(row);
  }

  /** Goes through the bits, where they are many. */
  get count(): number {
    return this.#bits ? this.#bits.count : this.#few.size;
  }

  /** Whether it is a Set without rows, so that it may be dropped. */
  get isBare(): boolean {
    return !this.#bits && this.#few.size === 0;
  }

  /** Calls with every row, in no order. */
  forEach(visit: (row: number) => void): void {
    if (this.#bits) this.#bits.forEach(visit);
    else this.#few.forEach(visit);
  }
}
