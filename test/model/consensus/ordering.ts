// From committed leaders to blocks: what each block holds, in which order, which branch of a forker
// counts, and the consensus time (consensus 5.7, 5.8).
// Keeps: a function of the sequence of leaders alone.

import type { OrderedBlock, OrderedVertex } from '../../../host/core/consensus.ts';
import type { Evidence } from '../../../host/wire/block.ts';
import { incarnationIn, type ModelDag, type ModelVertex, witnessesIn } from './dag.ts';

/** Consensus time a block led by this vertex would have, milliseconds. */
export function leaderTimeMs(
  dag: ModelDag,
  leader: { creator: number; round: number; past: ReadonlySet<ModelVertex> },
  leaderTimeMs: number,
  previousMs: number,
): number {
  if (leader.round === 1) return previousMs;
  const below = witnessesIn(leader.past, leader.round - 1);
  const clocks = [{ timeMs: leaderTimeMs, creator: leader.creator }];
  for (let creator = 0; creator < dag.config.seats.length; creator++) {
    if (creator === leader.creator) continue;
    const own = below.filter((witness) => witness.creator === creator);
    if (own.length === 1) clocks.push({ timeMs: own[0]!.source.timeMs, creator });
  }
  clocks.sort((a, b) => a.timeMs - b.timeMs || a.creator - b.creator);
  const total = clocks.reduce((sum, clock) => sum + dag.weights.of[clock.creator]!, 0n);
  let cumulative = 0n;
  for (const clock of clocks) {
    cumulative += dag.weights.of[clock.creator]!;
    if (2n * cumulative >= total) return Math.max(previousMs, clock.timeMs);
  }
  throw new Error('unreachable: the last value carries the whole weight');
}

const xor = (a: string, b: string): bigint => BigInt(`0x${a}`) ^ BigInt(`0x${b}`);

export class Ordering {
  readonly blockOf = new Map<ModelVertex, number>();
  readonly isVoid = new Set<ModelVertex>();
  timeMs: number;
  blockCount = 0;
  /** Of each seat, what took effect, in order. */
  private readonly effective = new Map<number, ModelVertex[]>();
  private readonly accused = new Set<number>();

  constructor(private readonly dag: ModelDag) {
    this.timeMs = dag.config.previousTimeMs;
  }

  block(leader: ModelVertex): OrderedBlock {
    this.blockCount += 1;
    const members = [...leader.past].filter((vertex) => !this.blockOf.has(vertex));
    const inBlock = new Set(members);
    const depths = new Map<ModelVertex, number>();
    const depth = (vertex: ModelVertex): number => {
      const inside = vertex.parents.filter((parent) => inBlock.has(parent));
      let known = depths.get(vertex);
      if (known === undefined) {
        known = inside.length === 0 ? 0 : 1 + Math.max(...inside.map(depth));
        depths.set(vertex, known);
      }
      return known;
    };
    // Insertion order is topological, so no call of `depth` goes deep.
    for (const vertex of this.dag.vertices.values()) if (inBlock.has(vertex)) depth(vertex);
    const sorted = members
      .map((vertex) => ({ vertex, depth: depth(vertex), key: xor(vertex.id, leader.id) }))
      .sort((a, b) => a.depth - b.depth || (a.key < b.key ? -1 : 1));

    const vertices: OrderedVertex[] = [];
    const evidence: Evidence[] = [];
    for (const { vertex } of sorted) {
      this.blockOf.set(vertex, this.blockCount);
      const isVoid = !this.takesEffect(vertex);
      if (isVoid) this.markVoid(vertex, evidence);
      vertices.push({ id: vertex.source.id, creator: vertex.creator, isVoid });
    }
    this.timeMs = leaderTimeMs(this.dag, leader, leader.source.timeMs, this.timeMs);
    return {
      leader: leader.source.id,
      leaderRound: leader.round,
      timeMs: this.timeMs,
      vertices,
      evidence,
    };
  }

  private takesEffect(vertex: ModelVertex): boolean {
    const chain = this.effective.get(vertex.creator) ?? [];
    const head = chain.at(-1);
    const isNewer = head && incarnationIn(vertex.source.seq) > incarnationIn(head.source.seq);
    if (head !== vertex.selfParent && !isNewer) return false;
    chain.push(vertex);
    this.effective.set(vertex.creator, chain);
    return true;
  }

  /** The first void vertex of a creator that stands beside an effective one of the same seq is evidence. */
  private markVoid(vertex: ModelVertex, evidence: Evidence[]): void {
    this.isVoid.add(vertex);
    if (this.accused.has(vertex.creator)) return;
    const { seq } = vertex.source;
    const chain = this.effective.get(vertex.creator)!;
    const other = chain.find((one) => one.source.seq === seq);
    if (!other) {
      // Only what a seat lost, and others kept, has no such one: it resumed in a higher incarnation meanwhile.
      if (incarnationIn(seq) < incarnationIn(chain.at(-1)!.source.seq)) return;
      throw new Error('no effective vertex beside a void one');
    }
    this.accused.add(vertex.creator);
    evidence.push({ creator: vertex.creator, seq, effective: other.source.id, void: vertex.source.id });
  }
}
