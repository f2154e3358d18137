// Work on other threads: bytes in, bytes out.

export interface Pool {
  /** Runs one job. `bytes` belong to the pool afterwards. Rejects when the thread fails. */
  run(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
  /** Resolves when every thread has ended. */
  close(): Promise<void>;
}

export interface PoolPlan {
  /** Of its threads, in metrics. */
  name: string;
  /** Path of a compiled module whose default export is the work: `(bytes: Uint8Array) => Uint8Array`. */
  file: string;
  threads: number;
  /** Passed to the module when it is loaded. */
  data: unknown;
}

/** JavaScript memory of one thread. */
export interface ThreadMemory {
  /** That of the pool, with a number where it has several; `main`. */
  name: string;
  /** Heap taken from the system, and what is used of it, garbage included. */
  heapBytes: number;
  usedBytes: number;
  /** Outside of the heap: buffers, and WebAssembly memory as it is laid out. */
  externalBytes: number;
}

export interface Threads {
  open(plan: PoolPlan): Pool;
  /** Of all threads that can tell; for the process, whoever opened them. */
  memory(): Promise<ThreadMemory[]>;
}
