// The DAG of one epoch as the definitions read: a vertex, its whole past as a set, its round.
// Keeps: nothing but the past of a vertex decides its round, whether it is a witness, and its run.
// Reachability is walked anew for each vertex; no bit masks, no shortcuts, no forgetting.

import type { DagVertex, EpochConfig } from '../../../host/core/consensus.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { MAX_PARENTS, MAX_TIME_MS } from '../../../host/wire/vertex.ts';
import { type Rules, Weights } from './rules.ts';

export interface ModelVertex {
  source: DagVertex;
  id: string;
  creator: number;
  selfParent: ModelVertex | undefined;
  parents: readonly ModelVertex[];
  /** Every ancestor, the vertex itself included. */
  past: ReadonlySet<ModelVertex>;
  round: number;
  isWitness: boolean;
  run: number;
}

/** What a vertex would be, before it is one. */
export type Candidate = Omit<ModelVertex, 'source' | 'id' | 'past'> & { past: Set<ModelVertex> };

export type Refusal = 'known' | 'missing_parent' | 'invalid' | 'full';

export class ModelDag {
  readonly vertices = new Map<string, ModelVertex>();
  readonly weights: Weights;
  readonly maxParents: number;
  maxRound = 0;
  private readonly witnessesOf: ModelVertex[][] = [];
  private readonly maxVertices: number;

  constructor(
    readonly config: EpochConfig,
    readonly rules: Rules,
  ) {
    this.weights = new Weights(config, rules);
    this.maxParents = Math.min(config.seats.length, MAX_PARENTS);
    this.maxVertices = config.maxVertices ?? 2 * 262_144;
  }

  /** Witnesses of a round that are known here, forks included. */
  witnesses(round: number): readonly ModelVertex[] {
    return this.witnessesOf[round] ?? [];
  }

  insert(source: DagVertex): 'inserted' | Refusal {
    const id = toHex(source.id);
    if (this.vertices.has(id)) return 'known';
    if (source.creator >= this.config.seats.length || numberIn(source.seq) === 0) return 'invalid';
    if (source.parents.length > this.maxParents || source.timeMs >= MAX_TIME_MS) return 'invalid';
    if (numberIn(source.seq) > 1 && source.parents.length === 0) return 'invalid';
    const parents = source.parents.map((parent) => this.vertices.get(toHex(parent)));
    if (parents.some((parent) => parent === undefined)) return 'missing_parent';
    const known = parents as ModelVertex[];
    if (!this.isWellFormed(source, known)) return 'invalid';
    const self = known[0]?.creator === source.creator ? known[0] : undefined;
    const candidate = this.evaluate(source.creator, self, known);
    if (candidate.run > this.rules.maxRun) return 'invalid';
    if (this.vertices.size >= this.maxVertices) return 'full';

    const vertex: ModelVertex = { ...candidate, source, id };
    candidate.past.add(vertex);
    this.vertices.set(id, vertex);
    this.maxRound = Math.max(this.maxRound, vertex.round);
    if (vertex.isWitness) {
      this.witnessesOf[vertex.round] ??= [];
      this.witnessesOf[vertex.round]!.push(vertex);
    }
    return 'inserted';
  }

  /** consensus 5.1, 2 to 5. */
  private isWellFormed(source: DagVertex, parents: readonly ModelVertex[]): boolean {
    const creators = new Set(parents.map((parent) => parent.creator));
    if (creators.size !== parents.length) return false;
    const self = parents.find((parent) => parent.creator === source.creator);
    if (self && self !== parents[0]) return false;
    if (self && source.timeMs < self.source.timeMs) return false;
    const { seq } = source;
    const isNext = self !== undefined && seq === self.source.seq + 1 && numberIn(seq) !== 0;
    const isFirst = numberIn(seq) === 1 && (!self || incarnationIn(seq) > incarnationIn(self.source.seq));
    if (!isNext && !isFirst) return false;
    const highest = Math.max(0, ...parents.map((parent) => parent.source.lamport));
    return source.lamport === highest + 1;
  }

  /** Round, witness and run of a vertex over these parents (consensus 5.3). */
  evaluate(creator: number, selfParent: ModelVertex | undefined, parents: readonly ModelVertex[]): Candidate {
    const past = new Set<ModelVertex>();
    const open = [...parents];
    for (let next = open.pop(); next; next = open.pop()) {
      if (past.has(next)) continue;
      past.add(next);
      open.push(...next.parents);
    }
    const highest = Math.max(0, ...parents.map((parent) => parent.round));
    const isAdvance = highest === 0 || this.weights.isQuorum(creatorsOf(witnessesIn(past, highest)));
    const round = highest + (isAdvance ? 1 : 0);
    const isWitness = selfParent === undefined || round > selfParent.round;
    let run = 0;
    if (!isWitness) {
      const before = creatorsOf(witnessesIn(selfParent.past, round));
      const now = creatorsOf(witnessesIn(past, round));
      const isNew = [...now].some((named) => !before.has(named));
      run = selfParent.run + (isNew ? 0 : 1);
    }
    return { creator, selfParent, parents, past, round, isWitness, run };
  }
}

/** The two parts of a seq (consensus 5.1). */
export const incarnationIn = (seq: number): number => Math.floor(seq / 1_048_576);
const numberIn = (seq: number): number => seq % 1_048_576;

/** Witnesses of exactly this round in a set of vertices. */
export function witnessesIn(past: ReadonlySet<ModelVertex>, round: number): ModelVertex[] {
  const found: ModelVertex[] = [];
  for (const vertex of past) if (vertex.isWitness && vertex.round === round) found.push(vertex);
  return found;
}

export function creatorsOf(vertices: Iterable<ModelVertex>): Set<number> {
  const creators = new Set<number>();
  for (const vertex of vertices) creators.add(vertex.creator);
  return creators;
}
