// Opens the node's store: RocksDB where its binary loads, else LevelDB over the same key space.
// Never deletes anything; every refusal says what to do.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openClassic } from './classic-store.ts';
import { loadRocksdb, openRocksdb } from './rocksdb-store.ts';
import type { Store } from './store.ts';
import { StoreError } from './store.ts';

export type Engine = 'auto' | 'rocksdb' | 'classic';

function rocksdbLoads(): boolean {
  try {
    loadRocksdb();
    return true;
  } catch {
    return false;
  }
}

/** Text of an error and its causes: LevelDB keeps the reason in `cause`. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${textOf(error.cause)}`;
}

/**
 * Opens `<dataDir>/db`. `warn` is told when LevelDB stands in for RocksDB.
 * Errors: StoreError when another process holds the store, or it can't be read.
 */
export async function openStore(
  dataDir: string,
  engine: Engine,
  warn: (text: string) => void,
): Promise<Store> {
  const path = join(dataDir, 'db');
  await mkdir(path, { recursive: true, mode: 0o700 });
  const rocks = engine === 'rocksdb' || (engine === 'auto' && rocksdbLoads());
  if (engine === 'auto' && !rocks) warn('no RocksDB binary for this platform: using LevelDB instead');
  try {
    return rocks ? await openRocksdb(path) : await openClassic(path);
  } catch (error) {
    const text = textOf(error);
    if (/lock|LOCK/.test(text)) {
      throw new StoreError(`another process is using ${path}: stop it or choose another --data directory`, {
        cause: error,
      });
    }
    throw new StoreError(`the store in ${path} cannot be opened: ${text}. Nothing was changed.`, {
      cause: error,
    });
  }
}
