// A store in one file, for auditors in Node: batches are appended and synced, the places of rows are in memory, rows are read
// from the file. No native module, so it comes with the small packages.
// Keeps: a batch counts when all of it is on disk: a torn one at the end is dropped, any other damage is refused. One process
// has a folder at a time. What was overwritten is left out when the file is opened and mostly consists of it.
//
//   file   8 bytes VWSROWS1, then batches
//   batch  u32 length of the body, u32 CRC-32C of the body, body: for each row u16 length of the key,
//          u32 length of the value or NO_VALUE, key, value

import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { compareBytes } from '../../wire/bytes.ts';
import { latin1, latin1Bytes } from '../../wire/latin1.ts';
import {
  type RowBatch,
  type ScanRange,
  type Store,
  StoreError,
  type StoreView,
  textOf,
  UNCHANGED,
} from '../store.ts';
import { crc32c } from './crc32c.ts';
import { makeDirectory } from './make-directory.ts';

const MAGIC = latin1Bytes('VWSROWS1');
const HEAD_BYTES = 8;
const ROW_BYTES = 6;
const NO_VALUE = 0xffffffff;
/** A file is written anew at an opening when this much of it, and more than half, was overwritten. */
const MIN_WASTE_BYTES = 16 * 1024 * 1024;
/** Rows of a batch when a file is written anew. */
const COPY_ROWS = 1000;

/** Where a value is in the file. */
interface Place {
  at: number;
  bytes: number;
}

function batchOf(ops: RowBatch): Uint8Array {
  let body = 0;
  for (const { key, value } of ops) body += ROW_BYTES + key.length + (value?.length ?? 0);
  const bytes = new Uint8Array(HEAD_BYTES + body);
  const view = new DataView(bytes.buffer);
  let at = HEAD_BYTES;
  for (const { key, value } of ops) {
    view.setUint16(at, key.length, true);
    view.setUint32(at + 2, value?.length ?? NO_VALUE, true);
    bytes.set(key, at + ROW_BYTES);
    if (value) bytes.set(value, at + ROW_BYTES + key.length);
    at += ROW_BYTES + key.length + (value?.length ?? 0);
  }
  view.setUint32(0, body, true);
  view.setUint32(4, crc32c(bytes, HEAD_BYTES), true);
  return bytes;
}

/** Takes a folder for this process. A lock of a process that is gone is taken over. */
function lock(path: string): void {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = Number(readFileSync(path, 'utf8'));
    try {
      // Without a number it is of a process that a crash or a full disk kept from writing it; 0 would ask about this one.
      if (!(owner > 0)) throw new Error('nobody');
      process.kill(owner, 0);
    } catch {
      rmSync(path, { force: true });
      continue;
    }
    break;
  }
  throw new StoreError(
    `another process is using ${path}: wait for it, or choose another folder. ${UNCHANGED}`,
  );
}

export class FileStore implements Store {
  readonly engine = 'memory' as const;
  readonly #places = new Map<string, Place>();
  #file: number;
  #end = 0;
  /** Of the values in #places, with their keys. */
  #liveBytes = 0;
  #isOpen = true;

  private constructor(private readonly folder: string) {
    this.#file = openSync(this.#path(), 'a+', 0o600);
    this.#load(this.#path());
  }

  /** Opens the folder, which is made if need be. Errors: StoreError when it is in use or damaged. */
  static async open(folder: string): Promise<FileStore> {
    makeDirectory(folder);
    lock(join(folder, 'lock'));
    try {
      const store = new FileStore(folder);
      if (store.#end > MIN_WASTE_BYTES && store.#liveBytes * 2 < store.#end) await store.#rewrite();
      return store;
    } catch (error) {
      rmSync(join(folder, 'lock'), { force: true });
      throw error;
    }
  }

  #path(name = 'rows'): string {
    return join(this.folder, name);
  }

  #read(at: number, bytes: number): Uint8Array {
    const found = new Uint8Array(bytes);
    for (let got = 0; got < bytes; ) {
      const more = readSync(this.#file, found, got, bytes - got, at + got);
      if (more === 0) return found.subarray(0, got);
      got += more;
    }
    return found;
  }

