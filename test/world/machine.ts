// A machine of the simulated world: a disk and a clock of its own, and at most one process, which is a whole node.
// A fault is one call: kill, pause, resume, a clock that is set, a disk that fails.

import type { Config } from '../../host/config/config.ts';
import { loadConfig } from '../../host/config/config.ts';
import type { KeyPair } from '../../host/crypto/key-pair.ts';
import { markUnused } from '../../host/crypto/unused-key.ts';
import type { Scale } from '../../host/execution/open-core.ts';
import type { RunningNode } from '../../host/node/node.ts';
import { startNode } from '../../host/node/node.ts';
import type { Genesis } from '../../host/wire/genesis.ts';
import type { Clock } from '../../host/world/clock.ts';
import { after, type HttpDriver, type HttpReply, type HttpService } from '../../host/world/http.ts';
import { RequestHead } from '../../host/world/request-head.ts';
import type { BatchOp } from '../../host/world/store.ts';
import { systemProgram } from '../../host/world/system/files.ts';
import type { World } from '../../host/world/world.ts';
import { Disk, DiskStore, filesOf, type StoreHooks } from './disk.ts';
import { threadsOf } from './threads.ts';
import type { Universe } from './universe.ts';
import { type Filter, SimTransport, type Wires } from './wires.ts';

export const modules = {
  'core.wasm': new WebAssembly.Module(systemProgram.read('core.wasm')),
  'consensus.wasm': new WebAssembly.Module(systemProgram.read('consensus.wasm')),
};

export interface LogLine {
  atMs: number;
  machine: string;
  level: 'debug' | 'info' | 'warn' | 'error';
  text: string;
  fields: Record<string, unknown>;
}

export interface Surroundings {
  universe: Universe;
  wires: Wires;
  genesis: Genesis;
  scale: Scale;
  /** Every line that a node logs. */
  logged(line: LogLine): void;
  /** A process has written. */
  written(machine: Machine, ops: readonly BatchOp[]): void;
}

export interface MachineOptions {
  name: string;
  /** A rotation changes it. */
  key: KeyPair;
  /** Addresses of other machines. */
  peers: readonly string[];
  env?: Readonly<Record<string, string>> | undefined;
  /** It has no seat. */
  isObserver?: boolean;
  /** Newest revision of the rules that its program knows; undefined: this program's. */
  revision?: number | undefined;
  /** For how long it keeps its history: SERVICE_HISTORY, which has whole days. */
  historySecs?: number | undefined;
  /** What its judge answers, with SERVICE_JUDGE in `env`: a question as JSON to an answer. */
  judge?: ((question: string) => string) | undefined;
  /** How the wall clock differs from true time. */
  skewMs?: number;
  /** What the process sends may be changed. */
  filter?: Filter | undefined;
}

/** One run of a node, from its start to its end. */
class Incarnation {
  isAlive = true;
  /** While paused nothing runs; what came due waits. */
  readonly held: (() => void)[] = [];
  service: HttpService | undefined;
  transport: SimTransport | undefined;
  node: RunningNode | undefined;
  failure: Error | undefined;
  /** Rejects when the process ends. */
  readonly gone: Promise<never>;
  #end: (error: Error) => void = () => {};

  constructor() {
    this.gone = new Promise((_, reject) => {
      this.#end = reject;
    });
    this.gone.catch(() => {});
  }

  end(): void {
    this.isAlive = false;
    this.held.length = 0;
    this.transport?.reset();
    this.#end(new Error('connection reset'));
  }
}

/** An answer as a client reads it: JSON as a text, whichever thread wrote it. */
const asRead = (reply: HttpReply): HttpReply =>
  typeof reply.body !== 'string' && reply.headers['Content-Type']?.startsWith('application/json')
    ? { ...reply, body: new TextDecoder().decode(reply.body) }
    : reply;

export class Machine {
  readonly disk = new Disk();
  readonly name: string;
  skewMs: number;
  /** How long a write takes to be synced. */
  syncMs = 2;
  /** What is left on its disk, of 2 TiB. */
  freeBytes = 2 ** 40;
  /** How long its main thread keeps work waiting, as the machine tells. */
  loopDelayMs = 0;
  #now: Incarnation | undefined;
  #isPaused = false;
  /** How long the machine slept: its monotonic clock stood still meanwhile. */
  #sleptMs = 0;
  /** Ends of processes that nobody asked for, newest last. */
  readonly failures: Error[] = [];
  starts = 0;

