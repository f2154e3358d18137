// Suite `finality`: how long a client waits until a network of four real nodes has answered a write for good, over wires
// that delay and lose, in one-way delays of those wires.
// Keeps: each answer is 201, so the write was executed in its final place and lies on the disk of the node that answers. All
// nodes, the wires and the load share this machine's cores: at short delays their work shows, not the protocol's.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sample, sampleOf } from '../host/cli/top/sample.ts';
import type { Signer } from '../host/client/signer.ts';
import { Connection } from '../tools/load/connection.ts';
import { driveAll, expectStatus } from '../tools/load/drive.ts';
import { Latencies } from '../tools/load/latencies.ts';
import { type NodeProcess, sleep } from '../tools/load/node-process.ts';
import { SeededRandom } from '../tools/load/seeded-random.ts';
import { newSigner, type SignedWrite } from '../tools/load/signed-writes.ts';
import { untilEqual } from '../tools/localnet/agreement.ts';
import { openLayout } from '../tools/localnet/layout.ts';
import { LocalNetwork } from '../tools/localnet/network.ts';
import { startServer } from './peer-process.ts';
import { type Row, row, type SuiteRun } from './row.ts';
import { MAX_LOAD_MS, registerSenders, signTransfers } from './transfers.ts';

const STAKE_MICRO = 10_000_000_000;
/** What a wire of no length is measured in. */
const NO_WIRE_UNIT_MS = 1;

interface Sizes {
  seats: number;
  senders: number;
  wires: readonly Wire[];
  /**
   * Writes that are served one by one, and at once, before the wires are slow and anything is measured: V8 compiles what a
   * single write runs only after some hundreds of them.
   */
  warmup: { quiet: number; busy: number };
  quiet: number;
  busy: number;
  busyConnections: number;
  afterSilence: number;
  silenceMs: number;
}

interface Wire {
  delayMs: number;
  lossPercent: number;
}

const wire = (delayMs: number, lossPercent = 0): Wire => ({ delayMs, lossPercent });
const FULL: Sizes = {
  seats: 4,
  senders: 64,
  wires: [wire(0), wire(50), wire(100), wire(50, 1), wire(50, 2), wire(50, 5)],
  warmup: { quiet: 600, busy: 6000 },
  quiet: 150,
  busy: 3000,
  busyConnections: 64,
  afterSilence: 10,
  silenceMs: 3000,
};
const SMALL: Sizes = {
  seats: 3,
  senders: 8,
  wires: [wire(10, 1)],
  warmup: { quiet: 2, busy: 8 },
  quiet: 6,
  busy: 32,
  busyConnections: 8,
  afterSilence: 1,
  silenceMs: 200,
};

/** One write after another, each at the next node, each after a pause, over a connection of its own: idle ones are closed. */
async function oneByOne(
  nodes: readonly NodeProcess[],
  writes: readonly SignedWrite[],
  pauseMs: () => number,
) {
  const latencies = new Latencies();
  for (const [i, { bytes }] of writes.entries()) {
    await sleep(pauseMs());
    const connection = await Connection.open(nodes[i % nodes.length]!.port);
    try {
      const sentMs = performance.now();
      const { status } = await connection.send(bytes);
      if (status !== 201) throw new Error(`a transfer was answered with ${status}`);
      latencies.record(performance.now() - sentMs);
    } finally {
      connection.close();
    }
  }
  return latencies;
}

async function manyAtOnce(
  nodes: readonly NodeProcess[],
  count: number,
  { signers, random, sizes }: Work,
): Promise<Latencies> {
  const writes = await signTransfers(signers, count, random);
  const driven = await driveAll({
    ports: nodes.map(({ port }) => port),
    connections: sizes.busyConnections,
    count: writes.length,
    request: (i) => writes[i]!.bytes,
    mostMs: MAX_LOAD_MS,
  });
  expectStatus(driven, 201);
  return driven.latencies;
}

interface Work {
  signers: readonly Signer[];
  random: SeededRandom;
  sizes: Sizes;
}

function latencyRows(load: string, { delayMs, lossPercent }: Wire, seats: number, found: Latencies): Row[] {
  const params = { load, seats, delay_ms: delayMs, loss_percent: lossPercent };
  const unit =
    delayMs > 0
      ? { name: 'one message delay', value: delayMs }
      : { name: 'one millisecond', value: NO_WIRE_UNIT_MS };
  return [
    row('finality', 'answered for good, p50', params, 'ms', found.medianMs, unit),
    row('finality', 'answered for good, p99', params, 'ms', found.p99Ms, unit),
  ];
}

