// Suite `stream`: signed transfers at full load while a thousand readers follow the event stream, beside the same load
// on the same node without readers.
// Keeps: the loads alternate, so that both sides get the node with similar history; readers of all events must get each
// of them once and in order, however long after the load, and no connection may be closed. Load generator, readers and
// node are separate processes and share the cores: on two cores the readers also take processor time from the writers.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Signer } from '../host/client/signer.ts';
import { systemClock } from '../host/world/system/clock.ts';
import { Connection, requestBytes } from '../tools/load/connection.ts';
import { cpuMs } from '../tools/load/cpu-time.ts';
import { type Driven, drive, expectStatus, perSecond } from '../tools/load/drive.ts';
import { NodeProcess, sleep } from '../tools/load/node-process.ts';
import { SeededRandom } from '../tools/load/seeded-random.ts';
import { newSigner } from '../tools/load/signed-writes.ts';
import { type PeerProcess, startPeer } from './peer-process.ts';
import type { Reading } from './peers/stream-readers.ts';
import { type Row, row, type SuiteRun, sameWork } from './row.ts';
import { MAX_LOAD_MS, registerSenders, signTransfers } from './transfers.ts';

const ALONE = 'the same node without readers';
const STAKE_MICRO = 10_000_000_000;
/** Time limit for the last message to the last reader. */
const DELIVERED_MS = 120_000;

interface Sizes {
  senders: number;
  readers: number;
  connections: number;
  transfers: number;
}
const FULL: Sizes = { senders: 64, readers: 1000, connections: 64, transfers: 5000 };
const SMALL: Sizes = { senders: 4, readers: 30, connections: 8, transfers: 60 };

/** Kinds of readers, by their filter. */
const CASES = { 'readers of all events': '', 'readers of other events': 'slash' } as const;

interface Load {
  driven: Driven;
  cpuUsEach: number | undefined;
}

async function load(node: NodeProcess, sizes: Sizes, senders: Signer[], random: SeededRandom): Promise<Load> {
  const writes = await signTransfers(senders, sizes.transfers, random);
  const before = cpuMs(node.pid);
  const { port } = node;
  const { connections } = sizes;
  const request = (i: number): Uint8Array => writes[i]!.bytes;
  const driven = await drive({ port, connections, count: writes.length, request, mostMs: MAX_LOAD_MS });
  const after = cpuMs(node.pid);
  expectStatus(driven, 201);
  const used = before === undefined || after === undefined ? undefined : after - before;
  return { driven, cpuUsEach: used && (used * 1000) / driven.answered };
}

async function reading(readers: PeerProcess): Promise<Reading> {
  const connection = await Connection.open(readers.port);
  const { body } = await connection.send(requestBytes({ method: 'GET', path: '/' }));
  connection.close();
  return JSON.parse(body.toString()) as Reading;
}

/**
 * Waits until every reader has `messages`; returns the milliseconds. Errors: not in time, or a connection was closed.
 */
async function delivered(readers: PeerProcess, messages: number): Promise<{ last: Reading; ms: number }> {
  const startedMs = systemClock.monotonicMs();
  for (;;) {
    const last = await reading(readers);
    const ms = systemClock.monotonicMs() - startedMs;
    if (last.fewest >= messages || last.closed > 0) return { last, ms };
    if (ms > DELIVERED_MS) throw new Error(`after ${ms} ms the readers have ${JSON.stringify(last)}`);
    await sleep(20);
  }
}

function rowsOf(name: string, sizes: Sizes, ours: Load, alone: Load): Row[] {
  const params = { readers: sizes.readers, connections: sizes.connections, transfers: sizes.transfers };
  const beside = (what: string, unit: string, value: number, of: number): Row =>
    row('stream', `${what}, ${name}`, params, unit, value, { name: ALONE, value: of });
  const [a, b] = [ours.driven, alone.driven];
  const rows = [
    beside('signed transfers', 'transfers/s', perSecond(a), perSecond(b)),
    beside('signed transfer p99', 'ms', a.latencies.p99Ms, b.latencies.p99Ms),
  ];
  if (ours.cpuUsEach && alone.cpuUsEach) {
    rows.push(beside('CPU of the node, each transfer', 'us', ours.cpuUsEach, alone.cpuUsEach));
  }
  return rows;
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  const sizes = suite.small ? SMALL : FULL;
  const random = new SeededRandom(12);
  const dir = await mkdtemp(join(tmpdir(), 'vws-bench-stream-'));
  const env = { SERVICE_TRUSTED_PROXIES: '127.0.0.1' };
  const node = await NodeProcess.start({ dataDir: join(dir, 'data'), env });
  const rows: Row[] = [];
  try {
    const senders = Array.from({ length: sizes.senders }, newSigner);
    await registerSenders([node.port], senders, STAKE_MICRO);
    await load(node, sizes, senders, random);
    for (const [name, filter] of Object.entries(CASES)) {
      const alone = await load(node, sizes, senders, random);
      const readers = await startPeer('stream-readers.js', [
        String(node.port),
        String(sizes.readers),
        filter,
      ]);
      try {
        const ours = await load(node, sizes, senders, random);
        const wanted = filter === '' ? sizes.transfers : 0;
        const { last, ms } = await delivered(readers, wanted);
        const expected = { fewest: wanted, most: wanted, faults: 0, closed: 0, readers: sizes.readers };
        const { fewest, most, faults, closed, readers: count } = last;
        sameWork(suite, `messages to ${name}`, {
          wanted: JSON.stringify(expected),
          read: JSON.stringify({ fewest, most, faults, closed, readers: count }),
        });
        suite.say(`  ${name}: the last message ${Math.round(ms)} ms after the last answer`);
        rows.push(...rowsOf(name, sizes, ours, alone));
      } finally {
        await readers.stop();
      }
    }
    await node.stop();
    return rows;
  } finally {
    await node.kill();
    await rm(dir, { recursive: true, force: true });
  }
}
