// Suite `consensus`: vertices a second that the event DAG takes and orders, from records in to blocks out: id table,
// rounds, votes, decisions, order and consensus time. Signatures, storage and network are not in it.
// Keeps: both sides get the same vertices in the same order and must make the same blocks; the peer, far slower, gets
// the first part of them. Latency and memory are those of the same DAGs.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Consensus, type EpochConfig } from '../host/core/consensus.ts';
import { toHex } from '../host/wire/bytes.ts';
import { builtPath } from '../tools/load/built.ts';
import { type DagShape, DagWork } from './dag-work.ts';
import { type MapBlock, MapConsensus } from './peers/map-consensus.ts';
import { median, quantile, type Row, row, type SuiteRun, sameWork } from './row.ts';

const PEER = 'Map + BigInt';
const SEED = 20_260_301;
/** Fewest rounds from a leader to its commit: votes two above, certificates three above. */
const LEAST_ROUNDS = 3;
/** What vectors of sequence numbers, as in frame-based engines, take for a seat and vertex. CONSENSUS 8.2, B5. */
const VECTOR_BYTES = 12;

interface Case {
  seats: number;
  parents: number;
  forkers: number;
}
const CASES: readonly Case[] = [
  { seats: 1, parents: 1, forkers: 0 },
  { seats: 4, parents: 3, forkers: 0 },
  { seats: 10, parents: 4, forkers: 0 },
  { seats: 30, parents: 5, forkers: 0 },
  { seats: 100, parents: 5, forkers: 0 },
  { seats: 10, parents: 4, forkers: 3 },
];

function shapeOf({ seats, parents, forkers }: Case, vertices: number): DagShape {
  // Three of ten seats that fill every second place twice: 15 % of all places.
  return {
    seats,
    vertices,
    parents,
    intervalMs: 100,
    forkPercent: forkers > 0 ? 50 : 0,
    forkers,
    seed: SEED,
  };
}

function configOf(seats: number, vertices: number): EpochConfig {
  const table = Array.from({ length: seats }, () => ({ key: new Uint8Array(32), weight: 12_500_000_000n }));
  const minParticipants = Math.min(3, seats);
  return {
    seats: table,
    minParticipants,
    epochId: new Uint8Array(32).fill(7),
    previousTimeMs: 0,
    maxVertices: vertices,
  };
}

function blockText(block: MapBlock): string {
  const vertices = block.vertices.map((vertex) => `${toHex(vertex.id)}${vertex.isVoid ? '!' : ''}`);
  return `${toHex(block.leader)} ${block.timeMs} ${vertices.join()}\n`;
}

/** Vertices a second from records to blocks, the median of some runs, and the last instance. */
function coreRate(
  module: WebAssembly.Module,
  work: DagWork,
  runs: number,
): { perSecond: number; core: Consensus } {
  const records = work.records();
  const rates: number[] = [];
  let core!: Consensus;
  for (let i = 0; i < runs; i++) {
    core = Consensus.create(module, configOf(work.shape.seats, work.vertices.length));
    const startedMs = performance.now();
    for (const run of records) {
      core.insertRecords(run);
      while (core.nextBlock());
    }
    rates.push((core.figures().ordered / (performance.now() - startedMs)) * 1000);
  }
  return { perSecond: median(rates), core };
}

/** The same through objects in batches of 256, as a node that decodes vertices one by one would feed it. */
function objectRate(module: WebAssembly.Module, work: DagWork, runs: number): number {
  const rates: number[] = [];
  for (let i = 0; i < runs; i++) {
    const core = Consensus.create(module, configOf(work.shape.seats, work.vertices.length));
    const startedMs = performance.now();
    for (let at = 0; at < work.vertices.length; at += 256) {
      core.insert(work.vertices.slice(at, at + 256));
      while (core.nextBlock());
    }
    rates.push((core.figures().ordered / (performance.now() - startedMs)) * 1000);
  }
  return median(rates);
}

interface Raced {
  perSecond: number;
  checksums: Record<string, string>;
  /** Rounds, and simulated milliseconds, from a vertex to the vertex that made it final. */
  rounds: number[];
  waitsMs: number[];
}

