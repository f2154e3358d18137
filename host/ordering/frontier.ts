// The part of the running epoch's DAG that is not ordered yet, as the emission policy needs it: the newest vertex of each
// seat, what this seat's newest vertex already includes, whether work is unfinished, who has forked.
// Keeps: memory follows the unordered part, not the epoch. All of it is local policy: it may differ between nodes and never
// decides validity or order.

import type { DagVertex } from '../core/consensus.ts';
import { toHex } from '../wire/bytes.ts';
import type { ParentHead } from './emission.ts';
import { MAX_INCARNATIONS, SeatNumbers, type SeqKind } from './seat-numbers.ts';

interface Node {
  key: string;
  vertex: Pick<DagVertex, 'id' | 'creator' | 'seq' | 'lamport' | 'timeMs' | 'work'>;
  /** Unordered parents; dropped once the vertex is ordered, for its ancestors are ordered too. */
  parents: readonly Node[];
  isOrdered: boolean;
  /** The own head or an ancestor of it. */
  isInOwnPast: boolean;
  arrival: number;
  /** Number of the last walk that visited it. */
  walk: number;
}

// A head that would add more unseen vertices than this of seats that are left out is not chosen as a parent while there is another:
// K_max bounds one branch, only this bounds how many branches honest vertices pull in (consensus 5.12). If there is no other,
// it is chosen anyway: an honest seat may have built on one branch long before anybody saw the second, and without that
// seat there may never be a quorum again.
const MAX_CHEATER_VERTICES = 48;

export class Frontier {
  private readonly unordered = new Map<string, Node>();
  private readonly heads = new Map<number, Node>();
  private readonly headKeys = new Map<string, Node>();
  private readonly cheaters = new Set<number>();
  /** Seats with more than MAX_INCARNATIONS. */
  private readonly restless = new Set<number>();
  private readonly numbers = new SeatNumbers();
  /** Vertices without a known child. None is old: a leader's block includes all its ancestors. */
  private readonly childless = new Map<string, Uint8Array>();
  private ownNode: Node | undefined;
  private unorderedWork = 0;
  private arrivals = 0;
  private walks = 0;

  /** `isQuorumWithout`: are the seats of the epoch a quorum without these. */
  constructor(private readonly isQuorumWithout: (seats: ReadonlySet<number>) => boolean) {}

  /** A vertex that the engine has inserted, parents before children. `isOwn`: made by this node. */
  add(vertex: DagVertex, isOwn: boolean): SeqKind {
    const parents: Node[] = [];
    for (const parent of vertex.parents) {
      const known = this.find(toHex(parent));
      if (known) parents.push(known);
    }
    const { id, creator, seq, lamport, timeMs, work } = vertex;
    const isOrdered = false;
    const key = toHex(id);
    const node: Node = {
      key,
      vertex: { id, creator, seq, lamport, timeMs, work },
      parents,
      isOrdered,
      isInOwnPast: false,
      arrival: this.arrivals++,
      walk: 0,
    };
    this.unordered.set(key, node);
    for (const parent of parents) this.childless.delete(parent.key);
    this.childless.set(key, id);
    if (work) this.unorderedWork += 1;
    const kind = this.numbers.add(creator, seq);
    if (kind === 'repeated') this.cheaters.add(creator);
    if (kind === 'newest' || kind === 'further') this.setHead(creator, node);
    if (this.numbers.incarnations(creator) > MAX_INCARNATIONS) this.restless.add(creator);
    if (isOwn && seq > (this.ownNode?.vertex.seq ?? 0)) this.setOwn(node);
    return kind;
  }

  /** After a restart: the own head is this known vertex. */
  resumeOwn(id: Uint8Array): void {
    const node = this.find(toHex(id));
    if (node) this.setOwn(node);
  }

  /** These vertices are in a block now. */
  ordered(ids: Iterable<Uint8Array>): void {
    for (const id of ids) {
      const key = toHex(id);
      const node = this.unordered.get(key);
      if (!node) continue;
      this.unordered.delete(key);
      if (node.vertex.work) this.unorderedWork -= 1;
      node.isOrdered = true;
      node.parents = [];
    }
  }

  get own(): { id: Uint8Array; seq: number; timeMs: number } | undefined {
    return this.ownNode?.vertex;
  }

  /** Lamport number of a vertex that may be a parent. Throws for one that is neither unordered nor a head. */
  lamportOf(id: Uint8Array): number {
    const node = this.find(toHex(id));
    if (!node) throw new Error(`vertex ${toHex(id)} is not a head of the running epoch`);
    return node.vertex.lamport;
  }

  /** Ids of the vertices without a known child. */
  tips(): Uint8Array[] {
    return [...this.childless.values()];
  }

  /** Id of a seat's newest vertex, undefined without any. */
  newest(seat: number): Uint8Array | undefined {
    return this.heads.get(seat)?.vertex.id;
  }

