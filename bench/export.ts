// Suite `export`: history into PostgreSQL beside a bare COPY of the same rows and beside the verifier alone; how far it is
// behind a node under load; reads of one, two and four readers beside those of the node.
// Keeps: both sides have the same rows, which is counted; where there is no PostgreSQL the suite has no row and says so.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { HttpSource, Verifier } from '../host/audit/index.ts';
import { loadModules } from '../host/cli/log-audit.ts';
import { systemEnvironment } from '../host/client/index.ts';
import { createNodeKeyFile } from '../host/crypto/node-key-file.ts';
import { Exporter } from '../host/export/exporter.ts';
import { MemoryStore } from '../host/store/memory-store.ts';
import { chainIdOf } from '../host/wire/chain-id.ts';
import { systemClock } from '../host/world/system/clock.ts';
import { Writer } from '../tools/crash/writer.ts';
import { missingPostgres, PostgresServer } from '../tools/export/postgres-server.ts';
import { Following, Serving } from '../tools/export/processes.ts';
import { makeSignedLog } from '../tools/history/signed-log.ts';
import { requestBytes } from '../tools/load/connection.ts';
import { cpuMs } from '../tools/load/cpu-time.ts';
import { driveAll, expectStatus, perSecond } from '../tools/load/drive.ts';
import { NodeProcess, PASSPHRASE, sleep } from '../tools/load/node-process.ts';
import { SeededRandom } from '../tools/load/seeded-random.ts';
import { cpuSecs, postgresSink, Recording, ROUNDS, type Spent, writerBesideCopy } from './export-writer.ts';
import { quantile, type Row, row, type SuiteRun } from './row.ts';

const TRANSACTIONS = 100_000;
const SMALL_TRANSACTIONS = 2000;
const WRITERS = 4;
const LAG_SECS = 30;
const SMALL_LAG_SECS = 3;
const SAMPLE_MS = 20;
const READS = 20_000;
const SMALL_READS = 200;
const CONNECTIONS = 16;
const MOST_MS = 20_000;
const READERS = [1, 2, 4];

const secondsSince = (ms: number): number => (systemClock.monotonicMs() - ms) / 1000;

async function verifierOptions(port: number) {
  const store = new MemoryStore();
  return {
    source: new HttpSource(`http://127.0.0.1:${port}`, systemEnvironment),
    modules: await loadModules(),
    store: Object.assign(store, { find: async (key: Uint8Array) => store.get(key) }),
    way: 'genesis' as const,
    environment: systemEnvironment,
  };
}

/** Seconds of the export as a whole, and what it wrote. */
async function exportAll(port: number, url: string): Promise<{ wholeSecs: number; recording: Recording }> {
  const recording = new Recording(postgresSink(url, 'vws'));
  const begunMs = systemClock.monotonicMs();
  const verifier = await verifierOptions(port);
  const exporter = await Exporter.open({ verifier, sink: recording, pollMs: 100, warn() {} });
  const verdict = await exporter.once();
  const wholeSecs = secondsSince(begunMs);
  await exporter.close();
  if (!verdict.isGood) throw new Error(`the export found a fault: ${verdict.fault?.text}`);
  return { wholeSecs, recording };
}

async function verifyAll(port: number): Promise<number> {
  const begunMs = systemClock.monotonicMs();
  const verifier = await Verifier.open(await verifierOptions(port));
  const verdict = await verifier.run();
  await verifier.close();
  if (!verdict.isGood) throw new Error(`the audit found a fault: ${verdict.fault?.text}`);
  return secondsSince(begunMs);
}

