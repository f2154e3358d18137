// Suite `consensus`: how the DAG orders vertices, beside other engines on the same DAGs (consensus 8.2, B1 to B5):
// rates, latency in DAG time, floods of forks, memory, growth within an epoch.
// Keeps: all sides get the same vertices in the same order; slow peers get the first part of them. The JavaScript peer
// must make the same blocks. lachesis-base and autobase have their own ordering rules, so their order differs.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Consensus } from '../host/core/consensus.ts';
import { EPOCH_VERTICES } from '../host/wire/block.ts';
import { toHex } from '../host/wire/bytes.ts';
import { builtPath } from '../tools/load/built.ts';
import { configOf, coreAnswer, growth, objectRate, recordRate } from './consensus-core.ts';
import { type DagPeer, dagPeers } from './consensus-peers.ts';
import { waitsMs } from './dag-file.ts';
import type { DagShape } from './dag-source.ts';
import { DagWork } from './dag-work.ts';
import { type MapBlock, MapConsensus } from './peers/map-consensus.ts';
import { figure } from './report.ts';
import { median, quantile, type Row, row, type Side, type SuiteRun, sameWork } from './row.ts';

const MAP = 'Map + BigInt';
const SEED = 20_260_301;
/** Minimum of rounds from a leader to its commit: votes two above, certificates three above. */
const MIN_ROUNDS = 3;
/** Bytes of sequence number vectors, as in frame-based engines, per seat and vertex (consensus 8.2, B5). */
const VECTOR_BYTES = 12;
const FORKERS = 3;

/** Sizes of a run: vertices for the core, the JavaScript peer, other engines, and for their flood. */
interface Sizes {
  vertices: number;
  mapped: number;
  peers: number;
  flood: number;
  epoch: number;
  runs: number;
  peerRuns: number;
}
const FULL: Sizes = {
  vertices: 100_000,
  mapped: 10_000,
  peers: 10_000,
  flood: 3_000,
  epoch: EPOCH_VERTICES,
  runs: 9,
  peerRuns: 3,
};
const SMALL: Sizes = { ...FULL, vertices: 5_000, mapped: 1_000, epoch: 10_000, runs: 3, peerRuns: 1 };

/** Seats and parents of a vertex. */
const CLEAN: readonly (readonly [number, number])[] = [
  [1, 1],
  [4, 3],
  [4, 4],
  [10, 4],
  [10, 10],
  [30, 5],
  [100, 5],
  [100, 32],
];
/** Percentage of positions (creator, seq) with two vertices, by three of ten seats. */
const FLOODS = [14, 20] as const;
/** Autobase orders little under high concurrency: seats, parents, interval of a seat, vertices. */
const CALM: readonly (readonly [number, number, number, number])[] = [
  [4, 4, 400, 3_000],
  [10, 10, 2_000, 2_000],
];

interface Bench {
  suite: SuiteRun;
  sizes: Sizes;
  module: WebAssembly.Module;
  lachesis?: DagPeer | undefined;
  autobase?: DagPeer | undefined;
  rows: Row[];
}

function shapeOf(seats: number, parents: number, intervalMs = 100, duplicates = 0): DagShape {
  const forkers = duplicates > 0 ? FORKERS : 0;
  const forkPercent = forkers > 0 ? Math.round((duplicates * seats) / forkers) : 0;
  return { seats, parents, intervalMs, forkers, forkPercent, seed: SEED };
}

function blockText(block: MapBlock): string {
  const vertices = block.vertices.map((vertex) => `${toHex(vertex.id)}${vertex.isVoid ? '!' : ''}`);
  return `${toHex(block.leader)} ${block.timeMs} ${vertices.join()}\n`;
}

function takeBlocks(engine: { nextBlock(): MapBlock | undefined }): MapBlock[] {
  const blocks: MapBlock[] = [];
  for (let block = engine.nextBlock(); block; block = engine.nextBlock()) blocks.push(block);
  return blocks;
}

/**
 * Runs the first vertices through the JavaScript peer, which must make the same blocks as the core; returns its rate.
 */
function mapPeer({ suite, module }: Bench, work: DagWork, count: number, what: string): Side {
  const vertices = work.vertices.slice(0, count);
  const core = Consensus.create(module, configOf(work.shape.seats, count));
  const peer = new MapConsensus(work.shape.seats, (round) => core.leadersOf(round), 0);
  const texts = vertices.map((vertex) => ({ id: toHex(vertex.id), parents: vertex.parents.map(toHex) }));
  const blocks: MapBlock[] = [];
  const startedMs = performance.now();
  for (const [i, vertex] of vertices.entries()) {
    peer.insert(vertex, texts[i]!.id, texts[i]!.parents);
    blocks.push(...takeBlocks(peer));
  }
  const seconds = (performance.now() - startedMs) / 1000;
  core.insert(vertices);
  const sumOf = (of: readonly MapBlock[]): string =>
    createHash('sha256').update(of.map(blockText).join('')).digest('hex');
  sameWork(suite, what, { core: sumOf(takeBlocks(core)), [MAP]: sumOf(blocks) });
  return { name: MAP, value: count / seconds };
}

