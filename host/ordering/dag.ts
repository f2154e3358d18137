// The running epoch's DAG on this node: the consensus engine, the bytes of the vertices that are not ordered yet, and the
// view that the emission policy decides on.
// Keeps: every inserted vertex is held until it is ordered or the epoch ends; older ones are in the store.
//
// Number spaces: position = place of a vertex in the order in which this node inserted the epoch's vertices (local);
// seq = number that the creator gave it; order = number in the total order.

import { Consensus, type DagVertex, type InsertResult, type OrderedBlock } from '../core/consensus.ts';
import { type BlockHeader, encodeBlockHeader, verticesRoot } from '../wire/block.ts';
import { compareBytes, toHex } from '../wire/bytes.ts';
import type { Vertex } from '../wire/vertex.ts';
import { Writers } from './ahead.ts';
import type { EmissionView } from './emission.ts';
import type { EntryProof } from './entry-proof.ts';
import { type Epoch, isQuorumOf, votersOf } from './epoch.ts';
import { Frontier } from './frontier.ts';
import { followedRound } from './leader-wait.ts';
import type { Packed } from './packed.ts';
import type { SeqKind } from './seat-numbers.ts';

/** What ordering needs of a vertex. `entries` are read only when its block is executed. */
export type VertexContent = Pick<Vertex, 'id' | 'header' | 'entries'>;

/** An unordered vertex with its full bytes and, if it was made here, the transactions that were packed into it. */
export interface InsertedVertex {
  vertex: VertexContent;
  bytes: Uint8Array;
  packed: readonly Packed[] | undefined;
  /** The signature check of the entry with this index; undefined for vertices made here. */
  proofAt?: ((index: number) => EntryProof | undefined) | undefined;
}

/** A vertex that was ordered, or dropped at the seal. */
export interface PlacedVertex {
  inserted: InsertedVertex;
  isVoid: boolean;
  round: number;
}

export interface BlockVertex extends PlacedVertex {
  /** It has no entries, is no witness, and brings none that its self-parent does not have. */
  isIdle: boolean;
}

export interface DagBlock extends Pick<OrderedBlock, 'leader' | 'leaderRound' | 'timeMs' | 'evidence'> {
  vertices: BlockVertex[];
}

/** The header of a block at its place in the chain. */
export const headerOf = (
  { leader, leaderRound, timeMs, evidence, vertices }: DagBlock,
  place: Pick<BlockHeader, 'index' | 'order' | 'epochId' | 'previous'>,
): Uint8Array =>
  encodeBlockHeader({
    ...{ leader, leaderRound, timeMs, evidence, ...place },
    vertexCount: vertices.length,
    verticesRoot: verticesRoot(vertices.map(({ inserted }) => inserted.vertex.id)),
  });

/** What the emission policy needs besides the DAG. */
export interface EmissionInput {
  nowMs: number;
  hasPayload: boolean;
  isAnswering: boolean;
  readonly causes: readonly string[];
}

/** Room for as many vertices that are never ordered as for ordered ones (consensus 5.12). */
const maxVertices = ({ limits }: Epoch): number => 2 * limits.vertices;

/** Words of the masks of a round that has no place for another witness but the first of a seat (consensus 5.2). */
const MAX_MASK_WORDS = 255;
/** All that the engine can have. */
const MAX_ENGINE_BYTES = 2 ** 30;

/** `left_out`: a further witness of its seat in a round that has no place for one. */
export type DagResult = InsertResult | 'left_out';

export class EpochDag {
  readonly #consensus: Consensus;
  readonly #frontier: Frontier;
  readonly #writers = new Writers();
  readonly #unordered = new Map<string, InsertedVertex>();
  /** Creator and seq of each vertex, by position. */
  readonly #byPosition: { creators: number[]; seqs: number[] } = { creators: [], seqs: [] };
  readonly #voters: readonly number[];
  readonly #newestSeqs: number[];
  readonly #forks = new Map<number, readonly [number, number]>();
  readonly #forkLoads: { count: number; bytes: number }[];
  readonly #unorderedLoads: { count: number; bytes: number }[];

