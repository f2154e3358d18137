// PostgreSQL as the sink of an export.
// Keeps: a batch is one transaction that first moves export_state from where the batch begins to where it ends, if it is
// there: so two exporters, a restart, or an answer that was lost can neither write twice nor leave a hole. After each batch
// the accounts hold what the core says.

import type { Client } from 'pg';
import type { EventDoc } from '../../store/documents.ts';
import {
  type ExportBatch,
  ExportFault,
  type Holding,
  type Newest,
  type Opening,
  type Place,
  type SignedHeight,
  type Sink,
} from '../batch.ts';
import { Database, type DatabaseOptions } from './connection.ts';
import { migrate, mustBePartitioned } from './migrate.ts';
import { dropPartitions, isRead, makePartitions } from './partitions.ts';
import { placedEvents } from './positions.ts';
import {
  addActivity,
  addToAccounts,
  copyEvents,
  copyPostings,
  insertCheckpoints,
  signCheckpoints,
  updateEvents,
  upsertDocuments,
} from './rows.ts';
import { heldText } from './values.ts';

export interface PostgresOptions extends DatabaseOptions {
  /** Events in one partition; 0: no partitions, for databases that have none of PostgreSQL's. */
  partitionRows: number;
  /** Newest events to keep; undefined: all. */
  retainEvents?: number | undefined;
  /** Role that may read. */
  reader?: string | undefined;
  /** A batch was committed: its rows by table, and the seconds of its transaction. */
  onBatch?(rows: Readonly<Record<string, number>>, secs: number): void;
}

/** Name of the one row of export_state. */
export const NAME = 'main';

interface StateRow extends Place, Newest {
  genesis: string;
  partitionRows: number;
  keptFrom: number;
}

/** Errors: ExportFault where a database is of the other source: what was computed and what was believed are never mixed. */
export function expectSource(found: string, wanted: 'verified' | 'stream'): void {
  if (found === wanted) return;
  const [is, way] =
    found === 'stream'
      ? ['was written from the stream of a node, and nothing in it was recomputed', 'without --trust-stream']
      : ['has recomputed history', 'with --trust-stream'];
  throw new ExportFault('differs', `the database ${is}: export ${way} into another schema (--schema)`);
}

async function readState(client: Client): Promise<StateRow | undefined> {
  const { rows } = await client.query<
    Record<'genesis' | 'source' | 'seq' | 'ord' | 'partition_rows' | 'kept_from', string> &
      Record<'event_id' | 'checkpoint_height' | 'checkpoint_root', string | null>
  >(
    `select genesis, source, export_state.seq, export_state.ord, partition_rows, kept_from, checkpoint_height,
     checkpoint_root, event_id
     from export_state left join event on event.seq = export_state.seq where name = $1`,
    [NAME],
  );
  const [row] = rows;
  if (row) expectSource(row.source, 'verified');
  return (
    row && {
      genesis: row.genesis,
      seq: Number(row.seq),
      order: Number(row.ord),
      partitionRows: Number(row.partition_rows),
      keptFrom: Number(row.kept_from),
      eventId: row.event_id ?? undefined,
      checkpoint:
        row.checkpoint_height === null
          ? undefined
          : { height: Number(row.checkpoint_height), stateRoot: row.checkpoint_root! },
    }
  );
}

