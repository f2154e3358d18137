// Everything outside the process that a node uses, as one injected object.
// Keeps: only world/system reads clocks, starts timers or threads, draws random bytes, or opens sockets or files. So the
// whole node also runs in a simulated world, where a fault of clock, network or disk takes one line.
// The client, the auditor and the page use a smaller interface (Environment).

import type { Clock } from './clock.ts';
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

export interface World {
  clock: Clock;
  randomBytes: RandomBytes;
  /** Links to other nodes; `key`: this node's. */
  transport(key: TransportKey): Transport;
  names: Names;
  post: Post;
  /** Serves HTTP and WebSocket clients. `onFallback`: receives why `auto` took node:http. Errors: `uws` has no binary here. */
  serve(
    service: HttpService,
    choice: DriverChoice,
    onFallback: (reason: string) => void,
  ): Promise<HttpDriver>;
  stores: Stores;
  files: Files;
  program: Program;
  threads: Threads;
  gzip(body: Uint8Array | string): Promise<Uint8Array>;
  memoryUse(): MemoryUse;
  /** Processor time that the process has used so far, all threads together, ms. */
  cpuMs(): number;
  /** Calls `handler` with the name of each signal that asks the process to stop. */
  onStopSignal(handler: (signal: string) => void): void;
}

/** The part of the world that browsers have, too. */
export interface Environment extends Pick<World, 'clock' | 'randomBytes'> {
  fetch: Fetch;
}
