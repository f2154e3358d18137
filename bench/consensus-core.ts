// Measures consensus.wasm through its wrapper in host/core: rates, time to finality, growth.
// Keeps: a figure counts inserted vertices, including id table, rounds, votes, decisions, order and output of blocks;
// signatures, storage and network are not included.

import { Consensus, type EpochConfig } from '../host/core/consensus.ts';
import { Places } from './dag-file.ts';
import { type DagShape, DagSource } from './dag-source.ts';
import { type DagWork, recordRuns, takeVertices } from './dag-work.ts';
import { median } from './row.ts';

/** An epoch of seats of equal weight. */
export function configOf(seats: number, maxVertices: number, previousTimeMs = 0): EpochConfig {
  return {
    seats: Array.from({ length: seats }, () => ({ key: new Uint8Array(32), weight: 12_500_000_000n })),
    minParticipants: Math.min(3, seats),
    epochId: new Uint8Array(32).fill(7),
    previousTimeMs,
    maxVertices,
  };
}

/** Vertices per second over some runs, each with a new instance; and the last instance. */
interface CoreRate {
  perSecond: number;
  best: number;
  core: Consensus;
}

function rateOf(
  runs: number,
  count: number,
  create: () => Consensus,
  feed: (core: Consensus) => void,
): CoreRate {
  const rates: number[] = [];
  let core!: Consensus;
  for (let i = 0; i < runs; i++) {
    core = create();
    const startedMs = performance.now();
    feed(core);
    rates.push((count / (performance.now() - startedMs)) * 1000);
  }
  return { perSecond: median(rates), best: Math.max(...rates), core };
}

/** Inserts records, as many at once as the module takes, and reads the blocks. */
export function recordRate(module: WebAssembly.Module, work: DagWork, runs: number): CoreRate {
  const records = work.records();
  const count = work.vertices.length;
  const config = configOf(work.shape.seats, count);
  return rateOf(
    runs,
    count,
    () => Consensus.create(module, config),
    (core) => {
      for (const run of records) {
        core.insertRecords(run);
        while (core.nextBlock());
      }
    },
  );
}

/** Inserts objects, `batch` at once, as a node that decodes vertices one by one would, and reads the blocks. */
export function objectRate(module: WebAssembly.Module, work: DagWork, batch: number, runs: number): CoreRate {
  const { vertices } = work;
  const batches: (typeof vertices)[] = [];
  for (let at = 0; at < vertices.length; at += batch) batches.push(vertices.slice(at, at + batch));
  const config = configOf(work.shape.seats, vertices.length);
  return rateOf(
    runs,
    vertices.length,
    () => Consensus.create(module, config),
    (core) => {
      for (const some of batches) {
        core.insert(some);
        while (core.nextBlock());
      }
    },
  );
}

interface CoreAnswer {
  /** For each vertex the index of the one that made it final, or -1. */
  finalAt: number[];
  /** Rounds between a vertex and the newest one when it became final. */
  rounds: number[];
}

/** Inserts vertices one by one; returns when each became final. */
export function coreAnswer(module: WebAssembly.Module, work: DagWork, count: number): CoreAnswer {
  const vertices = work.vertices.slice(0, count);
  const core = Consensus.create(module, configOf(work.shape.seats, count));
  const places = new Places(vertices);
  const finalAt = new Array<number>(count).fill(-1);
  const rounds: number[] = [];
  for (const [place, vertex] of vertices.entries()) {
    core.insert([vertex]);
    for (let block = core.nextBlock(); block; block = core.nextBlock()) {
      const top = core.maxRound();
      for (let i = 0; i < block.vertexCount; i++) {
        const id = block.idAt(i);
        finalAt[places.of(id)] = place;
        rounds.push(top - core.explain(id)!.round);
      }
    }
  }
  return { finalAt, rounds };
}

/** Microseconds for each of the first and of the last `part` vertices of an epoch of `count`, medians. */
export function growth(
  module: WebAssembly.Module,
  shape: DagShape,
  count: number,
  part: number,
  runs: number,
): { first: number; last: number } {
  const source = new DagSource(shape);
  const pieces = [part, count - 2 * part, part].map((size) => recordRuns(takeVertices(source, size)));
  const figures: number[][] = [[], [], []];
  for (let i = 0; i < runs; i++) {
    const core = Consensus.create(module, configOf(shape.seats, count));
    for (const [at, records] of pieces.entries()) {
      const startedMs = performance.now();
      for (const run of records) {
        core.insertRecords(run);
        while (core.nextBlock());
      }
      figures[at]!.push(((performance.now() - startedMs) * 1000) / part);
    }
  }
  return { first: median(figures[0]!), last: median(figures[2]!) };
}
