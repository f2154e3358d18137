// PostgreSQL as the sink of a stream that was trusted: events alone, since a stream tells nothing else.
// Keeps: each event once and without a hole, as in the export of computed history; never in one schema with that.

import type { Client } from 'pg';
import type { EventDoc } from '../../store/documents.ts';
import { ExportFault } from '../batch.ts';
import { type Settlement, settlementOf } from '../streamed-event.ts';
import { Database } from './connection.ts';
import { migrate, mustBePartitioned } from './migrate.ts';
import { makePartitions } from './partitions.ts';
import { placedEvents } from './positions.ts';
import { addActivity, copyEvents } from './rows.ts';
import { expectSource, expectWhole, inTransaction, NAME, type PostgresOptions } from './sink.ts';

interface StreamState {
  genesis: string;
  seq: number;
  eventId: string | undefined;
  partitionRows: number;
}

async function readState(client: Client): Promise<StreamState | undefined> {
  const { rows } = await client.query<
    Record<'genesis' | 'source' | 'seq' | 'partition_rows', string> & { event_id: string | null }
  >(
    `select genesis, source, export_state.seq, partition_rows, event_id
     from export_state left join event on event.seq = export_state.seq where name = $1`,
    [NAME],
  );
  const [row] = rows;
  if (!row) return undefined;
  expectSource(row.source, 'stream');
  const { genesis, seq, event_id, partition_rows } = row;
  return {
    ...{ genesis, seq: Number(seq), partitionRows: Number(partition_rows) },
    eventId: event_id ?? undefined,
  };
}

async function settle(client: Client, settled: readonly Settlement[]): Promise<void> {
  if (settled.length === 0) return;
  await client.query(
    `update event set state = n.state, fee = n.fee
     from unnest($1::text[], $2::text[], $3::bigint[]) as n(id, state, fee) where event.event_id = n.id`,
    [settled.map(({ id }) => id), settled.map(({ state }) => state), settled.map(({ fee }) => fee)],
  );
}

export class StreamSink {
  readonly #database: Database;

  constructor(private readonly o: PostgresOptions) {
    this.#database = new Database(o);
  }

  /** Seq and id of the newest event in the database; begins it where it is empty. Errors: ExportFault for another network or source. */
  open(genesisHash: string): Promise<{ seq: number; eventId: string | undefined }> {
    return this.#database.use(async (client) => {
      await migrate(client, this.o);
      const rows = (await mustBePartitioned(client)) ? this.o.partitionRows : 0;
      await client.query(
        `insert into export_state
         (name, genesis, source, partition_rows, first_seq, first_ord, kept_from, seq, ord, time_ms)
         values ($1, $2, 'stream', $3, 0, 0, 0, 0, 0, 0) on conflict (name) do nothing`,
        [NAME, genesisHash, rows],
      );
      const { genesis, seq, eventId } = (await readState(client))!;
      if (genesis !== genesisHash)
        throw new ExportFault('differs', `the database holds network ${genesis}, not ${genesisHash}`);
      return { seq, eventId };
    });
  }

  /** Writes those of the events that are not there yet. Errors: ExportFault where some are missing before them. */
  write(events: readonly EventDoc[]): Promise<void> {
    return this.#database.use(async (client) => {
      const { clock, onBatch } = this.o;
      const startedMs = clock.monotonicMs();
      for (;;) {
        const state = (await readState(client))!;
        const fresh = events.filter(({ seq }) => seq > state.seq);
        if (fresh.length === 0) return;
        if (!(await inTransaction(client, () => this.#advance(client, state, fresh)))) continue;
        onBatch?.({ event: fresh.length }, (clock.monotonicMs() - startedMs) / 1000);
        return;
      }
    });
  }

  /** False when another exporter was first: nothing was written then. */
  async #advance(
    client: Client,
    { seq: from, partitionRows }: StreamState,
    events: readonly EventDoc[],
  ): Promise<boolean> {
    const { seq, timestamp } = events.at(-1)!;
    expectWhole(events, from, seq);
    const update = await client.query(
      'update export_state set seq = $2, time_ms = $3 where name = $1 and seq = $4',
      [NAME, seq, timestamp * 1000, from],
    );
    if (update.rowCount !== 1) return false;
    await makePartitions(client, partitionRows, from, seq, new Set());
    await copyEvents(client, await placedEvents(client, events));
    await addActivity(client, events);
    await settle(
      client,
      events.map(settlementOf).filter((one) => one !== undefined),
    );
    return true;
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
