// Rows by key, kept apart by the first byte of the key and in order within it: a range that is read lies within one kind of
// rows, a disk has many of some kinds, and most are written in order.

import { latin1 } from '../../host/wire/latin1.ts';

export type Row = readonly [key: Uint8Array, value: Uint8Array];

/** Rows whose keys have one first byte. */
class Kind {
  readonly rows = new Map<string, Row>();
  /** Their names in order; undefined: to be sorted when they are needed. Latin-1 text has the order of its bytes. */
  #names: string[] | undefined = [];

  set(name: string, row: Row): void {
    if (!this.rows.has(name)) this.#added(name);
    this.rows.set(name, row);
  }

  #added(name: string): void {
    const names = this.#names;
    if (names && (names.length === 0 || names.at(-1)! < name)) names.push(name);
    else this.#names = undefined;
  }

  delete(name: string): void {
    if (this.rows.delete(name)) this.#names = undefined;
  }

  /** Rows from the name `from` up to and without `to`. */
  range(from: string, to: string): Row[] {
    this.#names ??= [...this.rows.keys()].sort();
    const names = this.#names;
    return names.slice(placeOf(names, from), placeOf(names, to)).map((name) => this.rows.get(name)!);
  }
}

/** Number of names below this one. */
function placeOf(names: readonly string[], name: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (names[middle]! < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class RowTable {
  readonly #kinds = new Map<number, Kind>();

  constructor(rows: Iterable<Row> = []) {
    for (const [key, value] of rows) this.set(key, value);
  }

  get size(): number {
    let sum = 0;
    for (const { rows } of this.#kinds.values()) sum += rows.size;
    return sum;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#kinds.get(key[0]!)?.rows.get(latin1(key))?.[1];
  }

  /** Keeps the bytes; the caller must not change them. */
  set(key: Uint8Array, value: Uint8Array): void {
    const kind = this.#kinds.get(key[0]!) ?? new Kind();
    this.#kinds.set(key[0]!, kind);
    kind.set(latin1(key), [key, value]);
  }

  delete(key: Uint8Array): void {
    this.#kinds.get(key[0]!)?.delete(latin1(key));
  }

  /** All rows, in no order. */
  *[Symbol.iterator](): Iterator<Row> {
    for (const { rows } of this.#kinds.values()) yield* rows.values();
  }

  /** Rows from `gte` up to and without `lt`, by key. */
  range(gte: Uint8Array, lt: Uint8Array): Row[] {
    const firsts = [...this.#kinds.keys()].filter((first) => first >= gte[0]! && first <= lt[0]!);
    const [from, to] = [latin1(gte), latin1(lt)];
    return firsts.sort((a, b) => a - b).flatMap((first) => this.#kinds.get(first)!.range(from, to));
  }
}
