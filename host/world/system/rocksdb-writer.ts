// The thread that writes large batches of a RocksDB store which the main thread has opened.
// Keeps: it only writes, in the order in which batches come, and none after one that failed; each is answered, with nothing or
// with why it failed. The main thread reads, and closes the database after this thread has ended.

import { unpackRows } from '../packed-rows.ts';
import type { RoomProgram } from '../threads.ts';
import { rocksdbAt, writerOf } from './rocksdb-binding.ts';

const open: RoomProgram<bigint> = async (handle, post) => {
  const db = rocksdbAt(handle);
  await db.open({});
  const write = writerOf(db);
  let failure = '';
  return (packed) => {
    try {
      if (failure === '') write(unpackRows(packed));
    } catch (error) {
      failure = (error as Error).message || 'the write failed';
    }
    post(new Uint8Array(Buffer.from(failure)));
  };
};

export default open;
