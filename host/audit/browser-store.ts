// The store of an auditor in a browser. Rows that execution reads are in memory; all rows are in IndexedDB, from where
// a later visit resumes and past events, results and checkpoints are read. Without IndexedDB these are in memory, up to a
// bound; beyond it they are forgotten, and the store says so.
// Keeps: memory grows with the number of agents, tasks and open events, not with transactions; a write is one IndexedDB
// transaction.

import type { EventDoc } from '../store/documents.ts';
import { isOpenEvent } from '../store/events.ts';
import { type Prefix, rowKey } from '../store/prefixes.ts';
import { readJson } from '../store/write-set.ts';
import { compareBytes, fromHex } from '../wire/bytes.ts';
import { latin1, latin1Bytes } from '../wire/latin1.ts';
import { type BatchOp, type RowBatch, type ScanRange, type StoreView, textOf } from '../world/store.ts';
import { KEPT_PREFIXES, type VerifierStore } from './kept-rows.ts';

const ROWS = 'rows';
const PAGE = 2000;
const EVENT = 'q'.charCodeAt(0);
const codes = (prefixes: readonly Prefix[]): Set<number> =>
  new Set(prefixes.map((prefix) => prefix.charCodeAt(0)));
/** Contents of results and bodies of trajectories, which nothing that is computed reads. */
const CONTENTS = codes(['u', 'g']);
/** Read at a start alone, or to answer a question: in the database, if there is one. */
const FAR = codes(['u', 'g', 's', 'k']);
/** What execution does not read may take this much memory where there is no database. */
const MAX_SETTLED_BYTES = 128 * 1024 * 1024;

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
  /** Of settled events and results in memory. */
  #settledBytes = 0;
  #isPartial = false;

  private constructor(
    private readonly db: IDBDatabase | undefined,
    private readonly maxSettledBytes: number,
  ) {}

  /**
   * Opens the database of this name and loads the rows needed in memory. Without IndexedDB, as in some private windows,
   * nothing outlives the page, and settled events and results are kept up to `maxSettledBytes`.
   */
  static async open(name: string, maxSettledBytes = MAX_SETTLED_BYTES): Promise<BrowserStore> {
    const store = new BrowserStore(await openDatabase(name).catch(() => undefined), maxSettledBytes);
    for (const prefix of KEPT_PREFIXES) {
      const code = prefix.charCodeAt(0);
      if (FAR.has(code)) continue;
      const range = { gte: Uint8Array.of(code), lt: Uint8Array.of(code + 1) };
      for await (const [key, value] of store.#stored(range)) store.#take({ key, value });
    }
    return store;
  }

  static async remove(name: string): Promise<void> {
    if (globalThis.indexedDB) await done(indexedDB.deleteDatabase(name));
  }

  /** Rows of settled events or results had to be forgotten. */
  get isPartial(): boolean {
    return this.#isPartial;
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

  async write(ops: RowBatch): Promise<void> {
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
    else if (CONTENTS.has(kind!)) this.#takeSettled(name, value);
    else if (this.db === undefined || !FAR.has(kind!)) this.#rows.set(name, value.slice());
  }

  /** What execution does not read: false when it is not in memory. */
  #takeSettled(name: string, value: Uint8Array): boolean {
    if (this.db) return false;
    if (this.#settledBytes + value.length > this.maxSettledBytes) {
      this.#isPartial = true;
      return false;
    }
    this.#settledBytes += value.length;
    this.#rows.set(name, value.slice());
    return true;
  }

  #takeEvent(name: string, value: Uint8Array): void {
    const doc = readJson<EventDoc>(value)!;
    if (isOpenEvent(doc)) {
      this.#rows.set(name, value.slice());
      return;
    }
    if (this.#takeSettled(name, value)) return;
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

async function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(ROWS);
  return done(request);
}
