// Bytes of a data directory on its file system.

import { readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DiskUse } from '../world.ts';
import { storePath } from './store-path.ts';

/** Undefined where the directory or the file system tells nothing. */
export function diskUse(dataDir: string): DiskUse | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(dataDir);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, ...storeBytes(storePath(dataDir)) };
  } catch {
    return undefined;
  }
}

/** Both engines keep their write-ahead log in files `*.log`, all of it in one flat folder. */
function storeBytes(path: string): Pick<DiskUse, 'storeBytes' | 'walBytes'> {
  let [store, wal] = [0, 0];
  for (const name of readdirSync(path)) {
    // The engine removes files while they are listed.
    const size = statSync(join(path, name), { throwIfNoEntry: false })?.size ?? 0;
    store += size;
    if (name.endsWith('.log')) wal += size;
  }
  return { storeBytes: store, walBytes: wal };
}
