// One connection to the database, and what its errors mean.
// Keeps: pg and its relatives are loaded only when an export runs; a connection that broke is never used again.

import type { Client, DatabaseError } from 'pg';
import type { Clock } from '../../world/clock.ts';
import { pause } from '../../world/clock.ts';

export interface DatabaseOptions {
  url: string;
  /** Schema of the tables. */
  schema: string;
  clock: Pick<Clock, 'setTimer' | 'monotonicMs'>;
  /** For so long a database that does not answer is tried again. */
  patienceMs: number;
  warn(text: string): void;
  /** Something failed for a passing reason, and is run again. */
  onRetry?(): void;
}

const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 5000;
const CONNECT_MS = 10_000;

/** Of one server: to be tried again. Deadlocks and lost races of serialization as well as a server that stops or starts. */
const PASSING = /^(08|40|53|57)/;
const BROKEN = /ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|Connection terminated|not queryable|timeout/;

/** Whether the same may succeed later. */
export function isPassing(error: unknown): boolean {
  const { code, message } = error as Partial<DatabaseError>;
  return PASSING.test(code ?? '') || BROKEN.test(`${code ?? ''} ${message ?? ''}`);
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

async function connect({ url, schema }: DatabaseOptions): Promise<Client> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'vws export',
  });
  // An idle connection that breaks is noticed by the next query.
  client.on('error', () => {});
  await client.connect();
  await client.query(`set search_path to ${quoted(schema)}`);
  return client;
}

export class Database {
  #client: Client | undefined;

  constructor(private readonly o: DatabaseOptions) {}

  /**
   * Runs something with a connection. What fails for a passing reason is run again from its beginning with a new one, until
   * patience ends. Errors: the last one.
   */
  async use<T>(run: (client: Client) => Promise<T>): Promise<T> {
    const { clock, patienceMs, warn } = this.o;
    const endMs = clock.monotonicMs() + patienceMs;
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
      try {
        this.#client ??= await connect(this.o);
        return await run(this.#client);
      } catch (error) {
        await this.close();
        if (!isPassing(error) || clock.monotonicMs() > endMs) throw error;
        this.o.onRetry?.();
        warn(`the database: ${(error as Error).message}; tried again`);
        await pause(clock, waitMs);
      }
    }
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    // Of a connection that broke nothing is left to end.
    await client?.end().catch(() => {});
  }
}
