// The effects of one batch of blocks, collected before they are written atomically.
// Reads through it see what the batch has written so far, so that a later transaction builds on an earlier one.

import { utf8 } from '../wire/bytes.ts';
import { latin1 } from '../wire/latin1.ts';
import { type BatchOp, type RowUse, type Store, textOf } from '../world/store.ts';
import { firstRows } from './first-rows.ts';

export class WriteSet {
  readonly #rows = new Map<string, BatchOp>();

  constructor(readonly store: Store) {}

  get size(): number {
    return this.#rows.size;
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.#rows.set(latin1(key), { key, value });
  }

  delete(key: Uint8Array): void {
    this.#rows.set(latin1(key), { key, value: undefined });
  }

  putJson(key: Uint8Array, value: unknown): void {
    this.put(key, utf8(JSON.stringify(value)));
  }

  /** Under a key that never had a row. */
  putNewJson(key: Uint8Array, value: unknown): void {
    this.putJson(key, value);
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const row = this.#rows.get(latin1(key));
    return row ? row.value : this.store.get(key);
  }

  getJson<T>(key: Uint8Array): T | undefined {
    return readJson<T>(this.get(key));
  }

  ops(): BatchOp[] {
    return [...this.#rows.values()];
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
