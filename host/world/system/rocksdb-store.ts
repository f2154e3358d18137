// Store on RocksDB (@nxtedition/rocksdb), the default engine. Small batches are written in the calling thread: 0.4 ms, the
// cost of a durable answer. Large ones are written by a thread of their own, so that sockets are read and requests checked
// while the disk works.
// Keeps: batches become visible and durable in the order of the calls, whichever thread writes them.

import { compareBytes } from '../../wire/bytes.ts';
import { packRows } from '../packed-rows.ts';
import type { BatchOp, RowBatch, ScanRange, Store, StoreView } from '../store.ts';
import type { Room } from '../threads.ts';
import { systemProgram } from './files.ts';
import { RAW, type RocksLevel, rocksdbAt, TEXT, writerOf } from './rocksdb-binding.ts';
import { systemThreads } from './threads.ts';

/**
 * Rows from which on a batch is handed over, some twenty transactions: two rows each, and those of their blocks. A hand-over
 * costs what so many rows do; and a node with so little to do has nothing else to do meanwhile.
 */
const MIN_HANDED_ROWS = 48;
/** Rows of a scan that are fetched at once, in the binding's own threads; fewer if they are large. */
const SCAN_ROWS = 1000;
const SCAN_BYTES = 1 << 20;
const TEXTS = { again: TEXT, once: { ...TEXT, fillCache: false } };

/**
 * Without compression where each write passes: in the log, and in the tables that a flush makes. Both are read a few times
 * and dropped soon; compressing them took a third of the time that a transfer costs outside of the main thread. What is
 * compacted further down is compressed. Of the budget for tables in memory a quarter is one table, of which two are flushed together,
 * and an eighth the size of a file.
 */
const OPTIONS = {
  createIfMissing: true,
  cacheSize: 256 << 20,
  compaction: 'level',
  compression: true,
  walCompression: false,
  memtableMemoryBudget: 128 << 20,
  parallelism: 2,
};

const ALL = { gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) };

/** The view is an iterator: it sees the rows as of its creation, however often it is moved. */
function viewOf(db: RocksLevel): StoreView {
  const encodings = { keyEncoding: 'buffer', valueEncoding: 'buffer' };
  const iterator = db.iterator({ ...ALL, ...encodings, highWaterMarkBytes: SCAN_BYTES });
  const rows = Number(db.getProperty('rocksdb.estimate-num-keys'));
  return {
    estimatedRows: rows > 0 ? rows : undefined,
    async page({ gte, lt }, maxBytes) {
      iterator.seek(gte);
      const found: [Uint8Array, Uint8Array][] = [];
      let bytes = 0;
      for (;;) {
        const rows = await iterator.nextv(SCAN_ROWS);
        for (const [key, value] of rows) {
          bytes += key.length + value.length;
          const isEnd = compareBytes(key, lt) >= 0 || (bytes > maxBytes && found.length > 0);
          if (isEnd) return found;
          found.push([key, value]);
        }
        if (rows.length === 0) return found;
      }
    },
    close: () => iterator.close(),
  };
}

/** The batches of an open database, one after the other. */
class Batches {
  readonly #write: (ops: Iterable<BatchOp>) => void;
  /** The thread for large ones; started with the first, since tools and small nodes never need it. */
  #thread: Room | undefined;
  /** Batches that the thread has, in order. */
  #handed: { resolve(): void; reject(error: Error): void }[] = [];
  /** Why nothing is written any more: what follows a batch that may be missing must not be there. */
  #failure: Error | undefined;

  constructor(
    private readonly db: RocksLevel,
    private readonly isKept: boolean,
  ) {
    this.#write = writerOf(db, isKept);
  }

  async run(ops: RowBatch): Promise<void> {
    if (this.#failure) throw this.#failure;
    const isHanded = this.#handed.length > 0 || ops.length >= MIN_HANDED_ROWS;
    if (isHanded && this.isKept) await this.#hand(packRows(ops));
    else this.#write(ops);
  }

  #hand(packed: Uint8Array<ArrayBuffer>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#handed.push({ resolve, reject });
      this.#thread ??= this.#open();
      this.#thread.hold(true);
      this.#thread.post(packed);
    });
  }

  #open(): Room {
    return systemThreads.room({
      name: 'store',
      file: systemProgram.path('host/world/system/rocksdb-writer.js'),
      data: this.db.handle,
      onBytes: (answer) => {
        const batch = this.#handed.shift();
        // A program that ends without closing its store is not kept from it.
        this.#thread!.hold(this.#handed.length > 0);
        if (answer.length === 0) batch?.resolve();
        else batch?.reject(this.#fail(new Error(Buffer.from(answer).toString())));
      },
      onFailure: (error) => this.#end(error),
      onEnd: (error) => this.#end(error),
    });
  }

  #fail(error: Error): Error {
    this.#failure ??= error;
    return error;
  }

  /** The thread answers no more. */
  #end(error: Error): void {
    this.#fail(error);
    for (const { reject } of this.#handed.splice(0)) reject(error);
  }

  async close(): Promise<void> {
    const last = this.#handed.length > 0 ? this.#hand(new Uint8Array(0)).catch(() => {}) : undefined;
    this.#fail(new Error('the store is closed'));
    await last;
    await this.#thread?.close();
  }
}

/**
 * `isKept` false: the store goes with this process, so a batch need not be on disk, and no other thread has to wait for that.
 */
export async function openRocksdb(path: string, isKept = true): Promise<Store> {
  const db = rocksdbAt(path);
  await db.open(OPTIONS);
  const batches = new Batches(db, isKept);
  return {
    engine: 'rocksdb',
    get: (key) => db._getManySync([key], RAW)[0] ?? undefined,
    getMany: (keys) =>
      keys.length === 0 ? [] : db._getManySync(keys as Uint8Array[], RAW).map((v) => v ?? undefined),
    getTexts: (keys, use = 'again') =>
      keys.length === 0 ? [] : db._getManySync(keys as Uint8Array[], TEXTS[use]).map((v) => v ?? undefined),
    async write(ops: RowBatch) {
      await batches.run(ops);
    },
    async *scan(range: ScanRange) {
      const options = { ...range, keyEncoding: 'buffer', valueEncoding: 'buffer' };
      const iterator = db.iterator({ ...options, highWaterMarkBytes: SCAN_BYTES });
      try {
        for (;;) {
          const rows = await iterator.nextv(SCAN_ROWS);
          if (rows.length === 0) return;
          for (const row of rows) yield row;
        }
      } finally {
        await iterator.close();
      }
    },
    view: () => viewOf(db),
    memory: () => ({
      // Includes memtables that are being flushed or are used by a view.
      memtables: Number(db.getProperty('rocksdb.size-all-mem-tables')),
      cache: Number(db.getProperty('rocksdb.block-cache-usage')),
      index: Number(db.getProperty('rocksdb.estimate-table-readers-mem')),
    }),
    async close() {
      await batches.close();
      await db.close();
    },
  };
}
