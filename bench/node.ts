// Suite `node`: signed transfers per second, end to end and durable, against a server that does the obvious: verify one
// signature, write once, answer. Latency is from request sent to answer received, when the transfer is on disk.
// Keeps: both get the same signed requests in turns; each must be executed (201) on either side. Requests are signed
// before the clock runs. Load generator, node and peer are separate processes and share the cores. Figures are of servers that
// have run for some seconds: before each is measured it serves a warm-up, in which V8 compiles what it runs often.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Signer } from '../host/client/signer.ts';
import { Connection, requestBytes } from '../tools/load/connection.ts';
import { type ThreadTimes, threadTimes } from '../tools/load/cpu-time.ts';
import { type Driven, drive, expectStatus, perSecond } from '../tools/load/drive.ts';
import { NodeProcess } from '../tools/load/node-process.ts';
import { SeededRandom } from '../tools/load/seeded-random.ts';
import { newSigner, type SignedWrite } from '../tools/load/signed-writes.ts';
import { type PeerProcess, startPeer } from './peer-process.ts';
import { type Row, row, type SuiteRun, sameWork } from './row.ts';
import { MAX_LOAD_MS, registerSenders, signTransfers } from './transfers.ts';

const PEER = 'fastify, verify and put each';
const TOKEN = 1_000_000;
const STAKE_MICRO = 10_000 * TOKEN;
/** Transfers in one request, and requests under way. */
const BATCH = 64;
const BATCH_CONNECTIONS = 4;

interface Sizes {
  senders: number;
  /** Served before anything is measured: what a write alone runs is compiled only after thousands of those. */
  warmup: readonly Share[];
  /** Connections, and the number of transfers over them. */
  loads: readonly Share[];
}
type Share = readonly [connections: number, transfers: number];
const FULL: Sizes = {
  senders: 64,
  warmup: [
    [64, 20_000],
    [1, 5_000],
  ],
  loads: [
    [1, 1_000],
    [64, 10_000],
    [256, 20_000],
  ],
};
const SMALL: Sizes = {
  senders: 4,
  warmup: [
    [4, 10],
    [1, 4],
  ],
  loads: [
    [1, 10],
    [8, 60],
  ],
};

interface Server {
  port: number;
  pid: number;
}

interface Load {
  driven: Driven;
  /** Microseconds of processor time per transfer; undefined if unknown. */
  cpuUsEach: ThreadTimes | undefined;
}

/** Microseconds per transfer since `before`. */
function usEach(
  { pid }: Server,
  before: ThreadTimes | undefined,
  transfers: number,
): ThreadTimes | undefined {
  const after = threadTimes(pid);
  if (!before || !after) return undefined;
  const us = (name: keyof ThreadTimes): number => ((after[name] - before[name]) * 1000) / transfers;
  return { all: us('all'), main: us('main'), engine: us('engine') };
}

async function send(server: Server, connections: number, writes: readonly SignedWrite[]): Promise<Load> {
  const before = threadTimes(server.pid);
  const driven = await drive({
    port: server.port,
    connections,
    count: writes.length,
    request: (i) => writes[i]!.bytes,
    mostMs: MAX_LOAD_MS,
  });
  const cpuUsEach = usEach(server, before, driven.answered);
  expectStatus(driven, 201);
  return { driven, cpuUsEach };
}

/** The slower side first: requests that it did not reach in time are not sent to the other either. */
async function race(
  node: Server,
  peer: Server,
  connections: number,
  writes: readonly SignedWrite[],
): Promise<[ours: Load, theirs: Load]> {
  const theirs = await send(peer, connections, writes);
  const ours = await send(node, connections, writes.slice(0, theirs.driven.answered));
  return [ours, theirs];
}

/** The senders' pending transfers: nothing is judged, so that is all they ever sent. */
async function movedByNode(node: NodeProcess, signers: readonly Signer[]): Promise<number> {
  let sum = 0;
  for (const { publicKeyHex } of signers) {
    sum += (await node.json<{ reserved: number }>(`/v1/agents/${publicKeyHex}/balance`)).reserved;
  }
  return sum;
}

async function movedByPeer(port: number): Promise<string> {
  const connection = await Connection.open(port);
  const { body } = await connection.send(requestBytes({ method: 'GET', path: '/moved' }));
  connection.close();
  return body.toString();
}

type Beside = (name: string, unit: string, value: number, of: number) => Row;

/** A part of a server that took less for each transfer has no row. */
const LEAST_US = 0.5;
/** Cores of the machine for which a rate is computed. */
const CORES = 8;

