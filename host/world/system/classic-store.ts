// Store on LevelDB (classic-level), for platforms without a RocksDB binary. Same key space, same guarantees.
// LevelDB does not verify its checksums on reads, so every value has its own: value | CRC-32C u32.

import { ClassicLevel } from 'classic-level';
import { type RowBatch, type ScanRange, type Store, textOf } from '../store.ts';
import { crc32c } from './crc32c.ts';

const CHECKSUM_BYTES = 4;

function seal(value: Uint8Array): Uint8Array {
  const row = Buffer.allocUnsafe(value.length + CHECKSUM_BYTES);
  row.set(value);
  row.writeUInt32LE(crc32c(value), value.length);
  return row;
}

/** Throws for a row that differs from what was written. */
function unseal(row: Uint8Array): Uint8Array {
  const end = row.length - CHECKSUM_BYTES;
  const view = new DataView(row.buffer, row.byteOffset, row.byteLength);
  if (end < 0 || view.getUint32(end, true) !== crc32c(row, 0, end))
    throw new Error('a row has a bad checksum');
  return row.subarray(0, end);
}

export async function openClassic(path: string): Promise<Store> {
  const db = new ClassicLevel<Uint8Array, Uint8Array>(path, { keyEncoding: 'view', valueEncoding: 'view' });
  await db.open();
  const get = (key: Uint8Array): Uint8Array | undefined => {
    const row = db.getSync(key);
    return row && unseal(row);
  };
  return {
    engine: 'classic-level',
    get,
    getMany: (keys) => keys.map(get),
    getTexts: (keys) => keys.map((key) => textOf(get(key))),
    write: (ops: RowBatch) =>
      db.batch(
        Array.from(ops, (op) =>
          op.value === undefined
            ? ({ type: 'del', key: op.key } as const)
            : ({ type: 'put', key: op.key, value: seal(op.value) } as const),
        ),
        { sync: true },
      ),
    async *scan(range: ScanRange) {
      for await (const [key, row] of db.iterator(range)) yield [key, unseal(row)];
    },
    view() {
      const snapshot = db.snapshot();
      return {
        estimatedRows: undefined,
        async page(range, maxBytes) {
          const found: [Uint8Array, Uint8Array][] = [];
          let bytes = 0;
          for await (const [key, row] of db.iterator({ ...range, snapshot })) {
            bytes += key.length + row.length;
            if (bytes > maxBytes && found.length > 0) break;
            found.push([key, unseal(row)]);
          }
          return found;
        },
        close: () => snapshot.close(),
      };
    },
    memory: () => undefined,
    close: () => db.close(),
  };
}
