// Store on LevelDB (classic-level), for platforms without a RocksDB binary. Same key space, same guarantees.

import { ClassicLevel } from 'classic-level';
import type { BatchOp, ScanRange, Store } from './store.ts';

export async function openClassic(path: string): Promise<Store> {
  const db = new ClassicLevel<Uint8Array, Uint8Array>(path, { keyEncoding: 'view', valueEncoding: 'view' });
  await db.open();
  const get = (key: Uint8Array): Uint8Array | undefined => db.getSync(key);
  return {
    engine: 'classic-level',
    get,
    getMany: (keys) => keys.map(get),
    write: (ops: readonly BatchOp[]) =>
      db.batch(
        ops.map((op) =>
          op.value === undefined
            ? ({ type: 'del', key: op.key } as const)
            : ({ type: 'put', key: op.key, value: op.value } as const),
        ),
        { sync: true },
      ),
    scan: (range: ScanRange) => db.iterator(range),
    close: () => db.close(),
  };
}