/** The first `count` vertices through both sides, one by one on ours, for checksum, latency and the peer's rate. */
function race(module: WebAssembly.Module, work: DagWork, count: number): Raced {
  const vertices = work.vertices.slice(0, count);
  const core = Consensus.create(module, configOf(work.shape.seats, count));
  const peer = new MapConsensus(work.shape.seats, (round) => core.leaderOf(round), 0);
  const sums = { core: createHash('sha256'), [PEER]: createHash('sha256') };
  const [rounds, waitsMs]: [number[], number[]] = [[], []];
  const madeMs = new Map(vertices.map((vertex) => [toHex(vertex.id), vertex.timeMs]));
  for (const vertex of vertices) {
    core.insert([vertex]);
    for (let block = core.nextBlock(); block; block = core.nextBlock()) {
      sums.core.update(blockText(block));
      const top = core.maxRound();
      for (const { id } of block.vertices) {
        rounds.push(top - core.explain(id)!.round);
        waitsMs.push(vertex.timeMs - madeMs.get(toHex(id))!);
      }
    }
  }
  const texts = vertices.map((vertex) => ({ id: toHex(vertex.id), parents: vertex.parents.map(toHex) }));
  const blocks: MapBlock[] = [];
  const startedMs = performance.now();
  for (const [i, vertex] of vertices.entries()) {
    peer.insert(vertex, texts[i]!.id, texts[i]!.parents);
    for (let block = peer.nextBlock(); block; block = peer.nextBlock()) blocks.push(block);
  }
  const seconds = (performance.now() - startedMs) / 1000;
  for (const block of blocks) sums[PEER].update(blockText(block));
  const checksums = { core: sums.core.digest('hex'), [PEER]: sums[PEER].digest('hex') };
  return { perSecond: rounds.length / seconds, checksums, rounds, waitsMs };
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  const module = await WebAssembly.compile(await readFile(builtPath('consensus.wasm')));
  const [vertices, raced, runs] = suite.small ? [5_000, 1_000, 3] : [100_000, 10_000, 7];
  const rows: Row[] = [];
  const clean = new Map<number, number>();
  for (const one of CASES) {
    const work = new DagWork(shapeOf(one, vertices));
    const peer = race(module, work, Math.max(raced, 40 * one.seats));
    sameWork(suite, `${one.seats} seats, ${one.forkers} forking`, peer.checksums);
    const { perSecond, core } = coreRate(module, work, runs);
    const { seats, parents } = one;
    const side = { name: PEER, value: peer.perSecond };
    if (one.forkers > 0) {
      const before = { name: 'without forks', value: clean.get(seats)! };
      const params = { seats, parents, duplicates: '15 %' };
      rows.push(row('consensus', 'order under a fork flood', params, 'vertices/s', perSecond, before));
      rows.push(row('consensus', 'order under a fork flood', params, 'vertices/s', perSecond, side));
      continue;
    }
    clean.set(seats, perSecond);
    rows.push(row('consensus', 'order', { seats, parents, vertices }, 'vertices/s', perSecond, side));
    const objects = objectRate(module, work, runs);
    rows.push(
      row('consensus', 'order, object by object', { seats, parents, vertices }, 'vertices/s', objects, side),
    );
    const least = { name: 'least of the rule', value: LEAST_ROUNDS };
    rows.push(row('consensus', 'latency p50', { seats, parents }, 'rounds', median(peer.rounds), least));
    rows.push(
      row('consensus', 'latency p99', { seats, parents }, 'rounds', quantile(peer.rounds, 0.99), least),
    );
    suite.say(
      `  ${seats} seats: vertex every 100 ms, links 20 to 120 ms: final after ${median(peer.waitsMs)} ms (p50), ` +
        `${quantile(peer.waitsMs, 0.99)} ms (p99)`,
    );
    const perVertex =
      core.figures().bytes / work.vertices.length - 4 * (work.parentCount / work.vertices.length);
    const vectors = { name: 'vectors, computed', value: VECTOR_BYTES * seats };
    rows.push(
      row('consensus', 'memory of a vertex, without parents', { seats }, 'bytes', perVertex, vectors),
    );
  }
  return rows;
}
