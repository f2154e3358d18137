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

/** A thread that runs until it is closed. It and its opener send each other bytes, which change hands and come in order. */
export interface Room {
  post(bytes: Uint8Array<ArrayBuffer>): void;
  /** Whether the process stays while nothing else is left to do: at first it does. */
  hold(isHeld: boolean): void;
  /** Ends the thread; resolves when it has ended. */
  close(): Promise<void>;
}

export interface RoomPlan {
  /** As metrics show it. */
  name: string;
  /** Path of a compiled module whose default export is a RoomProgram. */
  file: string;
  /** Passed to the program. */
  data: unknown;
  onBytes(bytes: Uint8Array): void;
  /** Called with an exception that the program did not catch. The thread goes on, so that it can be closed in good order. */
  onFailure(error: Error): void;
  /** Called when the thread ends without having been closed. */
  onEnd(error: Error): void;
}

/** What a room runs: it is given a way to send bytes to the opener, and returns what takes the opener's. */
export type RoomProgram<Data> = (
  data: Data,
  post: (bytes: Uint8Array<ArrayBuffer>) => void,
) => Promise<(bytes: Uint8Array) => void>;

/** JavaScript memory of one thread. */
export interface ThreadMemory {
  /** That of the pool or room, with a number where a pool has several; `main`. */
  name: string;
  /** Heap taken from the system, and what is used of it, garbage included. */
  heapBytes: number;
  usedBytes: number;
  /** Outside of the heap: buffers, and WebAssembly memory as it is laid out. */
  externalBytes: number;
}

export interface Threads {
  open(plan: PoolPlan): Pool;
  room(plan: RoomPlan): Room;
  /** Of all threads that can tell; for the process, whoever opened them. */
  memory(): Promise<ThreadMemory[]>;
}