  constructor(
    private readonly around: Surroundings,
    readonly o: MachineOptions,
  ) {
    this.name = o.name;
    this.skewMs = o.skewMs ?? 0;
    markUnused(this.disk.files, this.#dataDir, o.key.publicKeyHex);
  }

  get #dataDir(): string {
    return `/data/${this.name}`;
  }

  get isUp(): boolean {
    return this.#now?.service !== undefined;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** A process exists, though it may still be starting. */
  get hasProcess(): boolean {
    return this.#now !== undefined;
  }

  get address(): string {
    return `${this.name}:8337`;
  }

  /** Starts the process. Resolves when it takes requests or has failed; what failed is in `failures`. */
  async start(): Promise<boolean> {
    if (this.#now) return true;
    const process = new Incarnation();
    this.#now = process;
    this.starts += 1;
    try {
      const node = await startNode({
        world: this.#world(process),
        config: this.#config(),
        identity: this.o.key,
        genesis: this.around.genesis,
        log: this.#logger(process),
        scale: this.around.scale,
        revision: this.o.revision,
      });
      process.node = node;
      void node.failed.then((error) => this.#failed(process, error));
      return true;
    } catch (error) {
      this.#failed(process, error as Error);
      return false;
    }
  }

  #failed(process: Incarnation, error: Error): void {
    if (!process.isAlive) return;
    process.failure = error;
    this.failures.push(error);
    this.kill();
  }

  /** Ends the process at once, as SIGKILL or a power failure does. */
  kill(): void {
    const process = this.#now;
    if (!process) return;
    process.end();
    this.#now = undefined;
    this.#isPaused = false;
  }

  /** Ends the process as SIGTERM does. */
  async stop(): Promise<void> {
    const process = this.#now;
    if (!process?.node) {
      this.kill();
      return;
    }
    await process.node.stop();
    this.kill();
  }

  pause(): void {
    if (this.#now) this.#isPaused = true;
  }

  /** The whole machine sleeps: nothing runs, and the monotonic clock stands still. */
  async suspend(ms: number): Promise<void> {
    this.pause();
    const { universe } = this.around;
    const startMs = universe.nowMs;
    await universe.pause(ms);
    this.#sleptMs += universe.nowMs - startMs;
    this.resume();
  }

  resume(): void {
    this.#isPaused = false;
    for (const run of this.#now?.held.splice(0) ?? []) this.around.universe.after(0, run);
  }

  /** What a running node shows a client. Rejects when nobody answers. */
  request(request: {
    method: string;
    path: string;
    headers?: Readonly<Record<string, string>>;
    body?: string;
    from?: string;
  }): Promise<HttpReply> {
    const process = this.#now;
    const service = process?.service;
    if (!process || !service) return Promise.reject(new Error(`${this.name} refuses the connection`));
    const [path = '', query = ''] = request.path.split('?');
    const headers = Object.entries(request.headers ?? {}).flatMap(([name, value]) => [
      name.toLowerCase(),
      value,
    ]);
    return new Promise((resolve) => {
      const head = new RequestHead(request.method, path, query, request.from ?? '10.9.0.1', headers);
      head.body = new TextEncoder().encode(request.body ?? '');
      const answer = (reply: HttpReply): void => {
        if (process.isAlive) resolve(asRead(reply));
      };
      this.#soon(process, () => {
        void after(service.admit(head), (early) => {
          if (early) answer(early);
          else service.handle(head, answer);
        });
      });
    });
  }

  /** Rejects when the process that runs now ends. */
  gone(): Promise<never> {
    return this.#now?.gone ?? Promise.reject(new Error(`${this.name} refuses the connection`));
  }

  #soon(process: Incarnation, run: () => void): void {
    this.around.universe.after(0, () => this.#enter(process, run));
  }

  /** Runs something as the process, unless it is gone; later, while it is paused. What it throws ends the process. */
  #enter(process: Incarnation, run: () => void): void {
    if (!process.isAlive) return;
    if (this.#isPaused) {
      process.held.push(() => this.#enter(process, run));
      return;
    }
    try {
      run();
    } catch (error) {
      this.#failed(process, error as Error);
    }
  }

  #clock(process: Incarnation): Clock {
    const { universe } = this.around;
    const startMs = universe.nowMs;
    const sleptBeforeMs = this.#sleptMs;
    return {
      nowMs: () => Math.floor(universe.nowMs + this.skewMs),
      monotonicMs: () => universe.nowMs - startMs - (this.#sleptMs - sleptBeforeMs),
      setTimer: (fn, ms) => {
        let isCancelled = false;
        const cancel = universe.after(ms, () =>
          this.#enter(process, () => {
            if (!isCancelled) fn();
          }),
        );
        return () => {
          isCancelled = true;
          cancel();
        };
      },
      soon: (fn) => this.#soon(process, fn),
    };
  }

