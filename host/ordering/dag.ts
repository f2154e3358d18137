// The running epoch's event DAG on this node: the engine, the part of it that is not ordered yet with its bytes, and
// what the emission policy wants to know of it.
// Keeps: every vertex the engine took is held until it is ordered or the epoch ends; the rest is in the store.

import { Consensus, type DagVertex, type InsertResult, type OrderedBlock } from '../core/consensus.ts';
import { compareBytes, toHex } from '../wire/bytes.ts';
import type { Vertex } from '../wire/vertex.ts';
import type { EmissionView } from './emission.ts';
import type { EntryProof } from './entry-proof.ts';
import type { Epoch } from './epoch.ts';
import { Frontier } from './frontier.ts';
import type { Packed } from './packed.ts';

/** What the order needs of a vertex. Entries are taken only when its block runs. */
export type TakenVertex = Pick<Vertex, 'id' | 'header' | 'entries'>;

/** A vertex with its full bytes and, when it was made here, the transactions that were packed into it. */
export interface HeldVertex {
  vertex: TakenVertex;
  bytes: Uint8Array;
  packed: readonly Packed[] | undefined;
  /** What is known of the signatures of the entry at a place; undefined for those of own vertices. */
  proofs?: ((place: number) => EntryProof | undefined) | undefined;
}

/** A held vertex whose place is known. */
export interface PlacedVertex {
  held: HeldVertex;
  isVoid: boolean;
  round: number;
}

export interface DagBlock extends Pick<OrderedBlock, 'leader' | 'leaderRound' | 'timeMs' | 'evidence'> {
  vertices: PlacedVertex[];
}

/** What the policy is told besides the DAG. */
export interface EmissionInput {
  nowMs: number;
  hasPayload: boolean;
  readonly causes: readonly string[];
}

export class EpochDag {
  readonly #consensus: Consensus;
  readonly #frontier = new Frontier();
  readonly #held = new Map<string, HeldVertex>();
  /** Creator and sequence number of each vertex, in the order they were taken. */
  readonly #places: { creators: number[]; seqs: number[] } = { creators: [], seqs: [] };
  readonly #newestSeqs: number[];
  readonly #forks = new Map<number, readonly [number, number]>();
  readonly #forkLoads: { count: number; bytes: number }[];

