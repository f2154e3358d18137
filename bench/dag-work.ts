// Event DAGs to measure consensus with: seats that make vertices over a simulated network, from one seed.
// Keeps: parents stand before their children; an honest seat has one chain; the same numbers give the same DAG, so
// every engine gets the same vertices in the same order. Times are simulated milliseconds.

import { createHash } from 'node:crypto';
import { type DagVertex, vertexRecordBytes, writeVertexRecord } from '../host/core/consensus.ts';
import { compareBytes } from '../host/wire/bytes.ts';
import { SeededRandom } from '../tools/load/seeded-random.ts';

const START_MS = 1_800_000_000_000;
const RECORD_RUN_BYTES = 262_144;
/** A vertex reaches another seat so many milliseconds after it was made. */
const LEAST_DELAY_MS = 20;
const MOST_DELAY_MS = 120;

export interface DagShape {
  seats: number;
  vertices: number;
  /** Parents of a vertex, the self-parent included. */
  parents: number;
  /** Milliseconds between two vertices of a seat, give or take a half. */
  intervalMs: number;
  /** Percent of places (creator, seq) that a forking seat fills twice. */
  forkPercent: number;
  /** The first so many seats fork. */
  forkers: number;
  seed: number;
}

/** When a vertex reaches a seat: drawn once for each pair, without keeping a table of them. */
function delayMs(seed: number, vertex: number, seat: number): number {
  const random = new SeededRandom(seed ^ Math.imul(vertex + 1, 0x9e3779b1) ^ Math.imul(seat + 1, 0x85ebca77));
  return random.between(LEAST_DELAY_MS, MOST_DELAY_MS);
}

export class DagWork {
  readonly vertices: DagVertex[] = [];
  private readonly random: SeededRandom;
  /** Per creator its vertices' places in the list, and per seat how many of them have arrived. */
  private readonly chains: number[][];
  private readonly arrived: number[][];

  constructor(readonly shape: DagShape) {
    this.random = new SeededRandom(shape.seed);
    this.chains = Array.from({ length: shape.seats }, () => []);
    this.arrived = Array.from({ length: shape.seats }, () => new Array<number>(shape.seats).fill(0));
    const nextMs = Array.from({ length: shape.seats }, () => this.random.below(shape.intervalMs));
    while (this.vertices.length < shape.vertices) {
      let seat = 0;
      for (let i = 1; i < shape.seats; i++) if (nextMs[i]! < nextMs[seat]!) seat = i;
      this.emit(seat, nextMs[seat]!);
      nextMs[seat]! += (shape.intervalMs >> 1) + this.random.below(shape.intervalMs) + 1;
    }
  }

  /** The vertices as records of the ABI, in runs that fit the module's buffer. */
  records(): Uint8Array[] {
    const runs: Uint8Array[] = [];
    let run = new Uint8Array(RECORD_RUN_BYTES);
    let filled = 0;
    for (const vertex of this.vertices) {
      if (filled + vertexRecordBytes(vertex) > RECORD_RUN_BYTES) {
        runs.push(run.subarray(0, filled));
        run = new Uint8Array(RECORD_RUN_BYTES);
        filled = 0;
      }
      filled += writeVertexRecord(run, new DataView(run.buffer), filled, vertex);
    }
    runs.push(run.subarray(0, filled));
    return runs;
  }

  /** Parents in all, self-parents included. */
  get parentCount(): number {
    return this.vertices.reduce((sum, vertex) => sum + vertex.parents.length, 0);
  }

  private emit(seat: number, nowMs: number): void {
    const { forkers, forkPercent } = this.shape;
    const chain = this.chains[seat]!;
    const self = chain.length === 0 ? undefined : this.vertices[chain.at(-1)!]!;
    const isForked = seat < forkers && this.random.below(100) < forkPercent;
    // The twin first: the chain goes on from the second, and others have taken either.
    if (isForked) this.append(seat, self, nowMs);
    this.append(seat, self, nowMs);
  }

  private append(seat: number, self: DagVertex | undefined, nowMs: number): void {
    const heads = this.freshHeads(seat, nowMs);
    const others: DagVertex[] = [];
    for (let left = heads.length; left > 0 && others.length < this.shape.parents - 1; left--) {
      const at = this.random.below(left);
      others.push(this.vertices[heads[at]!]!);
      heads[at] = heads[left - 1]!;
    }
    const parents = others.map((vertex) => vertex.id).sort(compareBytes);
    if (self) parents.unshift(self.id);
    const at = this.vertices.length;
    const lamport = 1 + others.reduce((most, other) => Math.max(most, other.lamport), self?.lamport ?? 0);
    const id = new Uint8Array(createHash('sha256').update(`${this.shape.seed}/${at}`).digest());
    const seq = self ? self.seq + 1 : 1;
    this.vertices.push({ id, creator: seat, seq, lamport, timeMs: START_MS + nowMs, work: true, parents });
    this.chains[seat]!.push(at);
  }

  /** Newest vertex of each other seat that has arrived here. */
  private freshHeads(seat: number, nowMs: number): number[] {
    const heads: number[] = [];
    const arrived = this.arrived[seat]!;
    for (let creator = 0; creator < this.shape.seats; creator++) {
      const chain = this.chains[creator]!;
      while (arrived[creator]! < chain.length) {
        const at = chain[arrived[creator]!]!;
        if (this.vertices[at]!.timeMs - START_MS + delayMs(this.shape.seed, at, seat) > nowMs) break;
        arrived[creator]! += 1;
      }
      if (creator !== seat && arrived[creator]! > 0) heads.push(chain[arrived[creator]! - 1]!);
    }
    return heads;
  }
}
