// Worker threads: pools of piscina, and rooms.
// Keeps: no thread is ended before it has loaded its program: Node 20 aborts the process when a thread ends in the middle of it.

import { once } from 'node:events';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Threads } from '../threads.ts';
import { systemProgram } from './files.ts';
import type { RoomData } from './room-thread.ts';
import { noteThread, threadMemory } from './thread-memory.ts';

/** A flag for a program that is given as a text: no thread starts with it. */
const FOR_TEXT = '--input-type';

/**
 * Flags of a thread. It has those of the process by itself; a list may name none of V8 or of the process, such as
 * `--max-old-space-size`, so the only list is the empty one.
 */
const flags = (): { execArgv?: string[] } =>
  process.execArgv.some((flag) => flag.startsWith(FOR_TEXT)) ? { execArgv: [] } : {};

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
  room({ name, file, data, onBytes, onFailure, onEnd }) {
    const thread = new Worker(systemProgram.path('host/world/system/room-thread.js'), {
      workerData: { file, data } satisfies RoomData,
      // The driver's library reads the environment of the process as it is loaded.
      env: SHARE_ENV,
      ...flags(),
    });
    noteThread(thread, name);
    const isLoaded = loaded(thread);
    let isClosing = false;
    thread.on('message', (message: Uint8Array | Error | 'loaded') => {
      if (message instanceof Error) onFailure(message);
      else if (message !== 'loaded') onBytes(message);
    });
    thread.on('error', (error) => {
      if (!isClosing) onEnd(error as Error);
    });
    thread.on('exit', (code) => {
      if (!isClosing) onEnd(new Error(`a thread ended with code ${code}`));
    });
    return {
      post: (bytes) => thread.postMessage(bytes, [bytes.buffer]),
      hold: (isHeld) => (isHeld ? thread.ref() : thread.unref()),
      close: async () => {
        isClosing = true;
        await isLoaded;
        await thread.terminate();
      },
    };
  },
};
