// The store's peers: the same RocksDB without synced writes, which loses data in memory at a power cut.

import type { BatchOp } from '../../host/world/store.ts';
import { rocksdbAt } from '../../host/world/system/rocksdb-binding.ts';

export interface PlainStore {
  write(ops: readonly BatchOp[]): Promise<void>;
  get(key: Uint8Array): Uint8Array | undefined;
  close(): Promise<void>;
}

/** RocksDB as the node opens it; a write is complete once the operating system has it. */
export async function openUnsynced(path: string): Promise<PlainStore> {
  const db = rocksdbAt(path);
  await db.open({ createIfMissing: true, cacheSize: 256 << 20, compression: true, parallelism: 2 });
  const batch = db.batch();
  return {
    async write(ops) {
      for (const { key, value } of ops) {
        if (value === undefined) batch._del(key, {});
        else batch._put(key, value, {});
      }
      batch._writeSync({ sync: false });
      batch._clear();
    },
    get: (key) => db._getManySync([key], { valueEncoding: 'buffer' })[0] ?? undefined,
    close: () => db.close(),
  };
}
