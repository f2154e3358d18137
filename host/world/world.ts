// Everything outside the process that a node uses, as one injected object.
// Keeps: only world/system reads clocks, starts timers or threads, draws random bytes, or opens sockets or files. So the
// whole node also runs in a simulated world, where a fault of clock, network or disk takes one line.
// The client, the auditor and the page use a smaller interface (Environment).

import type { Clock } from './clock.ts';
import type { RunCommand } from './command.ts';
import type { Files, Program } from './files.ts';
import type { DriverChoice, HttpDriver, HttpService } from './http.ts';
import type { Post } from './post.ts';
import type { Engine, Store } from './store.ts';
import type { Threads } from './threads.ts';
import type { Transport, TransportKey } from './transport.ts';

/** `count` bytes that nobody can predict. */
export type RandomBytes = (count: number) => Uint8Array;

/** The part of `fetch` that the client needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Stores {
  /** Whether a data directory has a store. */
  exists(dataDir: string): boolean;
  /**
   * Opens the store of a data directory, or makes it. `warn`: called with the reason if another engine than the preferred one is used.
   * Errors: StoreError when another process holds it, another engine made it, or it is damaged.
   */
  open(dataDir: string, engine: Engine, warn: (text: string) => void): Promise<Store>;
  /**
   * Copies the store of a data directory, which nobody has open, to a folder beside it; its path. Whole and synced when it
   * resolves, or absent after a crash. A copy of that name is left as it is.
   */
  copy(dataDir: string, name: string): Promise<string>;
}

export interface Names {
  /** Addresses of a host as the operating system resolves it, the hosts file included. Errors: it has none. */
  lookup(host: string): Promise<string[]>;
  /** Addresses of a host from its name servers, IPv4 first; never from the hosts file. Errors: it has none. */
  resolve(host: string): Promise<string[]>;
}

/** Memory of the process, in bytes. */
export interface MemoryUse {
  rss: number;
  heapTotal: number;
  heapUsed: number;
  arrayBuffers: number;
}

/** Bytes of a data directory and of the file system that it is on. */
export interface DiskUse {
  /** What this user may still write. */
  freeBytes: number;
  totalBytes: number;
  /** All files of the store. */
  storeBytes: number;
  /** Those of its write-ahead log among them. */
  walBytes: number;
}

export interface World {
  clock: Clock;
  randomBytes: RandomBytes;
  /** Links to other nodes; `key`: this node's. */
  transport(key: TransportKey): Transport;
  names: Names;
  post: Post;
  runCommand: RunCommand;
  /** Serves HTTP and WebSocket clients. `onFallback`: receives why `auto` took node:http. Errors: `uws` has no binary here. */
  serve(
    service: HttpService,
    choice: DriverChoice,
    onFallback: (reason: string) => void,
  ): Promise<HttpDriver>;
  stores: Stores;
  files: Files;
  /** Undefined where the system does not tell. */
  diskUse(dataDir: string): DiskUse | undefined;
  program: Program;
  threads: Threads;
  gzip(body: Uint8Array | string): Promise<Uint8Array>;
  memoryUse(): MemoryUse;
  /** Processor time that the process has used so far, all threads together, ms. */
  cpuMs(): number;
  /** Of this thread alone, ms; of the process where the system does not tell them apart. */
  threadCpuMs(): number;
  /** The longest that the main thread kept what was due waiting since this was last asked, ms; 0 the first time. */
  loopDelayMs(): number;
  /** Calls `handler` with the name of each signal that asks the process to stop. */
  onStopSignal(handler: (signal: string) => void): void;
}

/** The part of the world that browsers have, too. */
export interface Environment extends Pick<World, 'clock' | 'randomBytes'> {
  fetch: Fetch;
}
