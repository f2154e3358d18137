// Random DAGs for comparing views and engines: seats of random weight, some of them forking below the
// limit or resuming without their newest vertices, vertices over random, late and partitioned parents.
// Keeps: everything follows from the seed; parents are always known before their children, and an
// honest seat has one chain.

import type { DagVertex, EpochConfig } from '../../../host/core/consensus.ts';
import type { SeatWeight } from '../../../host/wire/block.ts';
import { ByteWriter, compareBytes } from '../../../host/wire/bytes.ts';
import { sha256 } from '../../../host/wire/hash.ts';
import { firstSeqOf, incarnationOf } from '../../../host/wire/seq.ts';
import { quorumWeight } from './rules.ts';

/** Deterministic numbers from a seed (SplitMix over 32 bits); test use only. */
export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  u32(): number {
    this.state = (this.state + 0x9e3779b9) >>> 0;
    let z = this.state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  }

  /** An integer in 0..below-1. */
  below(below: number): number {
    return Math.floor((this.u32() / 2 ** 32) * below);
  }

  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  shuffle<T>(items: readonly T[]): T[] {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [out[i], out[j]] = [out[j]!, out[i]!];
    }
    return out;
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256));
  }
}

/** Id over everything that names a vertex, so two different vertices never share one. */
export function dagVertexId(epochId: Uint8Array, vertex: Omit<DagVertex, 'id'>, nonce: number): Uint8Array {
  const out = new ByteWriter(128).raw(epochId).u16(vertex.creator).u32(vertex.seq).u64(vertex.timeMs);
  out
    .u32(vertex.lamport)
    .u8(vertex.work ? 1 : 0)
    .u32(nonce);
  for (const parent of vertex.parents) out.raw(parent);
  return sha256(out.finish());
}

/** Parents in the order of 5.17: the self-parent first, the others ascending. */
export function sortParents(self: Uint8Array | undefined, others: readonly Uint8Array[]): Uint8Array[] {
  const sorted = [...others].sort(compareBytes);
  return self ? [self, ...sorted] : sorted;
}

export type WeightKind = 'equal' | 'random' | 'some_zero' | 'one_heavy' | 'huge';

export interface DagShape {
  seats: number;
  vertices: number;
  weights: WeightKind;
  minParticipants: number;
  /** Forking seats as long as their weight stays below 2Q - W; 0 = none. */
  forkers: number;
  branches: number;
  /** Seats that now and then go on from an older vertex of theirs in a higher incarnation; within the same limit. */
  resumers: number;
  /** Percent of vertices that choose parents among stale ones. */
  stalePercent: number;
  /** Vertices between two changes of partition; 0 = never partitioned. */
  partitionEvery: number;
  maxParents: number;
}

export interface RandomDag {
  config: EpochConfig;
  vertices: DagVertex[];
  /** All faulty seats. */
  forkers: Set<number>;
}

export function randomShape(dice: Dice, seats: number, vertices: number): DagShape {
  // Alone in half of the DAGs that have some: forkers would take up the whole limit of a few seats.
  const resumers = dice.chance(60) ? dice.between(0, Math.ceil(seats / 3)) : 0;
  const hasForkers = dice.chance(resumers > 0 ? 50 : 70);
  return {
    seats,
    vertices,
    weights: dice.pick(['equal', 'equal', 'random', 'some_zero', 'one_heavy', 'huge'] as const),
    minParticipants: dice.chance(70) ? 1 : dice.between(1, Math.max(1, Math.floor(seats / 2))),
    forkers: hasForkers ? dice.between(0, Math.ceil(seats / 3)) : 0,
    branches: dice.between(2, 4),
    stalePercent: dice.pick([0, 10, 40]),
    partitionEvery: dice.pick([0, 0, 15, 40]),
    maxParents: dice.pick([2, 3, seats, seats]),
    resumers,
  };
}