export async function inTransaction<T>(client: Client, run: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await run();
    await client.query('commit');
    return result;
  } catch (error) {
    // On a broken connection the server rolls back by itself.
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** The part of a batch behind a place, where another exporter ended in the midst of it. */
function after(batch: ExportBatch, { order, seq }: Place): ExportBatch {
  if (order === batch.from.order) return batch;
  return {
    ...batch,
    events: batch.events.filter((event) => event.seq > seq),
    settled: [...batch.settled, ...batch.events.filter((event) => event.seq <= seq)],
    postings: batch.postings.filter((posting) => posting.order > order),
    checkpoints: batch.checkpoints.filter((checkpoint) => checkpoint.order > order),
  };
}

/** How many rows of each table a batch adds or changes. */
function rowsOf({ events, settled, postings, checkpoints, documents }: ExportBatch): Record<string, number> {
  const rows: Record<string, number> = {
    event: events.length + settled.length,
    posting: postings.length,
    checkpoint: checkpoints.length,
  };
  for (const { kind } of documents) rows[kind] = (rows[kind] ?? 0) + 1;
  return rows;
}

export function expectWhole(events: readonly EventDoc[], from: number, to: number): void {
  const isWhole = events.length === to - from && events.every(({ seq }, i) => seq === from + 1 + i);
  if (!isWhole) throw new ExportFault('gap', `the events between seq ${from} and ${to} are not all there`);
}

export class PostgresSink implements Sink {
  readonly #database: Database;
  #partitions = new Set<number>();
  /** As last read or written. */
  #state: StateRow | undefined;

  constructor(private readonly o: PostgresOptions) {
    this.#database = new Database(o);
  }

  async place(genesisHash: string): Promise<(Place & Newest) | undefined> {
    return this.#database.use(async (client) => {
      await migrate(client, this.o);
      return this.#read(client, genesisHash);
    });
  }

  async #read(client: Client, genesisHash?: string): Promise<StateRow | undefined> {
    const state = await readState(client);
    if (state && genesisHash !== undefined && state.genesis !== genesisHash)
      throw new ExportFault('differs', `the database holds network ${state.genesis}, not ${genesisHash}`);
    this.#state = state;
    return state;
  }

  open(opening: Opening): Promise<void> {
    return this.#database.use(async (client) => {
      if (await this.#read(client, opening.genesisHash)) return;
      const rows = (await mustBePartitioned(client)) ? this.o.partitionRows : 0;
      await inTransaction(client, async () => {
        const { genesisHash, seq, order, timeMs } = opening;
        const inserted = await client.query(
          `insert into export_state
           (name, genesis, partition_rows, first_seq, first_ord, kept_from, seq, ord, time_ms)
           values ($1, $2, $3, $4, $5, $4, $4, $5, $6) on conflict (name) do nothing`,
          [NAME, genesisHash, rows, seq, order, timeMs],
        );
        // Another exporter was first.
        if (inserted.rowCount !== 1) return;
        await addToAccounts(client, order, opening.holdings);
        await upsertDocuments(client, order, opening.documents);
      });
      await this.#read(client, opening.genesisHash);
    });
  }

  write(batch: ExportBatch): Promise<void> {
    return this.#database.use(async (client) => {
      for (;;) {
        const state = this.#state ?? (await this.#read(client));
        if (!state) throw new ExportFault('gap', 'the database is empty: the export was not begun');
        if (state.order >= batch.order) return;
        if (state.order < batch.from.order)
          throw new ExportFault(
            'gap',
            `the database ends at order ${state.order}, and the next blocks are after order ${batch.from.order}: export from genesis, or into another database`,
          );
        // Where it moved is read again, also after an answer that was lost.
        this.#state = undefined;
        if (!(await this.#advance(client, state, after(batch, state)))) continue;
        await this.#retain(client);
        return;
      }
    });
  }

  /** False when export_state is not where it was believed to be: nothing was written then. */
  async #advance(client: Client, state: StateRow, batch: ExportBatch): Promise<boolean> {
    expectWhole(batch.events, state.seq, batch.seq);
    const { clock, onBatch } = this.o;
    const startedMs = clock.monotonicMs();
    const moved = await inTransaction(client, async () => {
      const { order, seq, timeMs } = batch;
      const update = await client.query(
        `update export_state set seq = $2, ord = $3, time_ms = $4 where name = $1 and seq = $5 and ord = $6`,
        [NAME, seq, order, timeMs, state.seq, state.order],
      );
      if (update.rowCount !== 1) return false;
      const known = new Set(this.#partitions);
      await makePartitions(client, state.partitionRows, state.seq, seq, known);
      await copyEvents(client, await placedEvents(client, batch.events));
      await addActivity(client, batch.events);
      await updateEvents(client, batch.settled);
      await copyPostings(client, batch.postings);
      await this.#book(client, batch);
      await upsertDocuments(client, order, batch.documents);
      await insertCheckpoints(client, batch.checkpoints);
      await this.#noteCheckpoint(client, batch);
      return { ...state, seq, order, known };
    });
    if (!moved) return false;
    onBatch?.(rowsOf(batch), (clock.monotonicMs() - startedMs) / 1000);
    this.#partitions = moved.known;
    this.#state = moved;
    return true;
  }

  /** Adds up the postings and compares the accounts with the core's. */
  async #book(client: Client, { order, postings, holdings }: ExportBatch): Promise<void> {
    const amounts = new Map<string, number>();
    for (const { account, amount } of postings) amounts.set(account, (amounts.get(account) ?? 0) + amount);
    const held = await addToAccounts(
      client,
      order,
      [...amounts].map((one): Holding => one),
    );
    const wrong = holdings.find(([account, amount]) => {
      return amounts.has(account) && held.get(heldText(account)) !== amount;
    });
    if (wrong)
      throw new ExportFault(
        'differs',
        `account ${wrong[0]} holds ${held.get(wrong[0])} in the database and ${wrong[1]} in the state of order ${order}`,
      );
  }

  async #noteCheckpoint(client: Client, { checkpoints }: ExportBatch): Promise<void> {
    const newest = checkpoints.at(-1);
    if (!newest) return;
    await client.query(
      'update export_state set checkpoint_height = $2, checkpoint_root = $3 where name = $1',
      [NAME, newest.height, newest.state_root],
    );
  }

  /** Drops what is too old, if nobody reads; else with a later batch. */
  async #retain(client: Client): Promise<void> {
    const { retainEvents, warn } = this.o;
    const state = this.#state;
    if (!state || retainEvents === undefined || state.partitionRows === 0) return;
    const { partitionRows, keptFrom, seq } = state;
    if (seq - retainEvents < keptFrom + partitionRows) return;
    try {
      state.keptFrom = await inTransaction(client, async () => {
        const from = await dropPartitions(client, partitionRows, keptFrom, seq, retainEvents);
        await client.query('update export_state set kept_from = $2 where name = $1', [NAME, from]);
        return from;
      });
    } catch (error) {
      if (!isRead(error)) throw error;
      warn('an old partition is being read: it is dropped later');
    }
  }

  async signed(checkpoints: readonly SignedHeight[], quorum: number): Promise<void> {
    if (checkpoints.length === 0) return;
    await this.#database.use((client) => signCheckpoints(client, checkpoints, quorum));
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
