// Vertices on their way into the DAG that are forks: another vertex of their creator has their number (consensus 5.12).
// Keeps: counts what has a good signature only, so that nobody else can use up what a seat may have.

import { Tally } from '../tally.ts';
import type { VertexHeader } from '../wire/vertex.ts';
import type { Bound } from './sender-load.ts';

type Place = Pick<VertexHeader, 'creator' | 'seq'>;

const NONE: Bound = { count: 0, bytes: 0 };
const nameOf = ({ creator, seq }: Place): string => `${creator}:${seq}`;

export class ForkCounts {
  /** Those held, by creator and number. */
  readonly #held = new Tally<string>();
  readonly #forks = new Map<number, Bound>();

  /** Is a vertex with this number held. */
  has(place: Place): boolean {
    return this.#held.of(nameOf(place)) > 0;
  }

  /** Forks of a creator that are held. */
  of(creator: number): Readonly<Bound> {
    return this.#forks.get(creator) ?? NONE;
  }

  /** `forkBytes`: undefined for a vertex that is no fork. */
  add(place: Place, forkBytes: number | undefined): void {
    this.#held.add(nameOf(place));
    if (forkBytes !== undefined) this.#change(place.creator, forkBytes, 1);
  }

  remove(place: Place, forkBytes: number | undefined): void {
    this.#held.remove(nameOf(place));
    if (forkBytes !== undefined) this.#change(place.creator, -forkBytes, -1);
  }

  clear(): void {
    this.#held.clear();
    this.#forks.clear();
  }

  #change(creator: number, moreBytes: number, more: 1 | -1): void {
    const { count, bytes } = this.of(creator);
    this.#forks.set(creator, { count: count + more, bytes: bytes + moreBytes });
  }
}
