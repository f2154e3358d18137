// Vertices on their way into the DAG that are forks: another vertex of their creator has their number (CONSENSUS 5.12).
// Keeps: counts what has a good signature only, so that nobody else can use up what a seat may have.

import type { VertexHeader } from '../wire/vertex.ts';
import type { Bound } from './sender-load.ts';

type Place = Pick<VertexHeader, 'creator' | 'seq'>;

const NONE: Bound = { count: 0, bytes: 0 };
const nameOf = ({ creator, seq }: Place): string => `${creator}:${seq}`;

export class ForkLoad {
  /** Creator and number -> how many are held. */
  readonly #held = new Map<string, number>();
  readonly #forks = new Map<number, Bound>();

  /** Is a vertex with this number held. */
  has(place: Place): boolean {
    return this.#held.has(nameOf(place));
  }

  /** Forks of a creator that are held. */
  of(creator: number): Readonly<Bound> {
    return this.#forks.get(creator) ?? NONE;
  }

  /** `forkBytes`: undefined for a vertex that is no fork. */
  add(place: Place, forkBytes: number | undefined): void {
    this.#change(place, forkBytes, 1);
  }

  remove(place: Place, forkBytes: number | undefined): void {
    this.#change(place, forkBytes, -1);
  }

  clear(): void {
    this.#held.clear();
    this.#forks.clear();
  }

  #change(place: Place, forkBytes: number | undefined, by: 1 | -1): void {
    const name = nameOf(place);
    const held = (this.#held.get(name) ?? 0) + by;
    if (held === 0) this.#held.delete(name);
    else this.#held.set(name, held);
    if (forkBytes === undefined) return;
    const { count, bytes } = this.of(place.creator);
    this.#forks.set(place.creator, { count: count + by, bytes: bytes + by * forkBytes });
  }
}