  /** Throws EpochRefused. `seat`: the own one. */
  constructor(
    module: WebAssembly.Module,
    readonly epoch: Epoch,
    readonly seat: number,
  ) {
    this.#newestSeqs = new Array<number>(epoch.seats.length).fill(0);
    this.#forkLoads = epoch.seats.map(() => ({ count: 0, bytes: 0 }));
    this.#consensus = Consensus.create(module, {
      seats: epoch.seats,
      minParticipants: epoch.minParticipants,
      epochId: epoch.id,
      previousTimeMs: epoch.previousTimeMs,
      // Room for as many dead ones as ordered ones. consensus 5.12.
      maxVertices: 2 * epoch.limits.vertices,
    });
  }

  /** Vertices taken so far. */
  get vertexCount(): number {
    return this.#places.seqs.length;
  }

  /** Newest sequence number of each seat, 0 = none. */
  get newestSeqs(): readonly number[] {
    return this.#newestSeqs;
  }

  /** Seats that were seen to fork, with the positions of two vertices that have one number. */
  get forks(): ReadonlyMap<number, readonly [number, number]> {
    return this.#forks;
  }

  /** Vertices of each seat whose number had been taken before, and their bytes. */
  get forkLoads(): readonly Readonly<{ count: number; bytes: number }>[] {
    return this.#forkLoads;
  }

  /**
   * Positions from `cursor` on of vertices that somebody lacks who has those up to `seqs` of each seat: at most `most`, and
   * where to go on.
   */
  positionsMissing(
    cursor: number,
    seqs: readonly number[],
    max: number,
  ): { positions: number[]; next: number } {
    const { creators, seqs: own } = this.#places;
    const positions: number[] = [];
    let next = cursor;
    for (; next < own.length && positions.length < max; next++) {
      if (own[next]! > (seqs[creators[next]!] ?? 0)) positions.push(next);
    }
    return { positions, next };
  }

  /** Memory laid out for the engine. */
  get memoryBytes(): number {
    return this.#consensus.memoryBytes;
  }

  /** Newest own vertex. */
  get own(): { id: Uint8Array; seq: number; timeMs: number } | undefined {
    return this.#frontier.own;
  }

  /** Gives a vertex of this epoch to the engine; its signature and payload have been checked. */
  insert(held: HeldVertex): InsertResult {
    const { header, id } = held.vertex;
    const { creator, seq, lamport, timeMs, work, parents } = header;
    const vertex: DagVertex = { id, creator, seq, lamport, timeMs, work, parents };
    const result = this.#consensus.insert([vertex])[0]!;
    if (result !== 'inserted') return result;
    this.#frontier.add(vertex, creator === this.seat);
    this.#held.set(toHex(id), held);
    this.#noteFork(creator, seq, held.bytes.length);
    this.#places.creators.push(creator);
    this.#places.seqs.push(seq);
    this.#newestSeqs[creator] = Math.max(this.#newestSeqs[creator]!, seq);
    return result;
  }

  // A chain comes in order, so a number that is not new has been taken before.
  #noteFork(creator: number, seq: number, bytes: number): void {
    if (seq > this.#newestSeqs[creator]!) return;
    const load = this.#forkLoads[creator]!;
    load.count += 1;
    load.bytes += bytes;
    if (this.#forks.has(creator)) return;
    const { creators, seqs } = this.#places;
    const first = seqs.findIndex((other, place) => other === seq && creators[place] === creator);
    this.#forks.set(creator, [first, seqs.length]);
  }

  /** The next block of the order, once. Its vertices are no longer held. */
  nextBlock(): DagBlock | undefined {
    const block = this.#consensus.nextBlock();
    if (!block) return undefined;
    const vertices = block.vertices.map(({ id, isVoid }): PlacedVertex => {
      const key = toHex(id);
      const held = this.#held.get(key)!;
      this.#held.delete(key);
      return { held, isVoid, round: this.roundOf(id)! };
    });
    this.#frontier.ordered(vertices.map(({ held }) => held.vertex.id));
    const { leader, leaderRound, timeMs, evidence } = block;
    return { leader, leaderRound, timeMs, evidence, vertices };
  }

  /** Vertices without a place in the order, in the order they were taken: after the seal they are dead. */
  unordered(): PlacedVertex[] {
    return [...this.#held.values()].map((held) => ({
      held,
      isVoid: false,
      round: this.roundOf(held.vertex.id)!,
    }));
  }

  /** Lamport number of a vertex over these parents. */
  lamportOver(parents: readonly Uint8Array[]): number {
    return 1 + Math.max(0, ...parents.map((id) => this.#frontier.lamportOf(id)));
  }

  view(input: EmissionInput): EmissionView {
    const { seat, epoch } = this;
    const consensus = this.#consensus;
    return {
      nowMs: input.nowMs,
      seat,
      hasWeight: (epoch.seats[seat]?.weight ?? 0n) > 0n,
      own: this.#frontier.own,
      heads: this.#frontier.choosable(seat),
      hasUnfinishedWork: this.#frontier.hasUnfinishedWork(seat),
      hasPayload: input.hasPayload,
      get causes() {
        return input.causes;
      },
      preview: (parents, timeMs) => consensus.preview(seat, parents, timeMs),
      leaderOf: (round) => consensus.leaderOf(round),
      quorumWitnesses: (round) => consensus.quorumWitnesses(round),
    };
  }

  /** Derived round of a vertex of this epoch; undefined for any other. */
  roundOf(id: Uint8Array): number | undefined {
    return this.#consensus.explain(id)?.round;
  }

  /** Highest round of this epoch. */
  get maxRound(): number {
    return this.#consensus.maxRound();
  }

  /** Ids of the vertices without a known child, ascending. */
  tips(): Uint8Array[] {
    return this.#frontier.tips().sort(compareBytes);
  }
}