/**
 * The rate on so many cores with the load generator elsewhere: the sequencer's thread is the limit, or all threads together.
 * Neither waiting nor the price of more cores is in it.
 */
const rateOnCores = ({ all, main }: ThreadTimes): number => Math.min(1e6 / main, (CORES * 1e6) / all);

/** By thread. */
function cpuRows(
  what: string,
  ours: ThreadTimes | undefined,
  theirs: ThreadTimes | undefined,
  beside: Beside,
): Row[] {
  if (!ours || !theirs) return [];
  const others = ({ all, main, engine }: ThreadTimes): number => all - main - engine;
  const rate = `${what}, computed for ${CORES} cores: min(1 / sequencer, ${CORES} / all)`;
  const rows: Row[] = [];
  for (const [name, unit, of] of [
    [`${what}, CPU of all threads together`, 'us', ({ all }) => all],
    [`${what}, CPU of the sequencer's thread (the main thread)`, 'us', ({ main }) => main],
    [`${what}, CPU of signatures, writer and V8's threads`, 'us', others],
    [`${what}, CPU of the engine's own threads`, 'us', ({ engine }) => engine],
    [rate, 'transfers/s', rateOnCores],
  ] as const satisfies [string, string, (times: ThreadTimes) => number][]) {
    // A peer has no threads of its own for much of this.
    if (of(theirs) >= LEAST_US) rows.push(beside(name, unit, of(ours), of(theirs)));
  }
  return rows;
}

function rowsOf(
  connections: number,
  ours: Load,
  theirs: Load,
  peer: string,
  nameOf: Naming = asUsual,
): Row[] {
  const params = { connections, transfers: ours.driven.answered };
  const beside: Beside = (name, unit, value, of) =>
    row('node', name, params, unit, value, { name: peer, value: of });
  const [a, b] = [ours.driven, theirs.driven];
  const rows = [
    beside(nameOf('signed transfers'), 'transfers/s', perSecond(a), perSecond(b)),
    beside(`${nameOf('signed transfer')}, p50`, 'ms', a.latencies.medianMs, b.latencies.medianMs),
    beside(`${nameOf('signed transfer')}, p99`, 'ms', a.latencies.p99Ms, b.latencies.p99Ms),
  ];
  return [...rows, ...cpuRows(nameOf('signed transfer'), ours.cpuUsEach, theirs.cpuUsEach, beside)];
}

/** The bytes of a batch of writes. */
function batchBytes(writes: readonly SignedWrite[]): Uint8Array {
  const requests = writes.map(({ request: { method, path, headers, body } }) => ({
    method,
    path,
    headers,
    body,
  }));
  const body = JSON.stringify({ requests });
  return requestBytes({
    method: 'POST',
    path: '/v1/batch',
    headers: { 'content-type': 'application/json' },
    body,
  });
}

/** Transfers in batches beside the same node with one transfer in each request (`alone`). */
async function inBatches(
  suite: SuiteRun,
  node: NodeProcess,
  senders: Senders,
  alone: Load,
  nameOf: Naming = asUsual,
): Promise<Row[]> {
  const { signers, random, load } = senders;
  const writes = await signTransfers(signers, load[1], random);
  const batches: Uint8Array[] = [];
  for (let i = 0; i < writes.length; i += BATCH) batches.push(batchBytes(writes.slice(i, i + BATCH)));
  const sum = writes.reduce((all, { request }) => all + JSON.parse(request.body).amount, 0);
  const before = { moved: await movedByNode(node, signers), cpu: threadTimes(node.pid) };
  const driven = await drive({
    port: node.port,
    connections: BATCH_CONNECTIONS,
    count: batches.length,
    request: (i) => batches[i]!,
    mostMs: MAX_LOAD_MS,
  });
  const cpu = usEach(node, before.cpu, writes.length);
  expectStatus(driven, 200);
  const moved = (await movedByNode(node, signers)) - before.moved;
  sameWork(suite, 'micro-units moved in batches', { 'asked for': String(sum), moved: String(moved) });
  const params = { connections: BATCH_CONNECTIONS, batch: BATCH, transfers: writes.length };
  const peer = `vws, ${alone.driven.answered} requests of one`;
  const beside: Beside = (name, unit, value, of) =>
    row('node', name, params, unit, value, { name: peer, value: of });
  const each = (writes.length / driven.elapsedMs) * 1000;
  const rows = [beside(nameOf('signed transfers in batches'), 'transfers/s', each, perSecond(alone.driven))];
  return [...rows, ...cpuRows(nameOf('signed transfer in batches of 64'), cpu, alone.cpuUsEach, beside)];
}

