// DAGs to measure consensus with: seats create vertices over a simulated network, from one seed, one vertex at a time.
// Keeps: parents come before their children; an honest seat has one chain; the same parameters give the same DAG, so
// every engine gets the same vertices in the same order. Only vertices still in transit to some seat are kept. Times
// are simulated milliseconds.

import { createHash } from 'node:crypto';
import type { DagVertex } from '../host/core/consensus.ts';
import { compareBytes } from '../host/wire/bytes.ts';
import { SeededRandom } from '../tools/load/seeded-random.ts';

const START_MS = 1_800_000_000_000;
/** Bounds of the delay until a vertex reaches another seat. */
const MIN_DELAY_MS = 20;
const MAX_DELAY_MS = 120;
/** A chain drops vertices that have arrived everywhere once it has this many. */
const MAX_KEPT = 256;

export interface DagShape {
  seats: number;
  /** Parents of a vertex, including the self-parent. */
  parents: number;
  /** Milliseconds between two vertices of a seat, plus or minus half. */
  intervalMs: number;
  /** Percentage of positions (creator, seq) at which a forking seat creates two vertices. */
  forkPercent: number;
  /** The first this many seats fork. */
  forkers: number;
  seed: number;
  /** Simulated start time; default 2027-01-15. */
  startMs?: number;
}

interface Made {
  vertex: DagVertex;
  place: number;
}

/** Vertices of one seat in order, starting at number `dropped`. */
interface Chain {
  dropped: number;
  made: Made[];
}

/** When a vertex reaches a seat: drawn once for each pair, without a table. */
function delayMs(seed: number, place: number, seat: number): number {
  const random = new SeededRandom(seed ^ Math.imul(place + 1, 0x9e3779b1) ^ Math.imul(seat + 1, 0x85ebca77));
  return random.between(MIN_DELAY_MS, MAX_DELAY_MS);
}

export class DagSource {
  private readonly random: SeededRandom;
  private readonly startMs: number;
  private readonly chains: Chain[];
  /** For each seat, how many vertices of each creator have arrived there. */
  private readonly arrived: number[][];
  private readonly nextMs: number[];
  private count = 0;
  private readonly ready: DagVertex[] = [];

  constructor(readonly shape: DagShape) {
    const { seats, seed, intervalMs } = shape;
    this.random = new SeededRandom(seed);
    this.startMs = shape.startMs ?? START_MS;
    this.chains = Array.from({ length: seats }, () => ({ dropped: 0, made: [] }));
    this.arrived = Array.from({ length: seats }, () => new Array<number>(seats).fill(0));
    this.nextMs = Array.from({ length: seats }, () => this.random.below(intervalMs));
  }

  next(): DagVertex {
    while (this.ready.length === 0) this.emit();
    return this.ready.shift()!;
  }

  // The seat whose turn it is creates a vertex, or two at one position.
  private emit(): void {
    const { seats, intervalMs, forkers, forkPercent } = this.shape;
    let seat = 0;
    for (let i = 1; i < seats; i++) if (this.nextMs[i]! < this.nextMs[seat]!) seat = i;
    const nowMs = this.nextMs[seat]!;
    const self = this.chains[seat]!.made.at(-1)?.vertex;
    const isForked = seat < forkers && this.random.below(100) < forkPercent;
    // The twin first: the chain continues from the second, and other seats have received either.
    if (isForked) this.append(seat, self, nowMs);
    this.append(seat, self, nowMs);
    this.nextMs[seat]! += (intervalMs >> 1) + this.random.below(intervalMs) + 1;
  }

  private append(seat: number, self: DagVertex | undefined, nowMs: number): void {
    const heads = this.freshHeads(seat, nowMs);
    const others: DagVertex[] = [];
    for (let left = heads.length; left > 0 && others.length < this.shape.parents - 1; left--) {
      const at = this.random.below(left);
      others.push(heads[at]!);
      heads[at] = heads[left - 1]!;
    }
    const parents = others.map((vertex) => vertex.id).sort(compareBytes);
    if (self) parents.unshift(self.id);
    const place = this.count++;
    const lamport = 1 + others.reduce((max, other) => Math.max(max, other.lamport), self?.lamport ?? 0);
    const id = new Uint8Array(createHash('sha256').update(`${this.shape.seed}/${place}`).digest());
    const seq = self ? self.seq + 1 : 1;
    const timeMs = this.startMs + nowMs;
    const vertex = { id, creator: seat, seq, lamport, timeMs, work: true, parents };
    this.chains[seat]!.made.push({ vertex, place });
    this.forget(seat);
    this.ready.push(vertex);
  }

  /** Newest vertex of each other seat that has arrived at this one. */
  private freshHeads(seat: number, nowMs: number): DagVertex[] {
    const heads: DagVertex[] = [];
    const arrived = this.arrived[seat]!;
    for (const [creator, { dropped, made }] of this.chains.entries()) {
      let count = arrived[creator]! - dropped;
      for (; count < made.length; count++) {
        const { vertex, place } = made[count]!;
        if (vertex.timeMs - this.startMs + delayMs(this.shape.seed, place, seat) > nowMs) break;
      }
      arrived[creator] = dropped + count;
      if (creator !== seat && count > 0) heads.push(made[count - 1]!.vertex);
    }
    return heads;
  }

  // Keeps the newest vertex that has arrived everywhere, and all above it.
  private forget(creator: number): void {
    const chain = this.chains[creator]!;
    if (chain.made.length < MAX_KEPT) return;
    const everywhere = Math.min(...this.arrived.map((arrived) => arrived[creator]!));
    const drop = Math.max(0, everywhere - 1 - chain.dropped);
    chain.made = chain.made.slice(drop);
    chain.dropped += drop;
  }
}