  #world(process: Incarnation): World {
    const { universe, wires } = this.around;
    const clock = this.#clock(process);
    const hooks: StoreHooks = {
      written: (ops) => this.around.written(this, ops),
      synced: () => new Promise((resolve) => clock.setTimer(resolve, this.syncMs)),
      powerFailed: () => this.kill(),
    };
    const isAlive = (): boolean => process.isAlive;
    const serve = async (service: HttpService): Promise<HttpDriver> => ({
      name: 'simulated',
      listen: async (_host, port) => {
        process.service = service;
        return port;
      },
      close: async () => {
        process.service = undefined;
      },
    });
    return {
      clock,
      randomBytes: (count) => universe.dice.bytes(count),
      transport: (key) => {
        const port = {
          machine: this.name,
          key,
          isAlive,
          enter: (run: () => void) => this.#enter(process, run),
          filter: (message: Uint8Array, to: string) => this.o.filter?.(message, to) ?? [message],
        };
        process.transport = new SimTransport(wires, port);
        return process.transport;
      },
      names: { lookup: async (host) => [wires.addressOf(host)], resolve: async () => [] },
      post: async () => ({ status: 0, body: new Uint8Array(), end: 'broken' }),
      runCommand: async ({ input }) => {
        const answer = this.o.judge?.(input);
        if (answer === undefined)
          return { end: 'not_started', code: undefined, output: new Uint8Array(), errors: '' };
        return { end: 'exit', code: 0, output: new TextEncoder().encode(answer), errors: '' };
      },
      serve,
      stores: {
        exists: () => this.disk.hasStore,
        open: async () => new DiskStore(this.disk, hooks),
        copy: () => Promise.reject(new Error('no store of a simulated machine has another format')),
      },
      files: filesOf(this.disk, hooks),
      diskUse: () => ({ freeBytes: this.freeBytes, totalBytes: 2 ** 41, storeBytes: 0, walBytes: 0 }),
      program: {
        ...systemProgram,
        module: async (name) => modules[name as keyof typeof modules],
        folder: () => new Map(),
      },
      threads: threadsOf(clock, serve),
      gzip: async (body) => (typeof body === 'string' ? new TextEncoder().encode(body) : body),
      memoryUse: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, arrayBuffers: 0 }),
      cpuMs: () => 0,
      threadCpuMs: () => 0,
      loopDelayMs: () => this.loopDelayMs,
      onStopSignal() {},
    };
  }

  #config(): Config {
    const { env = {}, peers, historySecs } = this.o;
    const config = loadConfig({
      flags: this.o.isObserver ? { observer: true } : {},
      env: {
        SERVICE_TESTNET: 'true',
        SERVICE_DATA: this.#dataDir,
        SERVICE_LISTEN: `${this.name}:8337`,
        SERVICE_API: `${this.name}:8338`,
        SERVICE_RATE_LIMITS: 'off',
        SERVICE_WORKERS: '1',
        // Half of the nodes at a time, and each in every second life, take requests in on another thread.
        SERVICE_INGRESS: String((this.starts + this.name.charCodeAt(this.name.length - 1)) % 2),
        ...(peers.length > 0
          ? { SERVICE_VALIDATOR_MANIFEST: '/manifest.json', SERVICE_PEER: peers.join(',') }
          : {}),
        ...env,
      },
    });
    const daySecs = this.around.genesis.params.day_secs;
    return historySecs === undefined ? config : { ...config, historyDays: historySecs / daySecs };
  }

  #logger(process: Incarnation) {
    const line =
      (level: LogLine['level']) =>
      (fields: Record<string, unknown> | string, text = ''): void => {
        if (!process.isAlive) return;
        const atMs = this.around.universe.nowMs;
        const isText = typeof fields === 'string';
        this.around.logged({
          atMs,
          machine: this.name,
          level,
          text: isText ? fields : text,
          fields: isText ? {} : fields,
        });
      };
    return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
  }
}
