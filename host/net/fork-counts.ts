// Counts the forks among the vertices of the inbox: those that repeat a seq of their creator, those of an incarnation that is
// older than its newest, and those that begin one more than others need to build on (consensus 5.12).
// Keeps: only vertices with a good signature count, so nobody else can use up what a seat may have.

import { Tally } from '../tally.ts';
import { isResumption } from '../wire/seq.ts';
import type { VertexHeader } from '../wire/vertex.ts';
import type { Bound } from './sender-load.ts';

type SeqOf = Pick<VertexHeader, 'creator' | 'seq'>;

/**
 * `late`: of an older incarnation, with a seq of its own, or the first of one incarnation too many: no cheat, and yet a branch that
 * somebody has to vouch for.
 */
export type ForkKind = 'none' | 'late' | 'repeated';

const NONE: Bound = { count: 0, bytes: 0 };
const nameOf = ({ creator, seq }: SeqOf): string => `${creator}:${seq}`;

export class ForkCounts {
  /** Vertices by creator and seq. */
  readonly #seqs = new Tally<string>();
  readonly #forks = new Map<number, Bound>();
  readonly #repeats = new Tally<number>();
  readonly #resumptions = new Tally<number>();

  /** Is there a vertex with this creator and seq. */
  has(header: SeqOf): boolean {
    return this.#seqs.of(nameOf(header)) > 0;
  }

  /** Forks of a creator. */
  of(creator: number): Readonly<Bound> {
    return this.#forks.get(creator) ?? NONE;
  }

  /** Those of them that repeat a seq. */
  repeatsOf(creator: number): number {
    return this.#repeats.of(creator);
  }

  /** How many incarnations of a creator begin here. */
  resumptionsOf(creator: number): number {
    return this.#resumptions.of(creator);
  }

  add(header: SeqOf, kind: ForkKind, bytes: number): void {
    this.#seqs.add(nameOf(header));
    if (kind !== 'none') this.#change(header.creator, bytes, 1);
    if (kind === 'repeated') this.#repeats.add(header.creator);
    if (isResumption(header.seq)) this.#resumptions.add(header.creator);
  }

  remove(header: SeqOf, kind: ForkKind, bytes: number): void {
    this.#seqs.remove(nameOf(header));
    if (kind !== 'none') this.#change(header.creator, -bytes, -1);
    if (kind === 'repeated') this.#repeats.remove(header.creator);
    if (isResumption(header.seq)) this.#resumptions.remove(header.creator);
  }

  clear(): void {
    this.#seqs.clear();
    this.#forks.clear();
    this.#repeats.clear();
    this.#resumptions.clear();
  }

  #change(creator: number, moreBytes: number, more: 1 | -1): void {
    const { count, bytes } = this.of(creator);
    this.#forks.set(creator, { count: count + more, bytes: bytes + moreBytes });
  }
}