/** The name of a row's work, for a node that is started in another way. */
type Naming = (what: string) => string;
const asUsual: Naming = (what) => what;

/** A node that is started in another way beside the usual one, under the same load. */
async function otherWay(
  suite: SuiteRun,
  { node, dir }: { node: NodeProcess; dir: string },
  { signers, random, load, warmup }: Warmed,
  { name, env, nameOf, isPeer }: OtherWay,
): Promise<Row[]> {
  const other = await NodeProcess.start({ dataDir: join(dir, name), env });
  try {
    await registerSenders([other.port], signers, STAKE_MICRO);
    await warmUp([other], { signers, random, warmup });
    const before = [await movedByNode(node, signers), await movedByNode(other, signers)] as const;
    const [connections, count] = load;
    const writes = await signTransfers(signers, count, random);
    const [usual, changed] = await race(node, other, connections, writes);
    const moved = [await movedByNode(node, signers), await movedByNode(other, signers)] as const;
    sameWork(suite, `micro-units moved beside ${name}`, {
      usual: String(moved[0] - before[0]),
      [name]: String(moved[1] - before[1]),
    });
    const rows = isPeer
      ? rowsOf(connections, usual, changed, name)
      : rowsOf(connections, changed, usual, 'vws, requests on the main thread', nameOf);
    if (!isPeer) rows.push(...(await inBatches(suite, other, { signers, random, load }, changed, nameOf)));
    await other.stop();
    return rows;
  } finally {
    await other.kill();
  }
}

interface OtherWay {
  name: string;
  env: Record<string, string>;
  nameOf: Naming;
  /** The other one is the peer, instead of the usual one. */
  isPeer: boolean;
}

/** Signatures verified one by one by the reference library: shows the gain of batches. */
const BY_NOBLE: OtherWay = {
  name: 'vws, SERVICE_VERIFIER=noble',
  env: { SERVICE_VERIFIER: 'noble' },
  nameOf: asUsual,
  isPeer: true,
};

/** A thread that takes requests in, as on four cores and more, whatever this machine has: shows what is left to the sequencer. */
const WITH_THREAD: OtherWay = {
  name: 'vws, SERVICE_INGRESS=1',
  env: { SERVICE_INGRESS: '1' },
  nameOf: (what) => `${what}, with an ingress thread`,
  isPeer: false,
};

interface Senders {
  signers: readonly Signer[];
  random: SeededRandom;
  load: Share;
}
interface Warmed extends Senders {
  warmup: readonly Share[];
}

/** The same transfers for each. */
async function warmUp(
  servers: readonly Server[],
  { signers, random, warmup }: Omit<Warmed, 'load'>,
): Promise<void> {
  for (const [connections, count] of warmup) {
    const writes = await signTransfers(signers, count, random);
    for (const server of servers) await send(server, connections, writes);
  }
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  const sizes = suite.small ? SMALL : FULL;
  const random = new SeededRandom(11);
  const dir = await mkdtemp(join(tmpdir(), 'vws-bench-node-'));
  // On every machine the same, so that figures can be compared.
  const node = await NodeProcess.start({ dataDir: join(dir, 'data'), env: { SERVICE_INGRESS: '0' } });
  let peer: PeerProcess | undefined;
  try {
    peer = await startPeer('plain-node.js', [join(dir, 'peer')]);
    const signers = Array.from({ length: sizes.senders }, newSigner);
    await registerSenders([node.port], signers, STAKE_MICRO);
    await warmUp([node, peer], { signers, random, warmup: sizes.warmup });
    const rows: Row[] = [];
    let last: Load | undefined;
    for (const [connections, count] of sizes.loads) {
      const writes = await signTransfers(signers, count, random);
      const [ours, theirs] = await race(node, peer, connections, writes);
      sameWork(suite, `micro-units moved over ${connections} connections`, {
        vws: String(await movedByNode(node, signers)),
        [PEER]: await movedByPeer(peer.port),
      });
      rows.push(...rowsOf(connections, ours, theirs, PEER));
      last = ours;
    }
    const senders = { signers, random, warmup: sizes.warmup };
    const [middle, most] = [sizes.loads[1]!, sizes.loads.at(-1)!];
    rows.push(...(await inBatches(suite, node, { ...senders, load: most }, last!)));
    rows.push(...(await otherWay(suite, { node, dir }, { ...senders, load: most }, WITH_THREAD)));
    rows.push(...(await otherWay(suite, { node, dir }, { ...senders, load: middle }, BY_NOBLE)));
    await node.stop();
    return rows;
  } finally {
    await peer?.stop();
    await node.kill();
    await rm(dir, { recursive: true, force: true });
  }
}