/** Milliseconds from an order that the node named to the same one in the database. */
async function lags(node: NodeProcess, server: PostgresServer, url: string, secs: number): Promise<number[]> {
  const random = new SeededRandom(3);
  const writers = Array.from({ length: WRITERS }, () => new Writer(chainIdOf(true), random));
  await Promise.all(writers.map((writer) => writer.join(node.port)));
  const following = Following.start(url, node.port);
  const client = new pg.Client({ connectionString: url });
  const place = async (): Promise<number> => {
    const { rows } = await client.query<{ ord: string }>('select ord from vws.export_state');
    return Number(rows[0]?.ord ?? 0);
  };
  const nodeOrder = async (): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${node.port}/v1/economics`);
    await answer.arrayBuffer();
    return Number(answer.headers.get('x-service-order'));
  };
  try {
    while ((await server.query("select to_regclass('vws.summary') as t", url))[0]?.t === null)
      await sleep(100);
    await client.connect();
    while ((await place()) < (await nodeOrder())) await sleep(100);
    const load = Promise.all(writers.map((writer) => writer.run(node.port, writers)));
    const waiting: { order: number; ms: number }[] = [];
    const found: number[] = [];
    for (const endMs = systemClock.monotonicMs() + secs * 1000; systemClock.monotonicMs() < endMs; ) {
      waiting.push({ order: await nodeOrder(), ms: systemClock.monotonicMs() });
      const ord = await place();
      while (waiting.length > 0 && waiting[0]!.order <= ord)
        found.push(systemClock.monotonicMs() - waiting.shift()!.ms);
      await sleep(SAMPLE_MS);
    }
    // The load ends with its node.
    await node.kill();
    await load;
    return found;
  } finally {
    await client.end();
    await following.close();
  }
}

interface Reads {
  perSec: number;
  /** Reads by a second of processor time of all processes that answer. */
  perCpuSec: number;
}

/** `pids`: the processes that answer, once some reads are done. */
async function reads(
  ports: readonly number[],
  pages: readonly string[],
  count: number,
  pids: () => Promise<number[]>,
): Promise<Reads> {
  const requests = pages.map((path) => requestBytes({ method: 'GET', path }));
  const request = (i: number): Uint8Array => requests[i % requests.length]!;
  const run = (some: number) =>
    driveAll({ ports, connections: CONNECTIONS, count: some, request, mostMs: MOST_MS });
  expectStatus(await run(Math.ceil(count / 10)), 200);
  const answering = await pids();
  const spentMs = (): number => answering.reduce((sum, pid) => sum + (cpuMs(pid) ?? 0), 0);
  const before = spentMs();
  const driven = await run(count);
  const cpuSecs = (spentMs() - before) / 1000;
  expectStatus(driven, 200);
  return { perSec: perSecond(driven), perCpuSec: driven.answered / cpuSecs };
}

/** Lists and items that both answer. */
async function pagesOf(server: PostgresServer, url: string): Promise<string[]> {
  const events = await server.query<{ event_id: string; agent_id: string; seq: number }>(
    "select event_id, agent_id, seq from vws.event where state = 'settled' order by md5(event_id) limit 40",
    url,
  );
  return events.flatMap(({ event_id, seq }) => [
    `/v1/events/${event_id}`,
    `/v1/events/recent?per_page=20&page=${1 + Math.floor(seq / 20)}`,
    '/v1/tasks?per_page=20',
    '/v1/economics',
  ]);
}

async function readRows(
  node: NodeProcess,
  server: PostgresServer,
  url: string,
  count: number,
): Promise<Row[]> {
  const pages = await pagesOf(server, url);
  const own = await reads([node.port], pages, count, async () => [node.pid]);
  const rows: Row[] = [];
  for (const readers of READERS) {
    const serving = await Promise.all(Array.from({ length: readers }, () => Serving.start(url)));
    // Of a reader, the processes that the database has for it too.
    const pids = async (): Promise<number[]> => {
      const found = await server.query<{ pid: number }>(
        "select pid from pg_stat_activity where application_name = 'vws serve'",
      );
      return [...serving, ...found].map(({ pid }) => pid);
    };
    try {
      const ports = serving.map(({ port }) => port);
      const { perSec, perCpuSec } = await reads(ports, pages, count, pids);
      const peer = 'the node';
      rows.push(
        row('export', 'reads', { readers }, 'reads/s', perSec, { name: peer, value: own.perSec }),
        row('export', 'reads, by processor time', { readers }, 'reads/s', perCpuSec, {
          name: peer,
          value: own.perCpuSec,
        }),
      );
    } finally {
      await Promise.all(serving.map((one) => one.close()));
    }
  }
  return rows;
}

export async function run({ small, many, say }: SuiteRun): Promise<Row[]> {
  const missing = missingPostgres();
  if (missing !== undefined) {
    say(`  SKIPPED: ${missing}`);
    return [];
  }
  const dir = await mkdtemp(join(tmpdir(), 'vws-bench-export-'));
  const server = await PostgresServer.start();
  const dataDir = join(dir, 'data');
  const identity = createNodeKeyFile(dataDir, PASSPHRASE, {});
  const count = many ?? (small ? SMALL_TRANSACTIONS : TRANSACTIONS);
  let node: NodeProcess | undefined;
  try {
    const { transactions } = await makeSignedLog(dataDir, identity, count, say);
    say(`  log of ${transactions} transactions made`);
    node = await NodeProcess.start({ dataDir, flags: ['--no-auth'] });
    const url = server.url();
    const { wholeSecs, recording } = await exportAll(node.port, url);
    const [counted] = await server.query<Record<'events' | 'postings', number>>(
      'select (select count(*) from vws.event) as events, (select count(*) from vws.posting) as postings',
    );
    const { events, postings } = counted!;
    const { writer, copy, rows: copied } = await writerBesideCopy(url, recording);
    if (copied !== events + postings) throw new Error(`COPY wrote ${copied} rows of ${events + postings}`);
    const verifySecs = await verifyAll(node.port);
    const params = { events, postings };
    const rate = ({ secs }: Spent): number => (ROUNDS * events) / secs;
    const cpuRate = (spent: Spent): number => (ROUNDS * events) / cpuSecs(spent);
    const peer = 'bare COPY of events and postings';
    const rows = [
      row('export', 'events into the database', params, 'events/s', rate(writer), {
        name: peer,
        value: rate(copy),
      }),
      row(
        'export',
        'events into the database, by processor time',
        { ...params, client_secs: writer.clientCpuSecs, server_secs: writer.serverCpuSecs },
        'events/s',
        cpuRate(writer),
        { name: peer, value: cpuRate(copy) },
      ),
      row('export', 'events, all in all', params, 'events/s', events / wholeSecs, {
        name: 'the verifier alone',
        value: events / verifySecs,
      }),
      ...(await readRows(node, server, url, small ? SMALL_READS : READS)),
    ];
    const second = await server.database('lag');
    const found = await lags(node, server, second, small ? SMALL_LAG_SECS : LAG_SECS);
    const half = { name: 'p50', value: quantile(found, 0.5) };
    rows.push(
      row('export', 'lag under load, p99', { samples: found.length }, 'ms', quantile(found, 0.99), half),
    );
    return rows;
  } finally {
    await node?.kill();
    await server.close();
    await rm(dir, { recursive: true, force: true });
  }
}
