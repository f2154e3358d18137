// The writer of an export beside a bare COPY: batches that were computed before, and the rows that they have made, written in
// turns into fresh tables with the same indexes.
// Keeps: both sides have the same rows of events and postings, which is counted; the writer also keeps documents, accounts,
// lists, hours and settlements. Processor time is that of this process and of the server's, since wall time is that of
// whatever else the machine does.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { ExportBatch, Opening, Place, SignedHeight, Sink } from '../host/export/batch.ts';
import { PostgresSink } from '../host/export/postgres/sink.ts';
import { systemClock } from '../host/world/system/clock.ts';
import { cpuMs } from '../tools/load/cpu-time.ts';

export const ROUNDS = 2;
const TABLES = ['event', 'posting'] as const;

export const postgresSink = (url: string, schema: string): PostgresSink =>
  new PostgresSink({ url, schema, clock: systemClock, patienceMs: 0, partitionRows: 10_000_000, warn() {} });

/** Passes batches on, and keeps them. */
export class Recording implements Sink {
  opening: Opening | undefined;
  readonly batches: ExportBatch[] = [];
  genesisHash = '';

  constructor(private readonly inner: Sink) {}

  place(genesisHash: string): Promise<Place | undefined> {
    this.genesisHash = genesisHash;
    return this.inner.place(genesisHash);
  }

  open(opening: Opening): Promise<void> {
    this.opening = opening;
    return this.inner.open(opening);
  }

  write(batch: ExportBatch): Promise<void> {
    this.batches.push(batch);
    return this.inner.write(batch);
  }

  signed(checkpoints: readonly SignedHeight[], quorum: number): Promise<void> {
    return this.inner.signed(checkpoints, quorum);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}

/** What something took. */
export interface Spent {
  secs: number;
  /** Of this process; of the server's process for it, where the machine tells. */
  clientCpuSecs: number;
  serverCpuSecs: number;
}

const plus = (a: Spent, b: Spent): Spent => ({
  secs: a.secs + b.secs,
  clientCpuSecs: a.clientCpuSecs + b.clientCpuSecs,
  serverCpuSecs: a.serverCpuSecs + b.serverCpuSecs,
});
const NOTHING: Spent = { secs: 0, clientCpuSecs: 0, serverCpuSecs: 0 };

export const cpuSecs = ({ clientCpuSecs, serverCpuSecs }: Spent): number => clientCpuSecs + serverCpuSecs;

/** `pid`: process of the server that serves this connection. */
async function measured(pid: number, run: () => Promise<void>): Promise<Spent> {
  const server = cpuMs(pid) ?? 0;
  const client = process.cpuUsage();
  const begunMs = systemClock.monotonicMs();
  await run();
  const { user, system } = process.cpuUsage(client);
  return {
    secs: (systemClock.monotonicMs() - begunMs) / 1000,
    clientCpuSecs: (user + system) / 1e6,
    serverCpuSecs: ((cpuMs(pid) ?? 0) - server) / 1000,
  };
}

async function write(client: pg.Client, url: string, schema: string, of: Recording): Promise<Spent> {
  const sink = postgresSink(url, schema);
  await sink.place(of.genesisHash);
  await sink.open(of.opening!);
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'vws export'`,
  );
  const spent = await measured(rows[0]!.pid, async () => {
    for (const batch of of.batches) await sink.write(batch);
  });
  await sink.close();
  return spent;
}

/** What COPY sends for the rows of a table. */
async function linesOf(client: pg.Client, table: string): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  for await (const part of client.query(copyTo(`copy (select * from vws.${table} order by seq) to stdout`)))
    parts.push(part as Buffer);
  return parts;
}

/** Batches of a recording, already in the schema `vws`, written again, and their rows by COPY alone. */
export async function writerBesideCopy(
  url: string,
  recording: Recording,
): Promise<{ writer: Spent; copy: Spent; rows: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: own } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const parts = new Map<string, Buffer[]>();
    for (const table of TABLES) parts.set(table, await linesOf(client, table));
    let [writer, copy, rows] = [NOTHING, NOTHING, 0];
    for (let round = 0; round < ROUNDS; round++) {
      writer = plus(writer, await write(client, url, `again_${round}`, recording));
      await client.query(`create schema bare_${round}`);
      for (const table of TABLES) {
        const name = `bare_${round}.${table}`;
        await client.query(`create table ${name} (like vws.${table}_0 including all)`);
        const stream = client.query(copyFrom(`copy ${name} from stdin`));
        const spent = await measured(own[0]!.pid, () => pipeline(Readable.from(parts.get(table)!), stream));
        copy = plus(copy, spent);
        rows += stream.rowCount;
      }
      await client.query(`drop schema again_${round} cascade; drop schema bare_${round} cascade`);
    }
    return { writer, copy, rows: rows / ROUNDS };
  } finally {
    await client.end();
  }
}