const vertices = (samples: readonly Sample[]): number => samples[0]!.vertices;
const sentBytes = (samples: readonly Sample[]): number => samples.reduce((sum, s) => sum + s.sentBytes, 0);

/** What a single write costs that comes after silence: nothing else happens meanwhile but the idle vertices. */
async function afterSilence(nodes: readonly NodeProcess[], work: Work, on: Wire): Promise<Row[]> {
  const { sizes } = work;
  const writes = await signTransfers(work.signers, sizes.afterSilence, work.random);
  await untilEqual(nodes);
  const all = (): Promise<Sample[]> => Promise.all(nodes.map(sampleOf));
  const before = await all();
  const latencies = await oneByOne(nodes, writes, () => sizes.silenceMs);
  await untilEqual(nodes);
  const after = await all();
  const params = {
    load: 'after silence',
    seats: nodes.length,
    delay_ms: on.delayMs,
    loss_percent: on.lossPercent,
  };
  const each = (grown: number): number => grown / sizes.afterSilence;
  const perSeat = { name: 'one vertex of each seat', value: nodes.length };
  const [grown, sent] = [vertices(after) - vertices(before), sentBytes(after) - sentBytes(before)];
  return [
    ...latencyRows('after silence', on, nodes.length, latencies),
    row('finality', 'vertices, each write', params, 'vertices', each(grown), perSeat),
    row('finality', 'between nodes, each write', params, 'bytes', each(sent), {
      name: 'each HTTP request once to each other node',
      value: each(writes.reduce((sum, { bytes }) => sum + bytes.length, 0)) * (nodes.length - 1),
    }),
  ];
}

async function measure(on: Wire, work: Work): Promise<Row[]> {
  const { sizes } = work;
  const dir = await mkdtemp(join(tmpdir(), 'vws-finality-'));
  const layout = { seats: sizes.seats, observers: 0 };
  const { members } = await openLayout(dir, layout);
  const pairs = members.flatMap((from) => members.filter((to) => to !== from).map((to) => ({ from, to })));
  const targets = pairs.map(({ to }) => to.peerPort);
  const wires = await startServer(
    'tools/localnet/slow-wires.js',
    [on.delayMs, on.lossPercent / 100, ...targets].map(String),
  );
  let network: LocalNetwork | undefined;
  try {
    network = await LocalNetwork.start({
      ...layout,
      dir,
      peerPort: (from, to) =>
        wires.ports[pairs.findIndex((pair) => pair.from.name === from.name && pair.to.name === to.name)]!,
    });
    const nodes = network.seats;
    await registerSenders(
      nodes.map(({ port }) => port),
      work.signers,
      STAKE_MICRO,
    );
    await untilEqual(nodes);
    const { signers, random: any } = work;
    await manyAtOnce(nodes, sizes.warmup.busy, work);
    await oneByOne(nodes, await signTransfers(signers, sizes.warmup.quiet, any), () => 0);
    process.kill(wires.pid, 'SIGUSR2');
    await untilEqual(nodes);
    await oneByOne(nodes, await signTransfers(signers, nodes.length, any), () => 0);
    // Of up to two delays, so that no write keeps step with the rounds.
    const pauseMs = (): number => any.between(0, 2 * on.delayMs);
    const quiet = await oneByOne(nodes, await signTransfers(signers, sizes.quiet, any), pauseMs);
    const rows = latencyRows('quiet', on, nodes.length, quiet);
    rows.push(...latencyRows('busy', on, nodes.length, await manyAtOnce(nodes, sizes.busy, work)));
    rows.push(...(await afterSilence(nodes, work, on)));
    await network.stop();
    return rows;
  } finally {
    await network?.close();
    await wires.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  const sizes = suite.small ? SMALL : FULL;
  const random = new SeededRandom(29);
  const rows: Row[] = [];
  for (const on of sizes.wires) {
    suite.say(`  wires of ${on.delayMs} ms, ${on.lossPercent} % lost`);
    const signers = Array.from({ length: sizes.senders }, newSigner);
    const found = await measure(on, { signers, random, sizes });
    for (const { name, params, value, unit } of found)
      suite.say(`    ${params.load}: ${name} ${value.toFixed(1)} ${unit}`);
    rows.push(...found);
  }
  return rows;
}