  /** Throws EpochRefused. `seat`: this node's. */
  constructor(
    module: WebAssembly.Module,
    readonly epoch: Epoch,
    readonly seat: number,
  ) {
    const isQuorumWithout = (seats: ReadonlySet<number>): boolean =>
      isQuorumOf(
        epoch,
        epoch.seats.flatMap((_, other) => (seats.has(other) ? [] : [other])),
      );
    this.#frontier = new Frontier(isQuorumWithout);
    this.#voters = votersOf(epoch.seats);
    this.#newestSeqs = new Array<number>(epoch.seats.length).fill(0);
    this.#forkLoads = epoch.seats.map(() => ({ count: 0, bytes: 0 }));
    this.#unorderedLoads = epoch.seats.map(() => ({ count: 0, bytes: 0 }));
    this.#consensus = Consensus.create(module, {
      seats: epoch.seats,
      minParticipants: epoch.minParticipants,
      epochId: epoch.id,
      previousTimeMs: epoch.previousTimeMs,
      maxVertices: maxVertices(epoch),
    });
  }

  /** Vertices inserted so far: the next position. */
  get vertexCount(): number {
    return this.#byPosition.seqs.length;
  }

  /** Newest seq of each seat, 0 = none: of the highest incarnation. */
  get newestSeqs(): readonly number[] {
    return this.#newestSeqs;
  }

  /** Seats that have forked, with the positions of two vertices with the same seq. */
  get forks(): ReadonlyMap<number, readonly [number, number]> {
    return this.#forks;
  }

  /**
   * For each seat: how many of its vertices repeat a seq, are of an older incarnation than one before them, or begin one more than
   * others need to build on; and bytes.
   */
  get forkLoads(): readonly Readonly<{ count: number; bytes: number }>[] {
    return this.#forkLoads;
  }

  /** For each seat: how many of its vertices are not ordered, and their bytes. */
  get unorderedLoads(): readonly Readonly<{ count: number; bytes: number }>[] {
    return this.#unorderedLoads;
  }

  /** Is something not ordered yet that wants to be, as far as this seat may build on it. */
  get hasUnfinishedWork(): boolean {
    return this.#frontier.hasUnfinishedWork(this.seat);
  }

  /** See Frontier. */
  settling(seat: number): () => boolean {
    return this.#frontier.settling(seat);
  }

  /**
   * Positions from `cursor` on of vertices with a number above `seqs` of their seat: at most `max`, and the position to
   * continue from.
   */
  positionsAbove(
    cursor: number,
    seqs: readonly number[],
    max: number,
  ): { positions: number[]; next: number } {
    const { creators, seqs: own } = this.#byPosition;
    const positions: number[] = [];
    let next = cursor;
    for (; next < own.length && positions.length < max; next++) {
      if (own[next]! > (seqs[creators[next]!] ?? 0)) positions.push(next);
    }
    return { positions, next };
  }

  /** Is there a vertex of this seat with this seq. */
  hasSeq(seat: number, seq: number): boolean {
    return this.#frontier.hasSeq(seat, seq);
  }

  /** How many incarnations of a seat there are. */
  incarnationsOf(seat: number): number {
    return this.#frontier.incarnations(seat);
  }

  /** Memory reserved for the engine. */
  get memoryBytes(): number {
    return this.#consensus.memoryBytes;
  }

  /** This seat's newest vertex. */
  get own(): { id: Uint8Array; seq: number; timeMs: number } | undefined {
    return this.#frontier.own;
  }

  /** Inserts a vertex of this epoch into the engine; its signature and payload were checked. */
  insert(inserted: InsertedVertex): DagResult {
    const { header, id } = inserted.vertex;
    const { creator, seq, lamport, timeMs, work, parents } = header;
    const vertex: DagVertex = { id, creator, seq, lamport, timeMs, work, parents };
    const result = this.#consensus.insert([vertex])[0]!;
    if (result === 'full' && this.#hasRoom) return 'left_out';
    if (result !== 'inserted') return result;
    const kind = this.#frontier.add(vertex, creator === this.seat);
    this.#unordered.set(toHex(id), inserted);
    this.#countUnordered(inserted, 1);
    if (kind !== 'newest') this.#noteFork(creator, seq, kind, inserted.bytes.length);
    this.#byPosition.creators.push(creator);
    this.#byPosition.seqs.push(seq);
    this.#newestSeqs[creator] = Math.max(this.#newestSeqs[creator]!, seq);
    return result;
  }

  /** Is there room for vertices, though not for every one. */
  get #hasRoom(): boolean {
    const { stride, vertices } = this.#consensus.figures();
    const isWide = stride >= MAX_MASK_WORDS;
    return isWide && vertices < maxVertices(this.epoch) && this.memoryBytes < MAX_ENGINE_BYTES;
  }

  #noteFork(creator: number, seq: number, kind: SeqKind, bytes: number): void {
    const load = this.#forkLoads[creator]!;
    load.count += 1;
    load.bytes += bytes;
    if (kind !== 'repeated' || this.#forks.has(creator)) return;
    const { creators, seqs } = this.#byPosition;
    const first = seqs.findIndex((other, position) => other === seq && creators[position] === creator);
    this.#forks.set(creator, [first, seqs.length]);
  }

  #countUnordered({ vertex, bytes }: InsertedVertex, sign: 1 | -1): void {
    const load = this.#unorderedLoads[vertex.header.creator]!;
    load.count += sign;
    load.bytes += sign * bytes.length;
  }

  /** The next block of the order; each is returned once, and its vertices are not held here any more. */
  nextBlock(): DagBlock | undefined {
    const block = this.#consensus.nextBlock();
    if (!block) return undefined;
    const vertices = block.vertices.map(({ id, isVoid }): BlockVertex => {
      const key = toHex(id);
      const inserted = this.#unordered.get(key)!;
      this.#unordered.delete(key);
      this.#countUnordered(inserted, -1);
      const { round, isWitness } = this.#consensus.explain(id)!;
      const { creator, entryCount } = inserted.vertex.header;
      if (entryCount > 0) this.#writers.note(creator);
      return { inserted, isVoid, round, isIdle: !isWitness && this.#bringsNothing(inserted) };
    });
    this.#frontier.ordered(vertices.map(({ inserted }) => inserted.vertex.id));
    const { leader, leaderRound, timeMs, evidence } = block;
    return { leader, leaderRound, timeMs, evidence, vertices };
  }

  /** Of one that is no witness. */
  #bringsNothing({ vertex: { header } }: InsertedVertex): boolean {
    const { creator, parents, timeMs, entryCount } = header;
    return (
      entryCount === 0 && this.#consensus.preview(creator, parents, timeMs).newWitnessCreators.length === 0
    );
  }

  /** For each seat the rounds in which its witness came in time, as far as the order goes (consensus 5.11). */
  timely(): number[] {
    return this.#consensus.timely();
  }

  /** Vertices that are not ordered, by position: at the seal they are dropped. */
  unordered(): PlacedVertex[] {
    return [...this.#unordered.values()].map((inserted) => ({
      inserted,
      isVoid: false,
      round: this.roundOf(inserted.vertex.id)!,
    }));
  }

  /** Lamport number of a vertex with these parents. */
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
      isAnswering: input.isAnswering,
      fill: this.vertexCount / maxVertices(epoch),
      get causes() {
        return input.causes;
      },
      preview: (parents, timeMs) => consensus.preview(seat, parents, timeMs),
      leadersOf: (round) => consensus.leadersOf(round),
      newestRound: (of) => this.#newestRound(of),
      followedRound: () => this.#followedRound(),
      isAfterWork: (of) => this.#frontier.isAfterWork(of),
      nextWriter: () => this.#writers.next,
      seats: this.#voters,
      isQuorum: (of) => isQuorumOf(epoch, of),
      quorumWitnesses: (round) => consensus.quorumWitnesses(round),
    };
  }

  #followedRound(): number | undefined {
    const { oldestWork } = this.#frontier;
    return followedRound(oldestWork && this.#consensus.explain(oldestWork));
  }

  #newestRound(seat: number): number | undefined {
    const newest = this.#frontier.isCheater(seat) ? undefined : this.#frontier.newest(seat);
    return newest && this.roundOf(newest);
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
