// The vertices a node holds of one epoch: known, waiting for parents, tips; and what every block must
// keep, checked as it comes (consensus 8.1 P6).

import type { OrderedBlock } from '../../host/core/consensus.ts';
import { toHex } from '../../host/wire/bytes.ts';
import { incarnationOf } from '../../host/wire/seq.ts';
import type { SimVertex } from './vertex.ts';

const MAX_WAITING = 5000;

export class EpochDag {
  readonly vertices = new Map<string, SimVertex>();
  readonly tips = new Set<string>();
  readonly ordered = new Set<string>();
  /** Newest vertex of each seat, by arrival. */
  readonly newest = new Map<number, string>();
  rounds = 0;
  private readonly waiting = new Map<string, SimVertex>();
  private readonly missing = new Map<string, number>();
  private readonly waiters = new Map<string, string[]>();
  private readonly ready = new Map<string, SimVertex>();
  private readonly effective = new Map<number, string>();
  /** The same vertices in order of insertion, their parents as places in it. */
  private readonly order: SimVertex[] = [];
  private readonly parents: number[][] = [];
  private readonly places = new Map<string, number>();

  constructor(readonly id: string) {}

  /** Takes a vertex for insertion; false when parents are missing and it has to wait. */
  offer(vertex: SimVertex): boolean {
    if (this.vertices.has(vertex.key) || this.ready.has(vertex.key)) return true;
    if (this.waiting.has(vertex.key)) return false;
    const open = vertex.parentKeys.filter((key) => !this.vertices.has(key) && !this.ready.has(key));
    if (open.length === 0) {
      this.makeReady(vertex);
      return true;
    }
    if (this.waiting.size >= MAX_WAITING) return false;
    this.waiting.set(vertex.key, vertex);
    this.missing.set(vertex.key, open.length);
    for (const key of open) this.waiters.set(key, [...(this.waiters.get(key) ?? []), vertex.key]);
    return false;
  }

  private makeReady(vertex: SimVertex): void {
    const open = [vertex];
    for (let next = open.shift(); next; next = open.shift()) {
      this.ready.set(next.key, next);
      for (const key of this.waiters.get(next.key) ?? []) {
        const left = this.missing.get(key)! - 1;
        this.missing.set(key, left);
        if (left > 0) continue;
        open.push(this.waiting.get(key)!);
        this.waiting.delete(key);
        this.missing.delete(key);
      }
      this.waiters.delete(next.key);
    }
  }

  /** Vertices whose parents are all known, parents first. */
  takeReady(): SimVertex[] {
    const ready = [...this.ready.values()].filter((vertex) => !this.vertices.has(vertex.key));
    this.ready.clear();
    return ready;
  }

  /** A vertex that the engine has inserted. */
  add(vertex: SimVertex): void {
    this.vertices.set(vertex.key, vertex);
    this.tips.add(vertex.key);
    this.newest.set(vertex.dag.creator, vertex.key);
    this.places.set(vertex.key, this.order.length);
    this.order.push(vertex);
    this.parents.push(vertex.parentKeys.map((key) => this.places.get(key)!));
    for (const key of vertex.parentKeys) this.tips.delete(key);
  }

  /**
   * What to name in a request for the rest. Tips alone would not do: over a tip of its own that the
   * peer dropped because it has sealed already, a node that lags would look as if it knew nothing.
   */
  known(): string[] {
    return [...new Set([...this.tips, ...this.newest.values()])];
  }

  /** What a peer with these tips lacks, parents first. `isBehind`: it knows a tip that is unknown here. */
  missingAbove(tips: readonly string[], limit: number): { missing: SimVertex[]; isBehind: boolean } {
    const isBehind = tips.some((tip) => !this.vertices.has(tip));
    const named = new Set(tips);
    if ([...this.tips].every((tip) => named.has(tip))) return { missing: [], isBehind };
    const theirs = new Uint8Array(this.order.length);
    for (const tip of tips) {
      const place = this.places.get(tip);
      if (place !== undefined) theirs[place] = 1;
    }
    // Children stand above their parents, so one walk downwards marks every ancestor.
    for (let place = this.order.length - 1; place >= 0; place--) {
      if (theirs[place] === 1) for (const parent of this.parents[place]!) theirs[parent] = 1;
    }
    const missing: SimVertex[] = [];
    for (let place = 0; place < this.order.length && missing.length < limit; place++) {
      if (theirs[place] === 0) missing.push(this.order[place]!);
    }
    return { missing, isBehind };
  }

  /** Throws unless parents come first, nothing comes twice, and effective vertices form one chain. */
  checkBlock(block: OrderedBlock): void {
    for (const { id, creator, isVoid } of block.vertices) {
      const key = toHex(id);
      const vertex = this.vertices.get(key);
      if (!vertex) throw new Error('a block holds an unknown vertex');
      if (this.ordered.has(key)) throw new Error('a vertex is ordered twice');
      if (vertex.parentKeys.some((parent) => !this.ordered.has(parent))) {
        throw new Error('a vertex is ordered before its parent');
      }
      this.ordered.add(key);
      const isNext = this.follows(vertex, this.effective.get(creator));
      if (isNext === isVoid) throw new Error('effective vertices of a seat are not one chain');
      if (isNext) this.effective.set(creator, key);
    }
  }

  /** Is it the next of the newest effective one, or of a higher incarnation. */
  private follows({ dag: { creator, seq }, parentKeys }: SimVertex, head: string | undefined): boolean {
    const [first] = parentKeys;
    const self = first !== undefined && this.vertices.get(first)!.dag.creator === creator ? first : undefined;
    if (head === self) return true;
    return head !== undefined && incarnationOf(seq) > incarnationOf(this.vertices.get(head)!.dag.seq);
  }

  /** After a restart from an image: the newest effective vertex of each seat, from what is ordered. */
  resumeChains(isVoid: (vertex: SimVertex) => boolean): void {
    const seqs = new Map<number, number>();
    for (const key of this.ordered) {
      const vertex = this.vertices.get(key)!;
      const { creator, seq } = vertex.dag;
      if (isVoid(vertex) || seq < (seqs.get(creator) ?? 0)) continue;
      seqs.set(creator, seq);
      this.effective.set(creator, key);
    }
  }
}
