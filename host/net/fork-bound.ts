// How many forks of a seat may come in during an epoch, counted over the DAG and the inbox; beyond it only those that other
// seats build on (consensus 5.12).
// Keeps: only vertices with a good signature count.

import { MAX_INCARNATIONS } from '../ordering/seat-numbers.ts';
import { isResumption } from '../wire/seq.ts';
import type { VertexHeader } from '../wire/vertex.ts';
import { ForkCounts, type ForkKind } from './fork-counts.ts';
import type { Bound } from './sender-load.ts';

/** Of one seat. This many of 33 seats of a hundred fit one round of the DAG, and memory. */
const MAX_FORKS: Bound = { count: 256, bytes: 16 * 1024 * 1024 };

/** What the DAG has of a seat. */
export interface AdmittedForks {
  /** Highest admitted seq of a seat, its admitted incarnations and forks, and whether two of its vertices have one seq. */
  admittedBy(seat: number): { newest: number; incarnations: number; forks: Bound; isCheater: boolean };
  /** Was a vertex of this seat with this seq admitted. */
  hasSeq(seat: number, seq: number): boolean;
}

export class ForkBound {
  /** Of the inbox. */
  readonly #counts = new ForkCounts();

  constructor(private readonly admitted: AdmittedForks) {}

  kindOf(header: VertexHeader): ForkKind {
    const { creator, seq } = header;
    if (this.admitted.hasSeq(creator, seq) || this.#counts.has(header)) return 'repeated';
    const { newest, incarnations } = this.admitted.admittedBy(creator);
    if (seq <= newest) return 'late';
    const isFurther = incarnations + this.#counts.resumptionsOf(creator) >= MAX_INCARNATIONS;
    return isResumption(seq) && isFurther ? 'late' : 'none';
  }

  /** Is this a fork for which its seat has no room. */
  isExceededBy(header: VertexHeader): boolean {
    const { creator } = header;
    const loads = [this.admitted.admittedBy(creator).forks, this.#counts.of(creator)] as const;
    const isFull = (unit: keyof Bound): boolean => loads[0][unit] + loads[1][unit] >= MAX_FORKS[unit];
    return (isFull('count') || isFull('bytes')) && this.kindOf(header) !== 'none';
  }

  /** Are two vertices of the seat with one number in the inbox, or in the DAG, both with good signatures. */
  isCheater(seat: number): boolean {
    return this.admitted.admittedBy(seat).isCheater || this.#counts.repeatsOf(seat) > 0;
  }

  add(header: VertexHeader, kind: ForkKind, bytes: number): void {
    this.#counts.add(header, kind, bytes);
  }

  remove(header: VertexHeader, kind: ForkKind, bytes: number): void {
    this.#counts.remove(header, kind, bytes);
  }

  clear(): void {
    this.#counts.clear();
  }
}
