// The store of an auditor in a browser. Rows that execution reads are in memory; all rows are in IndexedDB, from where
// a later visit resumes and past events and results are read.
// Keeps: memory grows with the number of agents, tasks and open events, not with transactions; a write is one IndexedDB
// transaction.

import type { EventDoc } from '../store/documents.ts';
import { rowKey } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import { compareBytes, fromHex } from '../wire/bytes.ts';
import { latin1, latin1Bytes } from '../wire/latin1.ts';
import { type BatchOp, type ScanRange, type StoreView, textOf } from '../world/store.ts';
import { isOpenEvent, KEPT_PREFIXES, type VerifierStore } from './kept-rows.ts';

const ROWS = 'rows';
const PAGE = 2000;
const [EVENT, CONTENT, LEAF] = ['q', 'u', 's'].map((prefix) => prefix.charCodeAt(0));

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** IndexedDB returns bytes either as typed arrays or as buffers. */
const bytesOf = (value: unknown): Uint8Array =>
  value instanceof Uint8Array ? value : new Uint8Array(value as ArrayBuffer);

export class BrowserStore implements VerifierStore {
  readonly engine = 'memory' as const;
  readonly #rows = new Map<string, Uint8Array>();

  private constructor(private readonly db: IDBDatabase | undefined) {}

  /**
   * Opens the database of this name and loads the rows needed in memory. Without IndexedDB, as in some private windows,
   * nothing outlives the page.
   */
  static async open(name: string): Promise<BrowserStore> {
    const store = new BrowserStore(await openDatabase(name).catch(() => undefined));
    for (const prefix of KEPT_PREFIXES) {
      const code = prefix.charCodeAt(0);
      if (code === LEAF || code === CONTENT) continue;
      const range = { gte: Uint8Array.of(code), lt: Uint8Array.of(code + 1) };
      for await (const [key, value] of store.#stored(range)) store.#take({ key, value });
    }
    return store;
  }

  static async remove(name: string): Promise<void> {
    await done(indexedDB.deleteDatabase(name));
  }

  /** Number of rows in memory. */
  get size(): number {
    return this.#rows.size;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#rows.get(latin1(key));
  }

  getMany(keys: readonly Uint8Array[]): (Uint8Array | undefined)[] {
    return keys.map((key) => this.get(key));
  }

  getTexts(keys: readonly Uint8Array[]): (string | undefined)[] {
    return keys.map((key) => textOf(this.get(key)));
  }

  async find(key: Uint8Array): Promise<Uint8Array | undefined> {
    const near = this.get(key);
    if (near || !this.db) return near;
    const far = await done(this.#transaction('readonly').get(key as Uint8Array<ArrayBuffer>));
    return far === undefined ? undefined : bytesOf(far);
  }

  async write(ops: readonly BatchOp[]): Promise<void> {
    if (this.db) {
      const rows = this.#transaction('readwrite');
      for (const { key, value } of ops) {
        if (value === undefined) rows.delete(key as Uint8Array<ArrayBuffer>);
        // A copy: a view would be stored together with its whole buffer.
        else rows.put(value.slice(), key as Uint8Array<ArrayBuffer>);
      }
      await new Promise<void>((resolve, reject) => {
        rows.transaction.oncomplete = () => resolve();
        rows.transaction.onabort = () =>
          reject(rows.transaction.error ?? new Error('the browser refused to store it'));
      });
    }
    for (const op of ops) this.#take(op);
  }

  #transaction(mode: IDBTransactionMode): IDBObjectStore {
    return this.db!.transaction(ROWS, mode, { durability: 'relaxed' }).objectStore(ROWS);
  }

  #take({ key, value }: BatchOp): void {
    const [kind] = key;
    const name = latin1(key);
    if (value === undefined) this.#rows.delete(name);
    else if (kind === EVENT) this.#takeEvent(name, value);
    else if (this.db === undefined || (kind !== LEAF && kind !== CONTENT))
      this.#rows.set(name, value.slice());
  }

  #takeEvent(name: string, value: Uint8Array): void {
    const doc = readJson<EventDoc>(value)!;
    if (isOpenEvent(doc)) {
      this.#rows.set(name, value.slice());
      return;
    }
    this.#rows.delete(name);
    this.#rows.delete(latin1(rowKey.eventSeq(fromHex(doc.event_id)!)));
  }

  async *scan({
    gte,
    lt,
    limit = Number.POSITIVE_INFINITY,
  }: ScanRange): AsyncIterable<[Uint8Array, Uint8Array]> {
    let left = limit;
    for await (const row of this.db ? this.#stored({ gte, lt }) : this.#near({ gte, lt })) {
      if (left-- <= 0) return;
      yield row;
    }
  }

  *#near({ gte, lt }: Pick<ScanRange, 'gte' | 'lt'>): Iterable<[Uint8Array, Uint8Array]> {
    const rows = [...this.#rows].map(([name, value]): [Uint8Array, Uint8Array] => [latin1Bytes(name), value]);
    const fits = rows.filter(([key]) => compareBytes(key, gte) >= 0 && compareBytes(key, lt) < 0);
    yield* fits.sort((a, b) => compareBytes(a[0], b[0]));
  }

  async *#stored({ gte, lt }: Pick<ScanRange, 'gte' | 'lt'>): AsyncIterable<[Uint8Array, Uint8Array]> {
    if (!this.db) return;
    for (let from = gte, isOpen = false; ; isOpen = true) {
      const range = IDBKeyRange.bound(from, lt, isOpen, true);
      const rows = this.#transaction('readonly');
      const [keys, values] = await Promise.all([
        done(rows.getAllKeys(range, PAGE)),
        done(rows.getAll(range, PAGE)),
      ]);
      for (const [i, key] of keys.entries()) yield [bytesOf(key), bytesOf(values[i])];
      if (keys.length < PAGE) return;
      from = bytesOf(keys.at(-1));
    }
  }

  view(): StoreView {
    throw new Error('an auditor does not serve joins');
  }

  memory(): undefined {}

  async close(): Promise<void> {
    this.db?.close();
  }
}

function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(ROWS);
  return done(request);
}
