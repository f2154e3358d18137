// Suite `cluster`: networks of 1, 4 and 7 equal seats, all on this machine, beside the single node of the same run. A
// node answers once the transaction is final by a quorum of seats and on its disk.
// Keeps: every network gets the same transfers, spread over all its nodes; each must be executed (201), and every node
// must report the same amount moved. All nodes share the cores, so more seats get less of the machine each.

import { type Sample, sampleOf } from '../host/cli/top/sample.ts';
import type { Signer } from '../host/client/signer.ts';
import { cpuMs } from '../tools/load/cpu-time.ts';
import { driveAll, expectStatus, perSecond } from '../tools/load/drive.ts';
import { type NodeProcess, sleep } from '../tools/load/node-process.ts';
import { SeededRandom } from '../tools/load/seeded-random.ts';
import { newSigner, type SignedWrite } from '../tools/load/signed-writes.ts';
import { untilEqual } from '../tools/localnet/agreement.ts';
import { LocalNetwork } from '../tools/localnet/network.ts';
import { type Row, row, type SuiteRun, sameWork } from './row.ts';
import { MAX_LOAD_MS, registerSenders, signTransfers } from './transfers.ts';

const ALONE = 'vws, one node';
/** Every node must get every request; between nodes it is sent without HTTP headers. */
const BARE = 'each HTTP request once to each other node';
const ORDERED = 'the rate at which the seats ordered them';
const SEAT = 'one of the seats under the largest load';
const STAKE_MICRO = 10_000_000_000;

interface Sizes {
  seats: readonly number[];
  senders: number;
  loads: readonly (readonly [connections: number, transfers: number])[];
  /** Pause before the network counts as idle, and the time it is then observed: an idle vertex is due every 4 s. */
  restMs: number;
  idleMs: number;
  /** Number of seats of the network that an observer catches up with. */
  followed: number;
}
const FULL: Sizes = {
  seats: [1, 4, 7],
  senders: 64,
  loads: [
    [4, 400],
    [64, 4_000],
    [256, 8_000],
  ],
  restMs: 5000,
  idleMs: 20_000,
  followed: 4,
};
const SMALL: Sizes = { seats: [1, 3], senders: 4, loads: [[6, 60]], restMs: 500, idleMs: 5000, followed: 3 };

interface Load {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of all nodes together, per transfer; undefined if the system does not report it. */
  cpuUsEach: number | undefined;
  /** Bytes sent between the nodes, per transfer. */
  wireBytesEach: number;
  /** Bytes of one request, as the client sent it. */
  requestBytes: number;
}

interface Idle {
  /** Of one node, in percent of a core. */
  cpuPercent: number | undefined;
  verticesPerSecond: number;
  wireBytesPerSecond: number;
}

interface CaughtUp {
  verticesPerSecond: number;
  /** Of all its threads from its start on, per transfer. */
  cpuUsEach: number | undefined;
}

