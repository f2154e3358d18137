// Work on other threads: bytes in, bytes out.

export interface Pool {
  /** Runs one job. `bytes` belong to the pool afterwards. Rejects when the thread fails. */
  run(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
  /** Resolves when every thread has ended. */
  close(): Promise<void>;
}

export interface PoolPlan {
  /** Path of a compiled module whose default export is the work: `(bytes: Uint8Array) => Uint8Array`. */
  file: string;
  threads: number;
  /** Passed to the module when it is loaded. */
  data: unknown;
}

export interface Threads {
  open(plan: PoolPlan): Pool;
}
