// Worker threads, with piscina.

import { Piscina } from 'piscina';
import type { Threads } from '../threads.ts';

export const systemThreads: Threads = {
  open({ file, threads, data }) {
    const pool = new Piscina<Uint8Array, Uint8Array>({
      filename: file,
      minThreads: threads,
      maxThreads: threads,
      workerData: data,
    });
    return {
      run: (bytes) => pool.run(bytes, { transferList: [bytes.buffer] }),
      close: () => pool.close(),
    };
  },
};
