// Reads of an export's tables, each at one place in the order.
// Keeps: all queries of one read see one state of the database, and nothing is written; no query runs longer than its bound.

import type { Pool, PoolClient, QueryResult } from 'pg';
import { ServiceError } from '../../errors.ts';
import type { Place } from '../batch.ts';
import { isPassing, quoted } from '../postgres/connection.ts';
import { heldText } from '../postgres/values.ts';

/** How long a query may take: a page of a list takes some milliseconds. */
const MAX_QUERY_MS = 2000;
const CONNECT_MS = 2000;
const CANCELLED = '57014';
/** No such table: nothing was exported yet. */
const UNDEFINED_TABLE = '42P01';
/** No such column: the exporter that wrote the tables is older than this reader. */
const UNDEFINED_COLUMN = '42703';
/** No such role, password or database, no login, no right to read: whoever operates it can mend that while this runs. */
const SHUT = /^(28|3D|42501)/;

const BEGIN = `begin isolation level repeatable read read only;
  select genesis, source, seq, ord, time_ms, first_ord, kept_from, signed_height from export_state where name = 'main'`;

type Parameter = string | number | readonly string[] | undefined;

/** The tables at one place. */
export interface Snapshot extends Place {
  /** Consensus time of the newest block, ms. */
  timeMs: number;
  /** Whether it was computed; otherwise it is what the stream of a node said, events alone. */
  isVerified: boolean;
  /** Order at which the export begins, 0 for genesis. */
  firstOrder: number;
  /** Events with a lower seq may have been dropped. */
  keptFrom: number;
  /** Height of the newest checkpoint that a quorum has signed, 0 = none. */
  signedHeight: number;
  /** Columns of the type json come as text, numbers of 64 bits as Number. */
  rows<Row>(sql: string, values?: readonly Parameter[]): Promise<Row[]>;
}

export interface TablesOptions {
  url: string;
  schema: string;
  connections: number;
}

type StateRow = Record<'seq' | 'ord' | 'time_ms' | 'first_ord' | 'kept_from' | 'signed_height', number> & {
  source: 'verified' | 'stream';
};

/** What a client is told of a database that fails; the cause is logged by the watch (place-watch.ts). */
function refusalOf(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  const { code } = error as { code?: string };
  const headers = { 'Retry-After': '1' };
  if (code === CANCELLED) return new ServiceError('overloaded', { headers, cause: error });
  return isPassing(error) || code === UNDEFINED_TABLE || code === UNDEFINED_COLUMN || SHUT.test(code ?? '')
    ? new ServiceError('not_ready', { text: 'the database does not answer', headers, cause: error })
    : error;
}

export class Tables {
  private constructor(private readonly pool: Pool) {}

  static async open({ url, schema, connections }: TablesOptions): Promise<Tables> {
    const { default: pg } = await import('pg');
    const parsers: Record<number, (text: string) => unknown> = { 20: Number, 114: (text) => text };
    const pool = new pg.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: MAX_QUERY_MS,
      application_name: 'vws serve',
      options: `-c search_path=${quoted(schema)}`,
      types: {
        getTypeParser: (oid: number, format?: 'text') => parsers[oid] ?? pg.types.getTypeParser(oid, format),
      } as never,
    });
    // A connection that breaks fails its query, or leaves the pool if nobody uses it.
    pool.on('connect', (client) => client.on('error', () => {}));
    pool.on('error', () => {});
    return new Tables(pool);
  }

  /** Runs a read. Errors: ServiceError `not_ready` without a database, `overloaded` for a query that takes too long. */
  async read<T>(run: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    let client: PoolClient | undefined;
    try {
      client = await this.pool.connect();
      const [, state] = (await client.query(BEGIN)) as unknown as QueryResult<StateRow>[];
      const answer = await run(snapshotOf(client, state!.rows[0]));
      await client.query('commit');
      client.release();
      return answer;
    } catch (error) {
      // A connection in a state that nobody knows is not used again.
      const isFine = error instanceof ServiceError && client !== undefined;
      if (isFine) await client!.query('rollback').catch(() => {});
      client?.release(!isFine);
      throw refusalOf(error);
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}

function snapshotOf(client: PoolClient, state: StateRow | undefined): Snapshot {
  if (!state)
    throw new ServiceError('not_ready', {
      text: 'nothing was exported yet',
      headers: { 'Retry-After': '1' },
    });
  return {
    seq: state.seq,
    order: state.ord,
    timeMs: state.time_ms,
    isVerified: state.source === 'verified',
    firstOrder: state.first_ord,
    keptFrom: state.kept_from,
    signedHeight: state.signed_height,
    async rows<Row>(sql: string, values: readonly Parameter[] = []) {
      // The tables hold texts in this form.
      const held = values.map((value) => (typeof value === 'string' ? heldText(value) : value));
      const { rows } = await client.query(sql, held);
      return rows as Row[];
    },
  };
}
