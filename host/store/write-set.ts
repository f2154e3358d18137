// The effects of one batch of blocks, collected before they are written atomically.
// Reads through it see what the batch has written so far, so that a later transaction builds on an earlier one.

import { PackedRows } from '../world/packed-rows.ts';
import { type RowBatch, type RowUse, type Store, textOf } from '../world/store.ts';
import { firstRows } from './first-rows.ts';

export class WriteSet {
  /** `rows`: the memory of a batch that is over, to be used again. */
  constructor(
    readonly store: Store,
    protected readonly rows: PackedRows = new PackedRows(),
  ) {
    rows.clear();
  }

  get size(): number {
    return this.rows.length;
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.rows.put(key, value);
  }

  delete(key: Uint8Array): void {
    this.rows.delete(key);
  }

  putJson(key: Uint8Array, value: unknown): void {
    this.rows.putText(key, JSON.stringify(value));
  }

  /** Under a key that never had a row. */
  putNewJson(key: Uint8Array, value: unknown): void {
    this.putJson(key, value);
  }

  /** In place of a row that was read. */
  rewriteJson(key: Uint8Array, _old: Uint8Array, value: unknown): void {
    this.putJson(key, value);
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const place = this.rows.placeOf(key);
    return place < 0 ? this.store.get(key) : this.rows.valueAt(place);
  }

  getJson<T>(key: Uint8Array): T | undefined {
    return readJson<T>(this.get(key));
  }

  /** The rows of the batch, as long as nothing is put. */
  ops(): RowBatch {
    return this.rows;
  }
}

const parsed = <T>(text: string | undefined): T | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as T);

export const readJson = <T>(bytes: Uint8Array | undefined): T | undefined => parsed<T>(textOf(bytes));

/** Documents by key, as many of the first ones as one page may read. */
export const firstJsons = <T>(
  store: Pick<Store, 'getTexts'>,
  keys: readonly Uint8Array[],
  use?: RowUse,
): (T | undefined)[] => firstRows(keys, (some) => store.getTexts(some, use)).map((text) => parsed<T>(text));

/** Documents by key; undefined where there is none. */
export const readJsons = <T>(
  store: Pick<Store, 'getTexts'>,
  keys: readonly Uint8Array[],
  use?: RowUse,
): (T | undefined)[] => store.getTexts(keys, use).map((text) => parsed<T>(text));