  #load(path: string): void {
    const magic = this.#read(0, MAGIC.length);
    if (magic.length < MAGIC.length) {
      ftruncateSync(this.#file, 0);
      writeSync(this.#file, MAGIC);
    } else if (compareBytes(magic, MAGIC) !== 0)
      throw new StoreError(`${path} holds no rows of an auditor. ${UNCHANGED}`);
    this.#end = MAGIC.length;
    for (;;) {
      const head = this.#read(this.#end, HEAD_BYTES);
      if (head.length < HEAD_BYTES) break;
      const view = new DataView(head.buffer);
      const body = this.#read(this.#end + HEAD_BYTES, view.getUint32(0, true));
      if (body.length < view.getUint32(0, true)) break;
      if (crc32c(body) !== view.getUint32(4, true)) {
        if (this.#read(this.#end + HEAD_BYTES + body.length, 1).length === 0) break;
        throw new StoreError(
          `${path} is damaged at byte ${this.#end}: delete the folder and audit anew. ${UNCHANGED}`,
        );
      }
      this.#take(body);
    }
    ftruncateSync(this.#file, this.#end);
  }

  /** Notes the rows of the batch with this body, which begins at #end. */
  #take(body: Uint8Array): void {
    const view = new DataView(body.buffer, body.byteOffset, body.length);
    const from = this.#end + HEAD_BYTES;
    for (let at = 0; at < body.length; ) {
      const keyBytes = view.getUint16(at, true);
      const length = view.getUint32(at + 2, true);
      const key = latin1(body, at + ROW_BYTES, at + ROW_BYTES + keyBytes);
      const bytes = length === NO_VALUE ? 0 : length;
      at += ROW_BYTES + keyBytes + bytes;
      this.#liveBytes -= this.#cost(key);
      if (length === NO_VALUE) this.#places.delete(key);
      else this.#places.set(key, { at: from + at - bytes, bytes });
      this.#liveBytes += this.#cost(key);
    }
    this.#end = from + body.length;
  }

  #cost(key: string): number {
    const place = this.#places.get(key);
    return place ? ROW_BYTES + key.length + place.bytes : 0;
  }

  /** Copies the live rows into a new file, which takes the place of this one. */
  async #rewrite(): Promise<void> {
    const file = openSync(this.#path('rows.new'), 'w', 0o600);
    writeFileSync(file, MAGIC);
    const names = [...this.#places.keys()];
    for (let i = 0; i < names.length; i += COPY_ROWS) {
      const keys = names.slice(i, i + COPY_ROWS).map(latin1Bytes);
      // All of it or an error, which writeSync alone does not say: what is left out here is lost.
      writeFileSync(file, batchOf(keys.map((key) => ({ key, value: this.get(key)! }))));
    }
    fdatasyncSync(file);
    closeSync(file);
    closeSync(this.#file);
    renameSync(this.#path('rows.new'), this.#path());
    this.#places.clear();
    this.#liveBytes = 0;
    this.#file = openSync(this.#path(), 'a+', 0o600);
    this.#load(this.#path());
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const place = this.#places.get(latin1(key));
    return place && this.#read(place.at, place.bytes);
  }

  getMany(keys: readonly Uint8Array[]): (Uint8Array | undefined)[] {
    return keys.map((key) => this.get(key));
  }

  getTexts(keys: readonly Uint8Array[]): (string | undefined)[] {
    return keys.map((key) => textOf(this.get(key)));
  }

  /** As `get`: what an auditor asks of any store. */
  async find(key: Uint8Array): Promise<Uint8Array | undefined> {
    return this.get(key);
  }

  async write(ops: RowBatch): Promise<void> {
    const batch = batchOf(ops);
    try {
      for (let sent = 0; sent < batch.length; ) sent += writeSync(this.#file, batch, sent);
      fdatasyncSync(this.#file);
    } catch (error) {
      // The file is appended to: the next batch would stand behind the part that was written.
      ftruncateSync(this.#file, this.#end);
      throw error;
    }
    this.#take(batch.subarray(HEAD_BYTES));
  }

  /** Rows of a range in byte order, by the places as they are now: the file only grows. */
  #sorted({ gte, lt }: Pick<ScanRange, 'gte' | 'lt'>): [Uint8Array, Place][] {
    const rows = [...this.#places].map(([name, place]): [Uint8Array, Place] => [latin1Bytes(name), place]);
    const fits = rows.filter(([key]) => compareBytes(key, gte) >= 0 && compareBytes(key, lt) < 0);
    return fits.sort((a, b) => compareBytes(a[0], b[0]));
  }

  async *scan(range: ScanRange): AsyncIterable<[Uint8Array, Uint8Array]> {
    const rows = this.#sorted(range);
    if (range.reverse) rows.reverse();
    for (const [key, { at, bytes }] of rows.slice(0, range.limit)) yield [key, this.#read(at, bytes)];
  }

  view(): StoreView {
    throw new Error('an auditor does not serve joins');
  }

  memory(): undefined {}

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#file);
    rmSync(this.#path('lock'), { force: true });
  }
}
