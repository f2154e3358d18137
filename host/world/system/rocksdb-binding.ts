// The binding of RocksDB, as far as it is used: the package has no type definitions.
// Keeps: a batch is one atomic write, on disk when `write` returns, unless it was asked not to wait for that. The thread that
// opened a database and the one that writes its large batches (rocksdb-writer.ts) have a batch object each.

import { createRequire } from 'node:module';
import type { BatchOp } from '../store.ts';

const require = createRequire(import.meta.url);

export const RAW = { valueEncoding: 'buffer' } as const;
export const TEXT = { valueEncoding: 'utf8' } as const;
const KEYS_AND_VALUES = { keyEncoding: 'buffer', valueEncoding: 'buffer' };

export interface RocksLevel {
  /** Names the open database to the binding in another thread of this process. */
  readonly handle: bigint;
  open(options: Record<string, unknown>): Promise<void>;
  close(): Promise<void>;
  _getManySync(keys: Uint8Array[], options: typeof RAW): (Uint8Array | undefined | null)[];
  _getManySync(keys: Uint8Array[], options: typeof TEXT): (string | undefined | null)[];
  batch(): RocksBatch;
  iterator(options: Record<string, unknown>): RocksIterator;
  getProperty(name: string): string;
}
export interface RocksIterator {
  nextv(size: number): Promise<[Uint8Array, Uint8Array][]>;
  seek(target: Uint8Array): void;
  close(): Promise<void>;
}
interface RocksBatch {
  _put(key: Uint8Array, value: Uint8Array, options: object): void;
  _del(key: Uint8Array, options: object): void;
  _writeSync(options: { sync: boolean }): void;
  _clear(): void;
}

const NONE = {};

/** Throws when this platform has no binary. */
export function loadRocksdb(): new (place: string | bigint, options: object) => RocksLevel {
  return require('@nxtedition/rocksdb').RocksLevel;
}

/** The database at a path, or the one that another thread has opened. */
export const rocksdbAt = (place: string | bigint): RocksLevel => new (loadRocksdb())(place, KEYS_AND_VALUES);

/**
 * Writes batches in the calling thread. One batch object for all of them: the database keeps a reference to every batch it
 * creates until it is closed, and memory of a dropped batch is freed only by the garbage collector.
 */
export function writerOf(db: RocksLevel, sync = true): (ops: Iterable<BatchOp>) => void {
  const batch = db.batch();
  return (ops) => {
    try {
      for (const { key, value } of ops) {
        if (value === undefined) batch._del(key, NONE);
        else batch._put(key, value, NONE);
      }
      batch._writeSync({ sync });
    } finally {
      batch._clear();
    }
  };
}