function weightsFor(dice: Dice, shape: DagShape): bigint[] {
  const weights = Array.from({ length: shape.seats }, (_, seat): bigint => {
    if (shape.weights === 'random') return BigInt(dice.between(1, 100));
    if (shape.weights === 'some_zero') return dice.chance(30) && seat > 0 ? 0n : BigInt(dice.between(1, 5));
    if (shape.weights === 'one_heavy') return seat === 0 ? BigInt(shape.seats) : 2n;
    if (shape.weights === 'huge') return 10n ** 15n / BigInt(shape.seats) - BigInt(dice.between(0, 1000));
    return 10n;
  });
  return weights;
}

/** Faulty seats, forkers first: as many as asked for while two quorums still share honest weight. */
function chooseForkers(dice: Dice, shape: DagShape, weights: readonly bigint[]): Set<number> {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const shared = 2n * quorumWeight(total) - total;
  const forkers = new Set<number>();
  let heavy = 0n;
  for (const seat of dice.shuffle(weights.map((_, index) => index))) {
    if (forkers.size >= shape.forkers + shape.resumers) break;
    if (heavy + weights[seat]! >= shared) continue;
    heavy += weights[seat]!;
    forkers.add(seat);
  }
  return forkers;
}

interface Branch {
  creator: number;
  head: DagVertex | undefined;
  /** Newest vertex of each other creator that this branch has seen delivered. */
  heard: Map<number, DagVertex[]>;
  group: number;
}

/** Some seats lead nothing, as far as a round has leaders without them. */
function drawLate(dice: Dice, seats: SeatWeight[], leaders: number): void {
  const voters = dice.shuffle(seats.filter(({ weight }) => weight > 0n));
  for (const seat of voters.slice(leaders)) if (dice.chance(50)) seat.isLate = true;
}

export function randomDag(seed: number, shape: DagShape): RandomDag {
  const dice = new Dice(seed);
  const weights = weightsFor(dice, shape);
  const forkers = chooseForkers(dice, shape, weights);
  const seats: SeatWeight[] = weights.map((weight) => ({ key: dice.bytes(32), weight }));
  const minParticipants = Math.min(shape.minParticipants, weights.filter((weight) => weight > 0n).length);
  const leaders = dice.between(1, weights.filter((weight) => weight > 0n).length);
  drawLate(new Dice(seed ^ 0x1a7e), seats, leaders);
  const config: EpochConfig = {
    seats,
    minParticipants,
    leaders,
    epochId: dice.bytes(32),
    previousTimeMs: dice.pick([0, 1_800_000_000_000]),
  };
  const branches: Branch[] = [];
  const resumers = new Set([...forkers].slice(shape.forkers));
  for (let creator = 0; creator < shape.seats; creator++) {
    const count = forkers.has(creator) && !resumers.has(creator) ? shape.branches : 1;
    for (let i = 0; i < count; i++) branches.push({ creator, head: undefined, heard: new Map(), group: 0 });
  }
  const vertices: DagVertex[] = [];
  for (let step = 0; vertices.length < shape.vertices; step++) {
    if (shape.partitionEvery > 0 && step % shape.partitionEvery === 0) {
      const groups = dice.between(1, 3);
      for (const branch of branches) branch.group = dice.below(groups);
    }
    const branch = dice.pick(branches);
    const isFresh = forkers.has(branch.creator) && dice.chance(resumers.has(branch.creator) ? 20 : 5);
    const base = isFresh ? branchPoint(dice, branch.head, vertices) : branch.head;
    // Forkers mix the two, so that branches have several incarnations, and incarnations several branches.
    const resumes = isFresh && (resumers.has(branch.creator) || (shape.resumers > 0 && dice.chance(30)));
    const incarnation = resumes ? newIncarnation(dice, branch, base, vertices) : undefined;
    const vertex = nextVertex(dice, config, shape, branch, base, incarnation, step);
    branch.head = vertex;
    vertices.push(vertex);
    for (const other of branches) {
      if (other.group !== branch.group || other.creator === branch.creator || dice.chance(15)) continue;
      const heard = other.heard.get(branch.creator) ?? [];
      heard.push(vertex);
      other.heard.set(branch.creator, heard);
    }
  }
  return { config, vertices, forkers };
}