/** Rates, latency and memory of one DAG without forks. */
function clean(bench: Bench, seats: number, parents: number): void {
  const { module, sizes, rows } = bench;
  const work = new DagWork(shapeOf(seats, parents), sizes.vertices);
  const params = { seats, parents };
  const side = mapPeer(bench, work, Math.max(sizes.mapped, 40 * seats), `${seats} seats, ${parents} parents`);
  const { perSecond, best, core } = recordRate(module, work, sizes.runs);
  bench.suite.say(`  best of ${sizes.runs} runs: ${figure(best)} vertices/s`);
  rows.push(row('consensus', 'order', params, 'vertices/s', perSecond, side));
  for (const batch of [256, 1]) {
    const objects = objectRate(module, work, batch, sizes.runs).perSecond;
    const whole = { name: 'order', value: perSecond };
    rows.push(
      row('consensus', 'order, objects in batches', { ...params, batch }, 'vertices/s', objects, whole),
    );
  }
  // A seat alone waits for nobody: each of its vertices is final as it is inserted.
  if (seats > 1) latency(bench, work, params, perSecond);
  const bytes = core.figures().bytes / work.vertices.length;
  const vectors = { name: 'vectors, computed', value: VECTOR_BYTES * seats };
  const perVertex = bytes - (4 * work.parentCount) / work.vertices.length;
  rows.push(row('consensus', 'memory of a vertex, without parents', params, 'bytes', perVertex, vectors));
  const vectorsMb = { name: vectors.name, value: vectors.value / 10 };
  rows.push(row('consensus', 'memory of 100,000 vertices', params, 'MB', bytes / 10, vectorsMb));
}

function latency(bench: Bench, work: DagWork, params: Row['params'], perSecond: number): void {
  const { module, sizes, rows, lachesis } = bench;
  const count = Math.min(sizes.peers, work.vertices.length);
  const ours = coreAnswer(module, work, count);
  const minimum = { name: 'minimum by the rules', value: MIN_ROUNDS };
  rows.push(row('consensus', 'latency p50', params, 'rounds', median(ours.rounds), minimum));
  rows.push(row('consensus', 'latency p99', params, 'rounds', quantile(ours.rounds, 0.99), minimum));
  const waits = waitsMs(work.vertices, ours.finalAt);
  bench.suite.say(
    `  ${work.shape.seats} seats: vertex every ${work.shape.intervalMs} ms, links 20 to 120 ms: final after ` +
      `${median(waits)} ms (p50), ${quantile(waits, 0.99)} ms (p99)`,
  );
  if (lachesis) beside(bench, lachesis, work, count, params, perSecond, waits);
}

/** Rows for an engine that orders the same vertices by its own rules. */
function beside(
  { rows, sizes }: Bench,
  peer: DagPeer,
  work: DagWork,
  count: number,
  params: Row['params'],
  perSecond: number,
  ours: readonly number[],
): void {
  const theirs = peer.order(work, count, sizes.peerRuns);
  const waits = waitsMs(work.vertices, theirs.finalAt);
  const side = (value: number): Side => ({ name: peer.name, value });
  rows.push(row('consensus', 'order', params, 'vertices/s', perSecond, side(theirs.perSecond)));
  rows.push(row('consensus', 'latency p50', params, 'ms of DAG time', median(ours), side(median(waits))));
  const [a, b] = [quantile(ours, 0.99), quantile(waits, 0.99)];
  rows.push(row('consensus', 'latency p99', params, 'ms of DAG time', a, side(b)));
}

/** Three of ten seats fork. */
function flood(bench: Bench, duplicates: number, clean: number): void {
  const { module, sizes, rows, lachesis } = bench;
  const work = new DagWork(shapeOf(10, 4, 100, duplicates), sizes.vertices);
  const side = mapPeer(bench, work, sizes.mapped, `10 seats, ${duplicates} % duplicates`);
  const { perSecond } = recordRate(module, work, sizes.runs);
  const params = { seats: 10, parents: 4, duplicates: `${duplicates} %` };
  const sides: Side[] = [{ name: 'without forks', value: clean }, side];
  if (lachesis) {
    const value = lachesis.order(work, Math.min(sizes.flood, sizes.vertices), 1).perSecond;
    sides.push({ name: lachesis.name, value });
  }
  for (const peer of sides) {
    rows.push(row('consensus', 'order under a fork flood', params, 'vertices/s', perSecond, peer));
  }
}

/** Few concurrent vertices, as autobase is made for. */
function calm(bench: Bench, seats: number, parents: number, intervalMs: number, vertices: number): void {
  const { module, sizes, autobase } = bench;
  if (!autobase) return;
  const work = new DagWork(shapeOf(seats, parents, intervalMs), vertices);
  const { perSecond } = objectRate(module, work, 1, sizes.runs);
  const ours = waitsMs(work.vertices, coreAnswer(module, work, vertices).finalAt);
  beside(bench, autobase, work, vertices, { seats, parents, interval: intervalMs }, perSecond, ours);
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  const module = await WebAssembly.compile(await readFile(builtPath('consensus.wasm')));
  const sizes = suite.small ? SMALL : FULL;
  const bench: Bench = { suite, sizes, module, rows: [], ...dagPeers(suite) };
  for (const [seats, parents] of CLEAN) clean(bench, seats, parents);
  const base = bench.rows.find((r) => r.name === 'order' && r.params.seats === 10 && r.params.parents === 4)!;
  for (const duplicates of FLOODS) flood(bench, duplicates, base.value);
  const part = Math.floor(sizes.epoch / 2.5);
  const { first, last } = growth(module, shapeOf(10, 4), sizes.epoch, part, sizes.runs);
  const params = { seats: 10, parents: 4, epoch: sizes.epoch, part };
  const side = { name: 'first part', value: first };
  bench.rows.push(row('consensus', 'cost at the end of an epoch', params, 'us/vertex', last, side));
  for (const [seats, parents, intervalMs, vertices] of CALM)
    calm(bench, seats, parents, intervalMs, vertices);
  return bench.rows;
}
