// A set of rows whose cost depends on its size: few rows are kept in a Set, many as one bit for each row of the index. So
// a query with few results is as cheap among a million rows as among a thousand.
// Keeps: a set that has changed to bits stays in that form.

import { Bits } from './bits.ts';

/** An entry of a Set costs as much memory as about this many bits. */
const BITS_PER_ENTRY = 256;
const FEW = 32;

export class RowSet {
  readonly #few = new Set<number>();
  #bits: Bits | undefined;

  /** `rowsEnd`: all rows of the index are below this at present. */
  constructor(private rowsEnd = 0) {}

  /** `rows`: different ones. */
  static of(rows: readonly number[], rowsEnd: number): RowSet {
    const set = new RowSet(rowsEnd);
    if (set.#isMany(rows.length)) set.#toBits();
    for (const row of rows) set.add(row);
    return set;
  }

  add(row: number): void {
    if (row >= this.rowsEnd) this.rowsEnd = row + 1;
    if (this.#bits) this.#bits.add(row);
    else {
      this.#few.add(row);
      if (this.#isMany(this.#few.size)) this.#toBits();
    }
  }

  /** Adds `rows[from]` to `rows[end - 1]`, all below `rowsEnd`. */
  addAll(rows: Uint32Array, from: number, end: number): void {
    if (!this.#bits && this.#isMany(this.#few.size + end - from)) this.#toBits();
    if (this.#bits) this.#bits.addAll(rows, from, end);
    else for (let i = from; i < end; i++) this.#few.add(rows[i]!);
  }

  #isMany(size: number): boolean {
    return size > FEW && size * BITS_PER_ENTRY >= this.rowsEnd;
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

  /** Number of rows; scans the bits if the set has that form. */
  get count(): number {
    return this.#bits ? this.#bits.count : this.#few.size;
  }

  /** True for an empty set not in bit form, which may be dropped. */
  get isDisposable(): boolean {
    return !this.#bits && this.#few.size === 0;
  }

  /** Calls `visit` with every row, in no particular order. */
  forEach(visit: (row: number) => void): void {
    if (this.#bits) this.#bits.forEach(visit);
    else this.#few.forEach(visit);
  }
}