/** A forker goes back to an older own vertex, or starts anew. */
function branchPoint(
  dice: Dice,
  head: DagVertex | undefined,
  vertices: readonly DagVertex[],
): DagVertex | undefined {
  if (!head || dice.chance(20)) return undefined;
  const own = vertices.filter((vertex) => vertex.creator === head.creator);
  return dice.pick(own.slice(-8));
}

/** One that the seat never had; now and then only one that `base` never had, so that seqs repeat. */
function newIncarnation(
  dice: Dice,
  { creator }: Branch,
  base: DagVertex | undefined,
  vertices: readonly DagVertex[],
): number {
  if (dice.chance(20)) return incarnationOf(base?.seq ?? 0) + 1;
  const used = vertices.filter((vertex) => vertex.creator === creator).map(({ seq }) => incarnationOf(seq));
  return Math.max(0, ...used) + dice.pick([1, 1, 1, 200]);
}

function nextVertex(
  dice: Dice,
  config: EpochConfig,
  shape: DagShape,
  branch: Branch,
  self: DagVertex | undefined,
  incarnation: number | undefined,
  step: number,
): DagVertex {
  const most = Math.min(shape.maxParents, shape.seats, 32) - (self ? 1 : 0);
  const others: DagVertex[] = [];
  for (const creator of dice.shuffle([...branch.heard.keys()])) {
    if (others.length >= most) break;
    if (!dice.chance(85)) continue;
    const heard = branch.heard.get(creator)!;
    others.push(dice.chance(shape.stalePercent) ? dice.pick(heard.slice(-10)) : heard.at(-1)!);
  }
  const clock = 1_800_000_000_000 + step * 10 + dice.below(500);
  const fields = {
    creator: branch.creator,
    seq: incarnation === undefined ? 1 + (self?.seq ?? 0) : firstSeqOf(incarnation),
    lamport: 1 + Math.max(0, self?.lamport ?? 0, ...others.map((other) => other.lamport)),
    timeMs: Math.max(clock, self?.timeMs ?? 0),
    work: dice.chance(30),
    parents: sortParents(
      self?.id,
      others.map((other) => other.id),
    ),
  };
  return { id: dagVertexId(config.epochId, fields, step), ...fields };
}

/** Another order of the same vertices in which parents still come first. */
export function shuffledOrder(dice: Dice, vertices: readonly DagVertex[]): DagVertex[] {
  const key = (id: Uint8Array): string => Buffer.from(id).toString('latin1');
  const waiting = new Map<string, number>();
  const children = new Map<string, DagVertex[]>();
  for (const vertex of vertices) {
    waiting.set(key(vertex.id), vertex.parents.length);
    for (const parent of vertex.parents) {
      const list = children.get(key(parent)) ?? [];
      list.push(vertex);
      children.set(key(parent), list);
    }
  }
  const ready = vertices.filter((vertex) => vertex.parents.length === 0);
  const out: DagVertex[] = [];
  while (ready.length > 0) {
    const at = dice.below(ready.length);
    const vertex = ready[at]!;
    ready[at] = ready.at(-1)!;
    ready.pop();
    out.push(vertex);
    for (const child of children.get(key(vertex.id)) ?? []) {
      const left = waiting.get(key(child.id))! - 1;
      waiting.set(key(child.id), left);
      if (left === 0) ready.push(child);
    }
  }
  return out;
}

/** A causally closed part: the pasts of some vertices, in the given order. */
export function closedView(dice: Dice, vertices: readonly DagVertex[], tips: number): DagVertex[] {
  const key = (id: Uint8Array): string => Buffer.from(id).toString('latin1');
  const byId = new Map(vertices.map((vertex) => [key(vertex.id), vertex]));
  const taken = new Set<DagVertex>();
  const open = Array.from({ length: tips }, () => dice.pick(vertices));
  for (let next = open.pop(); next; next = open.pop()) {
    if (taken.has(next)) continue;
    taken.add(next);
    for (const parent of next.parents) open.push(byId.get(key(parent))!);
  }
  return vertices.filter((vertex) => taken.has(vertex));
}
