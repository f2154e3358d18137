// Counts the forks among the vertices of the inbox: those that repeat a seq of their creator (consensus 5.12).
// Keeps: only vertices with a good signature count, so nobody else can use up what a seat may have.

import { Tally } from '../tally.ts';
import type { VertexHeader } from '../wire/vertex.ts';
import type { Bound } from './sender-load.ts';

type SeqOf = Pick<VertexHeader, 'creator' | 'seq'>;

const NONE: Bound = { count: 0, bytes: 0 };
const nameOf = ({ creator, seq }: SeqOf): string => `${creator}:${seq}`;

export class ForkCounts {
  /** Vertices by creator and seq. */
  readonly #seqs = new Tally<string>();
  readonly #forks = new Map<number, Bound>();

  /** Is there a vertex with this creator and seq. */
  has(header: SeqOf): boolean {
    return this.#seqs.of(nameOf(header)) > 0;
  }

  /** Forks of a creator. */
  of(creator: number): Readonly<Bound> {
    return this.#forks.get(creator) ?? NONE;
  }

  /** `forkBytes`: undefined for a vertex that is not a fork. */
  add(header: SeqOf, forkBytes: number | undefined): void {
    this.#seqs.add(nameOf(header));
    if (forkBytes !== undefined) this.#change(header.creator, forkBytes, 1);
  }

  remove(header: SeqOf, forkBytes: number | undefined): void {
    this.#seqs.remove(nameOf(header));
    if (forkBytes !== undefined) this.#change(header.creator, -forkBytes, -1);
  }

  clear(): void {
    this.#seqs.clear();
    this.#forks.clear();
  }

  #change(creator: number, moreBytes: number, more: 1 | -1): void {
    const { count, bytes } = this.of(creator);
    this.#forks.set(creator, { count: count + more, bytes: bytes + moreBytes });
  }
}
