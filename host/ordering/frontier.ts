// The part of the running epoch's DAG that is not ordered yet, as the emission policy needs it: the
// newest vertex of each seat, what this seat has already taken up, what is unfinished, who has forked.
// Keeps: memory follows the unordered part, not the epoch. All of it is local policy: it may differ
// between nodes and never decides validity or order.

import type { DagVertex } from '../core/consensus.ts';
import { toHex } from '../wire/bytes.ts';
import type { ParentHead } from './emission.ts';

interface Node {
  key: string;
  vertex: Pick<DagVertex, 'id' | 'creator' | 'seq' | 'lamport' | 'timeMs' | 'work'>;
  /** Unordered parents; dropped once the vertex is ordered, for its ancestors are ordered too. */
  parents: readonly Node[];
  isOrdered: boolean;
  /** In the past of the own head. */
  isInOwnPast: boolean;
  arrival: number;
  /** Last walk that came by. */
  walk: number;
}

// A head that would bring more unseen vertices of proven cheaters than this is not taken as a parent while there is another:
// K_max bounds a branch, only this bounds how many branches honest vertices pull in. consensus 5.12. When there is no other
// it is taken all the same: an honest seat may have stood on one branch for long before anybody saw the second, and
// without it there may be no quorum ever again.
const MAX_CHEATER_VERTICES = 48;

export class Frontier {
  private readonly unordered = new Map<string, Node>();
  private readonly heads = new Map<number, Node>();
  private readonly headKeys = new Map<string, Node>();
  private readonly cheaters = new Set<number>();
  /** Vertices without a child here. Some are never ordered, none is old: a leader's block takes all below it. */
  private readonly childless = new Map<string, Uint8Array>();
  private ownNode: Node | undefined;
  private unorderedWork = 0;
  private arrivals = 0;
  private walks = 0;

  /** A vertex that the core has inserted, parents before children. `isOwn`: made by this node. */
  add(vertex: DagVertex, isOwn: boolean): void {
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
    const head = this.heads.get(creator);
    // A chain comes in order, so a sequence number that is not new is a second branch.
    if (head && seq <= head.vertex.seq) this.cheaters.add(creator);
    else this.setHead(creator, node);
    if (isOwn) this.setOwn(node);
  }

  /** The own head is a vertex that is known already: after a restart. */
  resumeOwn(id: Uint8Array): void {
    const node = this.find(toHex(id));
    if (node) this.setOwn(node);
  }

  /** These vertices stand in a block now. */
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

  /** Lamport number of a vertex that may be a parent. Throws for one that is no head and was ordered. */
  lamportOf(id: Uint8Array): number {
    const node = this.find(toHex(id));
    if (!node) throw new Error(`vertex ${toHex(id)} is no head of the running epoch`);
    return node.vertex.lamport;
  }

  /** Ids of the vertices without a known child. */
  tips(): Uint8Array[] {
    return [...this.childless.values()];
  }

  isCheater(seat: number): boolean {
    return this.cheaters.has(seat);
  }

  /** Heads of other seats that may become parents and are not taken yet, longest waiting first. */
  choosable(ownSeat: number): ParentHead[] {
    const nodes = this.choosableNodes(ownSeat).sort((a, b) => a.arrival - b.arrival);
    return nodes.map((node) => ({ id: node.vertex.id, creator: node.vertex.creator }));
  }

  private choosableNodes(ownSeat: number): Node[] {
    const nodes: Node[] = [];
    for (const [creator, node] of this.heads) {
      if (creator !== ownSeat && !node.isInOwnPast && !this.cheaters.has(creator)) nodes.push(node);
    }
    if (this.cheaters.size === 0) return nodes;
    const few = nodes.filter((node) => this.cheaterVertices(node) <= MAX_CHEATER_VERTICES);
    return few.length > 0 ? few : nodes;
  }

  /** Is a `work` vertex under the own head or a choosable one not ordered yet. */
  hasUnfinishedWork(ownSeat: number): boolean {
    if (this.unorderedWork === 0) return false;
    const open = this.choosableNodes(ownSeat);
    if (this.ownNode) open.push(this.ownNode);
    this.walks += 1;
    for (let node = open.pop(); node; node = open.pop()) {
      if (node.isOrdered || node.walk === this.walks) continue;
      if (node.vertex.work) return true;
      node.walk = this.walks;
      for (const parent of node.parents) open.push(parent);
    }
    return false;
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

  private cheaterVertices(head: Node): number {
    const open = [head];
    let count = 0;
    this.walks += 1;
    for (let node = open.pop(); node; node = open.pop()) {
      if (node.isInOwnPast || node.isOrdered || node.walk === this.walks) continue;
      node.walk = this.walks;
      if (this.cheaters.has(node.vertex.creator)) count += 1;
      for (const parent of node.parents) open.push(parent);
    }
    return count;
  }
}
