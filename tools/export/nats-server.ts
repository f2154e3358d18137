// A NATS server with JetStream of one's own: a fresh directory, a free port, killed without notice and started again.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { freePort, installed, onPath } from './programs.ts';

const START_MS = 30_000;
/** Debian puts it where only root looks. */
const FOLDERS = ['/usr/sbin', '/usr/local/bin'];

/** Why there is no server to be had; undefined if there is one. */
export function missingNats(): string | undefined {
  if (!onPath('nats-server', FOLDERS)) installed('nats-server');
  return onPath('nats-server', FOLDERS)
    ? undefined
    : 'nats-server is not installed and cannot be: apt-get install nats-server';
}

export class NatsServer {
  #process: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<NatsServer> {
    const server = new NatsServer(await mkdtemp(join(tmpdir(), 'vws-nats-')), await freePort());
    await server.run();
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  get version(): string {
    return execFileSync(onPath('nats-server', FOLDERS)!, ['--version'], { encoding: 'utf8' }).trim();
  }

  /** Starts the process and waits until it answers. */
  async run(): Promise<void> {
    const args = ['-a', '127.0.0.1', '-p', String(this.port), '-js', '-sd', join(this.folder, 'js')];
    this.#process = spawn(onPath('nats-server', FOLDERS)!, args, { stdio: 'ignore' });
    const endMs = Date.now() + START_MS;
    for (;;) {
      try {
        await this.manage((manager) => manager.getAccountInfo());
        return;
      } catch (error) {
        if (Date.now() > endMs) throw error;
        await sleep(100);
      }
    }
  }

  async manage<T>(use: (manager: JetStreamManager) => Promise<T>): Promise<T> {
    const connection = await connect({ servers: this.url, reconnect: false });
    try {
      return await use(await jetstreamManager(connection));
    } finally {
      await connection.close();
    }
  }

  /** Sequence and data of all messages of a stream. */
  messages(stream: string): Promise<{ sequence: number; subject: string; data: unknown }[]> {
    return this.manage(async (manager) => {
      const { state } = await manager.streams.info(stream);
      const found = [];
      for (let seq = state.first_seq; state.messages > 0 && seq <= state.last_seq; seq++) {
        const message = await manager.streams.getMessage(stream, { seq });
        if (message) found.push({ sequence: message.seq, subject: message.subject, data: message.json() });
      }
      return found;
    });
  }

  /** Ends the process without notice. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
