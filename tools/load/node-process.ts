// A real node as a child process: start it on a data directory, wait until it accepts writes, stop or kill it.
// Keeps: only processes started here are ever ended; a node that dies early is an error with the end of its log.
// Testnet, loopback, free ports by default, rate limits off: for load and crash tests only.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { type Environment, readEnv } from '../../host/config/config.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { builtPath } from './built.ts';
import { Connection, requestBytes } from './connection.ts';

export const PASSPHRASE = 'for a test node';
const READY_MS = 60_000;
const HEALTHY_MS = 60_000;
const LOG_KEPT = 8_000;

export interface NodeStart {
  dataDir: string;
  /** Further settings. */
  env?: Environment;
  /** Flags of the command, e.g. `--no-auth`. */
  flags?: readonly string[];
  /** Arguments of Node itself, e.g. `--cpu-prof`. */
  nodeFlags?: readonly string[];
  /** The built program, if it is another one than this build's. */
  main?: string;
  /** Program and arguments to run it with, e.g. in another network namespace. */
  wrap?: readonly string[];
  /** Largest file the process may write, in units of 512 bytes as `ulimit -f` counts. Simulates a full disk. */
  fileBlocks?: number;
  /** Longest wait until it is ready, in ms; more for a large state. */
  readyMs?: number;
}

/** How a process ended, and the end of its output. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  log: string;
}

export const sleep = (ms: number): Promise<void> => new Promise((done) => systemClock.setTimer(done, ms));

function settings({ dataDir, env }: NodeStart): NodeJS.ProcessEnv {
  return {
    PATH: readEnv().PATH,
    SERVICE_TESTNET: 'true',
    SERVICE_RATE_LIMITS: 'off',
    SERVICE_PASSPHRASE: PASSPHRASE,
    SERVICE_LOG_LEVEL: 'warn',
    SERVICE_DATA: dataDir,
    SERVICE_API: '127.0.0.1:0',
    SERVICE_LISTEN: '127.0.0.1:0',
    ...env,
  };
}

export class NodeProcess {
  port = 0;
  /** agent_id of the seat's operator, whose key is the node's. */
  agentId = '';
  private out = '';
  private log = '';
  private exit: Exit | undefined;
  private readonly exited: Promise<Exit>;

  private constructor(private readonly child: ChildProcessByStdio<null, Readable, Readable>) {
    child.stdout.on('data', (part) => {
      this.out += part;
    });
    child.stderr.on('data', (part) => {
      this.log = (this.log + part).slice(-LOG_KEPT);
    });
    this.exited = new Promise((resolve) => {
      // `close` comes after the last output, which `exit` may precede.
      child.on('close', (code, signal) => {
        this.exit = { code, signal, log: this.log };
        resolve(this.exit);
      });
    });
  }

  /** Starts the process without waiting. */
  static launch(options: NodeStart): NodeProcess {
    const {
      flags = [],
      nodeFlags = [],
      wrap = [],
      fileBlocks,
      main = builtPath('host/cli/main.js'),
    } = options;
    const command = [process.execPath, ...nodeFlags, main, 'start', ...flags];
    const limit = fileBlocks === undefined ? [] : ['sh', '-c', `ulimit -f ${fileBlocks}; exec "$@"`, 'sh'];
    const [program, ...args] = [...wrap, ...limit, ...command];
    const child = spawn(program as string, args, {
      env: settings(options),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new NodeProcess(child);
  }

  /** Resolves when the node prints `ready` and its /health is 200. Errors: it ended or took too long. */
  static async start(options: NodeStart): Promise<NodeProcess> {
    const node = NodeProcess.launch(options);
    try {
      await node.ready(options.readyMs);
    } catch (error) {
      await node.kill();
      throw error;
    }
    return node;
  }

  /** Resolves when a launched node prints `ready` and its /health is 200. Errors: it ended or took too long. */
  async ready(readyMs = READY_MS, healthyMs = HEALTHY_MS): Promise<void> {
    await this.untilReady(readyMs);
    await this.untilHealthy(healthyMs);
  }

  /** Resolves when a launched node prints `ready`, healthy or not. Errors as for `ready`. */
  answering(readyMs = READY_MS): Promise<void> {
    return this.untilReady(readyMs);
  }

  private async untilReady(readyMs: number): Promise<void> {
    const endMs = systemClock.monotonicMs() + readyMs;
    while (!/^ready$/m.test(this.out)) {
      if (this.exit)
        throw new Error(`the node ended early with ${this.exit.code ?? this.exit.signal}\n${this.log}`);
      if (systemClock.monotonicMs() > endMs) throw new Error(`the node did not become ready\n${this.log}`);
      await sleep(20);
    }
    this.port = Number(/^API: .*:(\d+)$/m.exec(this.out)?.[1]);
    this.agentId = /^AgentID: (\S+)$/m.exec(this.out)?.[1] ?? '';
    if (!this.port) throw new Error(`the node printed no API address:\n${this.out}`);
  }

  private async untilHealthy(healthyMs: number): Promise<void> {
    const endMs = systemClock.monotonicMs() + healthyMs;
    let last = 0;
    while (systemClock.monotonicMs() < endMs) {
      last = (await this.get('/health')).status;
      if (last === 200) return;
      await sleep(50);
    }
    throw new Error(`/health answers ${last} after ${healthyMs / 1000} s\n${this.log}`);
  }

  /** One read over a new connection. */
  async get(path: string): Promise<{ status: number; text: string }> {
    const connection = await Connection.open(this.port);
    try {
      const { status, body } = await connection.send(requestBytes({ method: 'GET', path }));
      return { status, text: body.toString() };
    } finally {
      connection.close();
    }
  }

  /** Body of a read that must answer 200. */
  async json<T>(path: string): Promise<T> {
    const { status, text } = await this.get(path);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
    return JSON.parse(text) as T;
  }

  /** Resolves when the process has ended, by itself or not. */
  ended(): Promise<Exit> {
    return this.exited;
  }

  /** The end of its output so far. */
  get logged(): string {
    return this.log;
  }

  /** Sends a signal without waiting for its effect. */
  signal(name: NodeJS.Signals): void {
    if (!this.exit) this.child.kill(name);
  }

  /** The end of its log so far. */
  get said(): string {
    return this.log;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** Kills the process at once, like a power cut. */
  async kill(): Promise<void> {
    if (!this.exit) this.child.kill('SIGKILL');
    await this.exited;
  }

  /** Stops the node as an operator would. Errors: an exit code other than 0. */
  async stop(): Promise<void> {
    if (!this.exit) this.child.kill('SIGTERM');
    const cancel = systemClock.setTimer(() => this.child.kill('SIGKILL'), 15_000);
    const { code, signal } = await this.exited;
    cancel();
    if (code !== 0) throw new Error(`the node stopped with ${code ?? signal}\n${this.log}`);
  }
}
