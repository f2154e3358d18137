// Suite `node`: signed transfers per second, end to end and durable, against a server that does the obvious: verify one
// signature, write once, answer. Latency is from request sent to answer received, when the transfer is on disk.
// Keeps: both get the same signed requests in turns; each must be executed (201) on either side. Requests are signed
// before the clock runs. Load generator, node and peer are separate processes and share the cores.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Signer } from '../host/client/signer.ts';
import { Connection, requestBytes } from '../tools/load/connection.ts';
import { cpuMs } from '../tools/load/cpu-time.ts';
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

interface Sizes {
  senders: number;
  /** Connections, and the number of transfers over them. */
  loads: readonly (readonly [connections: number, transfers: number])[];
}
const FULL: Sizes = {
  senders: 64,
  loads: [
    [1, 1_000],
    [64, 10_000],
    [256, 20_000],
  ],
};
const SMALL: Sizes = {
  senders: 4,
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
  /** Microseconds of processor time per transfer, all threads; undefined if unknown. */
  cpuUsEach: number | undefined;
}

async function send(server: Server, connections: number, writes: readonly SignedWrite[]): Promise<Load> {
  const before = cpuMs(server.pid);
  const driven = await drive({
    port: server.port,
    connections,
    count: writes.length,
    request: (i) => writes[i]!.bytes,
    mostMs: MAX_LOAD_MS,
  });
  const after = cpuMs(server.pid);
  expectStatus(driven, 201);
  const used = before === undefined || after === undefined ? undefined : after - before;
  return { driven, cpuUsEach: used && (used * 1000) / driven.answered };
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

function rowsOf(connections: number, ours: Load, theirs: Load, peer: string): Row[] {
  const params = { connections, transfers: ours.driven.answered };
  const beside = (name: string, unit: string, value: number, of: number): Row =>
    row('node', name, params, unit, value, { name: peer, value: of });
  const [a, b] = [ours.driven, theirs.driven];
  const rows = [
    beside('signed transfers', 'transfers/s', perSecond(a), perSecond(b)),
    beside('signed transfer, p50', 'ms', a.latencies.medianMs, b.latencies.medianMs),
    beside('signed transfer, p99', 'ms', a.latencies.p99Ms, b.latencies.p99Ms),
  ];
  if (ours.cpuUsEach && theirs.cpuUsEach) {
    rows.push(beside('signed transfer, CPU of the server', 'us', ours.cpuUsEach, theirs.cpuUsEach));
  }
  return rows;
}

/** The same node with signatures verified one by one by the reference library: shows the gain of batches. */
async function byVerifier(suite: SuiteRun, dir: string, node: NodeProcess, senders: Senders): Promise<Row[]> {
  const { signers, random, load } = senders;
  const noble = await NodeProcess.start({
    dataDir: join(dir, 'noble'),
    env: { SERVICE_VERIFIER: 'noble' },
  });
  try {
    await registerSenders(noble.port, signers, STAKE_MICRO);
    await send(noble, 4, await signTransfers(signers, 10, random));
    const before = [await movedByNode(node, signers), await movedByNode(noble, signers)] as const;
    const [connections, count] = load;
    const writes = await signTransfers(signers, count, random);
    const [ours, theirs] = await race(node, noble, connections, writes);
    sameWork(suite, 'micro-units moved with either verifier', {
      wasm: String((await movedByNode(node, signers)) - before[0]),
      noble: String((await movedByNode(noble, signers)) - before[1]),
    });
    await noble.stop();
    return rowsOf(connections, ours, theirs, 'vws, SERVICE_VERIFIER=noble');
  } finally {
    await noble.kill();
  }
}

interface Senders {
  signers: readonly Signer[];
  random: SeededRandom;
  load: readonly [connections: number, transfers: number];
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  const sizes = suite.small ? SMALL : FULL;
  const random = new SeededRandom(11);
  const dir = await mkdtemp(join(tmpdir(), 'vws-bench-node-'));
  const node = await NodeProcess.start({ dataDir: join(dir, 'data') });
  let peer: PeerProcess | undefined;
  try {
    peer = await startPeer('plain-node.js', [join(dir, 'peer')]);
    const signers = Array.from({ length: sizes.senders }, newSigner);
    await registerSenders(node.port, signers, STAKE_MICRO);
    const warmup = await signTransfers(signers, sizes.loads[0]![1], random);
    for (const server of [node, peer]) await send(server, 4, warmup);
    const rows: Row[] = [];
    for (const [connections, count] of sizes.loads) {
      const writes = await signTransfers(signers, count, random);
      const [ours, theirs] = await race(node, peer, connections, writes);
      sameWork(suite, `micro-units moved over ${connections} connections`, {
        vws: String(await movedByNode(node, signers)),
        [PEER]: await movedByPeer(peer.port),
      });
      rows.push(...rowsOf(connections, ours, theirs, PEER));
    }
    const load = sizes.loads[1]!;
    rows.push(...(await byVerifier(suite, dir, node, { signers, random, load })));
    await node.stop();
    return rows;
  } finally {
    await peer?.stop();
    await node.kill();
    await rm(dir, { recursive: true, force: true });
  }
}
