// The thread that writes large batches of a RocksDB store which the main thread has opened.
// Keeps: it only writes. The main thread reads, and closes the database after this thread has ended.

import { workerData } from 'piscina';
import { unpackRows } from '../packed-rows.ts';
import { rocksdbAt, writerOf } from './rocksdb-binding.ts';

const { handle } = workerData as { handle: bigint };
const db = rocksdbAt(handle);
await db.open({});
const write = writerOf(db);

const DONE = new Uint8Array(0);

export default function work(packed: Uint8Array): Uint8Array {
  write(unpackRows(packed));
  return DONE;
}
