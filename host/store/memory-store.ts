// Store in memory, for tests: the same contract, and writes can be made to fail.

import { compareBytes, toHex } from '../wire/bytes.ts';
import { type RowBatch, type ScanRange, type Store, type StoreView, textOf } from '../world/store.ts';

export class MemoryStore implements Store {
  readonly engine = 'memory' as const;
  readonly #rows = new Map<string, [Uint8Array, Uint8Array]>();
  /** When set, the next write throws it and changes nothing. */
  failNext: Error | undefined;

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#rows.get(toHex(key))?.[1];
  }
  getMany(keys: readonly Uint8Array[]): (Uint8Array | undefined)[] {
    return keys.map((key) => this.get(key));
  }
  getTexts(keys: readonly Uint8Array[]): (string | undefined)[] {
    return keys.map((key) => textOf(this.get(key)));
  }
  async write(ops: RowBatch): Promise<void> {
    const failure = this.failNext;
    this.failNext = undefined;
    if (failure) throw failure;
    for (const { key, value } of ops) {
      if (value === undefined) this.#rows.delete(toHex(key));
      else this.#rows.set(toHex(key), [key.slice(), value.slice()]);
    }
  }
  async *scan(range: ScanRange): AsyncIterable<[Uint8Array, Uint8Array]> {
    const rows = [...this.#rows.values()]
      .filter(([key]) => compareBytes(key, range.gte) >= 0 && compareBytes(key, range.lt) < 0)
      .sort((a, b) => compareBytes(a[0], b[0]));
    if (range.reverse) rows.reverse();
    yield* rows.slice(0, range.limit ?? rows.length);
  }
  view(): StoreView {
    return viewOf([...this.#rows.values()].sort((a, b) => compareBytes(a[0], b[0])));
  }
  memory(): undefined {}
  async close(): Promise<void> {}
}

/** A view over rows in memory, which must be sorted by key. */
export function viewOf(rows: readonly (readonly [Uint8Array, Uint8Array])[]): StoreView {
  return {
    estimatedRows: rows.length,
    async page({ gte, lt }, maxBytes) {
      const found: [Uint8Array, Uint8Array][] = [];
      let bytes = 0;
      for (const [key, value] of rows) {
        if (compareBytes(key, gte) < 0) continue;
        bytes += key.length + value.length;
        if (compareBytes(key, lt) >= 0 || (bytes > maxBytes && found.length > 0)) break;
        found.push([key, value]);
      }
      return found;
    },
    async close() {},
  };
}
