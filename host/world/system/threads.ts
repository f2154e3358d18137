// Worker threads, with piscina.
// Keeps: no thread is ended before it has loaded its program: Node 20 aborts the process when a thread ends in the middle of it.

import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Threads } from '../threads.ts';
import { noteThread, threadMemory } from './thread-memory.ts';

/** Until a thread has said that its program is loaded, or is gone. */
async function loaded(thread: Worker): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race(['message', 'exit', 'error'].map((event) => once(thread, event, { signal }))).catch(
    () => {},
  );
  settled.abort();
}

export const systemThreads: Threads = {
  memory: threadMemory,
  open({ name, file, threads, data }) {
    const pool = new Piscina<Uint8Array, Uint8Array>({
      filename: file,
      minThreads: threads,
      maxThreads: threads,
      workerData: data,
    });
    for (const [i, thread] of pool.threads.entries())
      noteThread(thread, threads === 1 ? name : `${name}-${i + 1}`);
    const allLoaded = Promise.all(pool.threads.map(loaded));
    return {
      run: (bytes) => {
        // Memory that others use, too, stays here.
        const own = bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice();
        return pool.run(own, { transferList: [own.buffer] });
      },
      close: async () => {
        await allLoaded;
        await pool.close();
      },
    };
  },
};
