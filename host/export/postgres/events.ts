// Reads committed events back, in their order, for what is published from them.

import type { EventSource, PublishedEvent } from '../batch.ts';
import { Database, type DatabaseOptions } from './connection.ts';

export class StoredEvents implements EventSource {
  readonly #database: Database;

  constructor(options: DatabaseOptions) {
    this.#database = new Database(options);
  }

  async range(): Promise<{ first: number; last: number }> {
    return this.#database.use(async (client) => {
      const { rows } = await client.query<Record<'first_seq' | 'kept_from' | 'seq', string>>(
        "select first_seq, kept_from, seq from export_state where name = 'main'",
      );
      const [row] = rows;
      if (!row) return { first: 1, last: 0 };
      return { first: Math.max(Number(row.first_seq) + 1, Number(row.kept_from)), last: Number(row.seq) };
    });
  }

  async after(seq: number, limit: number): Promise<PublishedEvent[]> {
    return this.#database.use(async (client) => {
      const { rows } = await client.query<{ seq: string; doc: PublishedEvent['doc'] }>(
        'select seq, doc from event where seq > $1 order by seq limit $2',
        [seq, limit],
      );
      return rows.map((row) => ({ seq: Number(row.seq), doc: row.doc }));
    });
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