interface Measured {
  loads: Load[];
  idle: Idle;
  /** Of an observer that begins with an empty disk. */
  caughtUp: CaughtUp | undefined;
  verticesPerSecond: number;
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const samples = (nodes: readonly NodeProcess[]): Promise<Sample[]> => Promise.all(nodes.map(sampleOf));

function cpuOf(nodes: readonly NodeProcess[]): number | undefined {
  const each = nodes.map(({ pid }) => cpuMs(pid));
  return each.every((ms) => ms !== undefined) ? sum(each as number[]) : undefined;
}

/** Micro-units of the senders' pending transfers: nothing is judged, so that is all they ever sent. */
async function movedOn(node: NodeProcess, signers: readonly Signer[]): Promise<string> {
  const reserved = signers.map(async ({ publicKeyHex }) => {
    return (await node.json<{ reserved: number }>(`/v1/agents/${publicKeyHex}/balance`)).reserved;
  });
  return String(sum(await Promise.all(reserved)));
}

async function load(
  nodes: readonly NodeProcess[],
  connections: number,
  writes: readonly SignedWrite[],
): Promise<Load> {
  const before = { cpu: cpuOf(nodes), nodes: await samples(nodes) };
  const driven = await driveAll({
    ports: nodes.map((n) => n.port),
    connections,
    count: writes.length,
    request: (i) => writes[i]!.bytes,
    mostMs: MAX_LOAD_MS,
  });
  expectStatus(driven, 201);
  await untilEqual(nodes);
  const after = { cpu: cpuOf(nodes), nodes: await samples(nodes) };
  const used = after.cpu !== undefined && before.cpu !== undefined ? after.cpu - before.cpu : undefined;
  const sent = (of: readonly Sample[]): number => sum(of.map((s) => s.sentBytes));
  return {
    perSecond: perSecond(driven),
    p50Ms: driven.latencies.medianMs,
    p99Ms: driven.latencies.p99Ms,
    cpuUsEach: used === undefined ? undefined : (used * 1000) / driven.answered,
    wireBytesEach: (sent(after.nodes) - sent(before.nodes)) / driven.answered,
    requestBytes: sum(writes.map((write) => write.bytes.length)) / writes.length,
  };
}

async function idle(nodes: readonly NodeProcess[], { restMs, idleMs }: Sizes): Promise<Idle> {
  await sleep(restMs);
  const before = { cpu: cpuOf(nodes), nodes: await samples(nodes) };
  await sleep(idleMs);
  const cpu = cpuOf(nodes);
  const after = await samples(nodes);
  const secs = (after[0]!.atMs - before.nodes[0]!.atMs) / 1000;
  const used = cpu !== undefined && before.cpu !== undefined ? cpu - before.cpu : undefined;
  const grown = (read: (s: Sample) => number): number => sum(after.map(read)) - sum(before.nodes.map(read));
  return {
    cpuPercent: used === undefined ? undefined : used / secs / nodes.length / 10,
    verticesPerSecond: grown((s) => s.vertices) / secs / nodes.length,
    wireBytesPerSecond: grown((s) => s.sentBytes) / secs,
  };
}

/** Starts the network's observer with an empty disk and measures until it has caught up with the seats. */
async function catchUp(network: LocalNetwork, transfers: number): Promise<CaughtUp> {
  const startedMs = performance.now();
  const observer = network.launch(network.members.length - 1);
  await observer.ready();
  await untilEqual([...network.seats, observer]);
  const secs = (performance.now() - startedMs) / 1000;
  const used = cpuMs(observer.pid);
  const { vertices } = await sampleOf(observer);
  const cpuUsEach = used === undefined ? undefined : (used * 1000) / transfers;
  return { verticesPerSecond: vertices / secs, cpuUsEach };
}

interface Work {
  signers: readonly Signer[];
  random: SeededRandom;
  sizes: Sizes;
}

async function measure(suite: SuiteRun, seats: number, { signers, random, sizes }: Work): Promise<Measured> {
  const isFollowed = seats === sizes.followed;
  const network = await LocalNetwork.start({ seats, observers: isFollowed ? 1 : 0, observersLater: true });
  try {
    const nodes = network.seats;
    await registerSenders(
      nodes.map(({ port }) => port),
      signers,
      STAKE_MICRO,
    );
    await untilEqual(nodes);
    await load(nodes, nodes.length, await signTransfers(signers, sizes.senders, random));
    const loads: Load[] = [];
    const before = { atMs: performance.now(), vertices: (await sampleOf(nodes[0]!)).vertices };
    for (const [connections, count] of sizes.loads) {
      loads.push(await load(nodes, connections, await signTransfers(signers, count, random)));
    }
    const grown = (await sampleOf(nodes[0]!)).vertices - before.vertices;
    const verticesPerSecond = (grown * 1000) / (performance.now() - before.atMs);
    const moved = await Promise.all(
      nodes.map(async (node, i) => [`node ${i + 1} of ${seats}`, await movedOn(node, signers)] as const),
    );
    sameWork(suite, 'micro-units moved', Object.fromEntries(moved));
    const transfers = sum([sizes.senders, ...sizes.loads.map(([, count]) => count)]);
    const caughtUp = isFollowed ? await catchUp(network, transfers) : undefined;
    const found = { loads, idle: await idle(nodes, sizes), caughtUp, verticesPerSecond };
    await network.stop();
    return found;
  } finally {
    await network.close();
  }
}

function loadRows(seats: number, connections: number, ours: Load, alone: Load): Row[] {
  const params = { seats, connections };
  const beside = (name: string, unit: string, value: number, of: number, peer = ALONE): Row =>
    row('cluster', name, params, unit, value, { name: peer, value: of });
  const rows = [
    beside('signed transfers', 'transfers/s', ours.perSecond, alone.perSecond),
    beside('finality, p50', 'ms', ours.p50Ms, alone.p50Ms),
    beside('finality, p99', 'ms', ours.p99Ms, alone.p99Ms),
  ];
  if (ours.cpuUsEach && alone.cpuUsEach) {
    rows.push(beside('CPU of all nodes, each transfer', 'us', ours.cpuUsEach, alone.cpuUsEach));
  }
  if (seats > 1) {
    const minBytes = ours.requestBytes * (seats - 1);
    rows.push(beside('between nodes, each transfer', 'bytes', ours.wireBytesEach, minBytes, BARE));
  }
  return rows;
}

function idleRows(seats: number, ours: Idle, alone: Idle): Row[] {
  const beside = (name: string, unit: string, value: number, of: number): Row =>
    row('cluster', name, { seats }, unit, value, { name: ALONE, value: of });
  const rows = [
    beside('idle, vertices of the network', 'a second', ours.verticesPerSecond, alone.verticesPerSecond),
  ];
  // Below one clock tick there is nothing to compare.
  if (ours.cpuPercent && alone.cpuPercent) {
    rows.push(beside('idle, CPU of one node', '% of a core', ours.cpuPercent, alone.cpuPercent));
  }
  return rows;
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  const sizes = suite.small ? SMALL : FULL;
  const random = new SeededRandom(23);
  const rows: Row[] = [];
  let alone: Measured | undefined;
  for (const seats of sizes.seats) {
    const signers = Array.from({ length: sizes.senders }, newSigner);
    const ours = await measure(suite, seats, { signers, random, sizes });
    alone ??= ours;
    if (seats > 1) {
      for (const [i, [connections]] of sizes.loads.entries()) {
        rows.push(...loadRows(seats, connections, ours.loads[i]!, alone.loads[i]!));
      }
      rows.push(...idleRows(seats, ours.idle, alone.idle));
      const { wireBytesPerSecond } = ours.idle;
      suite.say(
        `  ${seats} seats, idle: ${wireBytesPerSecond.toFixed(0)} bytes per second between all nodes`,
      );
    }
    if (ours.caughtUp === undefined) continue;
    const { verticesPerSecond, cpuUsEach } = ours.caughtUp;
    const peer = { name: ORDERED, value: ours.verticesPerSecond };
    rows.push(row('cluster', 'caught up by a new node', { seats }, 'vertices/s', verticesPerSecond, peer));
    const each = ours.loads.at(-1)!.cpuUsEach;
    if (cpuUsEach === undefined || each === undefined) continue;
    const seat = { name: SEAT, value: each / seats };
    rows.push(
      row(
        'cluster',
        'CPU of a new node, its start included, each transfer',
        { seats },
        'us',
        cpuUsEach,
        seat,
      ),
    );
  }
  return rows;
}