  isCheater(seat: number): boolean {
    return this.cheaters.has(seat);
  }

  /** Was there a vertex with this seq. */
  hasSeq(creator: number, seq: number): boolean {
    return this.numbers.has(creator, seq);
  }

  /** How many incarnations of a seat there are. */
  incarnations(creator: number): number {
    return this.numbers.incarnations(creator);
  }

  /** Heads of other seats that may become parents and are not ancestors of the own head, longest waiting first. */
  choosable(ownSeat: number): ParentHead[] {
    const nodes = this.choosableNodes(ownSeat).sort((a, b) => a.arrival - b.arrival);
    return nodes.map((node) => ({ id: node.vertex.id, creator: node.vertex.creator }));
  }

  private choosableNodes(ownSeat: number): Node[] {
    const nodes: Node[] = [];
    const left = this.leftOut();
    for (const [creator, node] of this.heads) {
      if (creator !== ownSeat && !node.isInOwnPast && !left.has(creator)) nodes.push(node);
    }
    if (left.size === 0) return nodes;
    const few = nodes.filter((node) => this.verticesOf(left, node) <= MAX_CHEATER_VERTICES);
    return few.length > 0 ? few : nodes;
  }

  // Cheaters always; seats that resume all the time while the others can do without them.
  private leftOut(): ReadonlySet<number> {
    if (this.restless.size === 0) return this.cheaters;
    const both = new Set([...this.cheaters, ...this.restless]);
    return this.isQuorumWithout(both) ? both : this.cheaters;
  }

  /** Is the own head, a choosable one or an ancestor of them an unordered `work` vertex. */
  hasUnfinishedWork(ownSeat: number): boolean {
    if (this.unorderedWork === 0) return false;
    const open = this.choosableNodes(ownSeat);
    if (this.ownNode) open.push(this.ownNode);
    return this.unfinishedIn(open) !== undefined;
  }

  /** The first `work` vertex that came of those that are not ordered. */
  get oldestWork(): Uint8Array | undefined {
    return this.oldestWorkNode?.vertex.id;
  }

  private get oldestWorkNode(): Node | undefined {
    if (this.unorderedWork === 0) return undefined;
    for (const node of this.unordered.values()) if (node.vertex.work) return node;
    return undefined;
  }

  /** Did the newest vertex of a seat come after the oldest work. */
  isAfterWork(seat: number): boolean {
    const [head, work] = [this.heads.get(seat), this.oldestWorkNode];
    return head !== undefined && work !== undefined && head.arrival > work.arrival;
  }

  /**
   * Tells, whenever it is called, whether no `work` in the past of what is a seat's newest vertex now is unordered by then. Of a
   * seat that forked nothing is awaited.
   */
  settling(seat: number): () => boolean {
    let head = this.heads.get(seat);
    let unfinished: Node | undefined;
    return () => {
      if (head && !this.cheaters.has(seat) && this.unorderedWork > 0) {
        if (!unfinished || unfinished.isOrdered) unfinished = this.unfinishedIn([head]);
        if (unfinished) return false;
      }
      // Settled for good: no later call walks again.
      head = undefined;
      return true;
    };
  }

  /** Some unordered `work` vertex among these and their ancestors. */
  private unfinishedIn(open: Node[]): Node | undefined {
    this.walks += 1;
    for (let node = open.pop(); node; node = open.pop()) {
      if (node.isOrdered || node.walk === this.walks) continue;
      if (node.vertex.work) return node;
      node.walk = this.walks;
      for (const parent of node.parents) open.push(parent);
    }
    return undefined;
  }

  /** An unordered vertex, or one that is still some seat's newest. */
  private find(key: string): Node | undefined {
    return this.unordered.get(key) ?? this.headKeys.get(key);
  }

  private setHead(creator: number, node: Node): void {
    const before = this.heads.get(creator);
    if (before) this.headKeys.delete(before.key);
    this.heads.set(creator, node);
    this.headKeys.set(node.key, node);
  }

  private setOwn(node: Node): void {
    this.ownNode = node;
    const open = [node];
    for (let next = open.pop(); next; next = open.pop()) {
      if (next.isInOwnPast) continue;
      next.isInOwnPast = true;
      open.push(...next.parents);
    }
  }

  /** How many vertices of these seats a head would bring into the own past. */
  private verticesOf(seats: ReadonlySet<number>, head: Node): number {
    const open = [head];
    let count = 0;
    this.walks += 1;
    for (let node = open.pop(); node; node = open.pop()) {
      if (node.isInOwnPast || node.isOrdered || node.walk === this.walks) continue;
      node.walk = this.walks;
      if (seats.has(node.vertex.creator)) count += 1;
      for (const parent of node.parents) open.push(parent);
    }
    return count;
  }
}
