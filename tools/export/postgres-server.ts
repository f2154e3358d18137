// A PostgreSQL server of one's own: a fresh directory, a free port, killed without notice and started again.
// Keeps: PostgreSQL refuses to run as root, so as root it runs as the user "postgres". Nothing of it is left after `close`.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort, installed, onPath } from './programs.ts';

const DEBIAN = '/usr/lib/postgresql';
const START_MS = 60_000;

/** Folder with the newest `postgres` of Debian, or that on the path; undefined if there is none. */
function binFolder(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const found = versions
    .sort((a, b) => b - a)
    .map((version) => join(DEBIAN, String(version), 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
  const path = found ? undefined : onPath('initdb');
  return path ? dirname(path) : found;
}

/** Why there is no server to be had; undefined if there is one. */
export function missingPostgres(): string | undefined {
  if (!binFolder()) installed('postgresql');
  return binFolder() ? undefined : 'PostgreSQL is not installed and cannot be: apt-get install postgresql';
}

/** User and group that the server runs as, where this process is root. */
function owner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export class PostgresServer {
  #process: ChildProcess | undefined;
  #log = '';

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), 'vws-postgres-'));
    const as = owner();
    if (as) chownSync(folder, as.uid, as.gid);
    const server = new PostgresServer(folder, await freePort());
    const init = ['-D', join(folder, 'data'), '-U', 'vws', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
    execFileSync(join(binFolder()!, 'initdb'), init, { ...as, cwd: folder, stdio: 'ignore' });
    await server.run();
    return server;
  }

  /** URL of a database; `vws` may do everything. */
  url(database = 'postgres', user = 'vws'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts the process and waits until it answers. */
  async run(): Promise<void> {
    const endMs = Date.now() + START_MS;
    for (;;) {
      const child = this.#process ?? this.#spawn();
      try {
        const client = new pg.Client({ connectionString: this.url(), connectionTimeoutMillis: 2000 });
        client.on('error', () => {});
        await client.connect();
        await client.end();
        return;
      } catch (error) {
        if (Date.now() > endMs) throw new Error(`PostgreSQL does not start: ${error}\n${this.#log}`);
        // After a kill its old children may still hold the directory: then the process ends, and another is started.
        if (child.exitCode !== null) this.#process = undefined;
        await sleep(100);
      }
    }
  }

  #spawn(): ChildProcess {
    // Nothing here outlives a crash of the machine, so nothing waits for the disk.
    const settings = [
      '-c',
      'fsync=off',
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
    ];
    const args = ['-D', join(this.folder, 'data'), '-p', String(this.port), ...settings];
    const child = spawn(join(binFolder()!, 'postgres'), args, {
      ...owner(),
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr!.on('data', (chunk) => {
      this.#log = `${this.#log}${chunk}`.slice(-4000);
    });
    this.#process = child;
    return child;
  }

  /** A new database. */
  async database(name: string): Promise<string> {
    await this.query(`create database ${name}`);
    return this.url(name);
  }

  /** Rows of the last statement; numbers of 64 bits as Number. */
  async query<Row = Record<string, unknown>>(
    sql: string,
    url = this.url(),
    values: unknown[] = [],
  ): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    try {
      client.setTypeParser(20, Number);
      client.setTypeParser(1700, Number);
      // Of several statements: an answer for each.
      const answers = [await client.query(sql, values)].flat();
      return answers.at(-1)!.rows as Row[];
    } finally {
      await client.end();
    }
  }

  /** Ends the process without notice. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  async close(): Promise<void> {
    await this.#end('SIGINT');
    await rm(this.folder, { recursive: true, force: true });
  }
}
