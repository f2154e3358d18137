// Which numbers of its vertices each seat has used in the running epoch, as this node has seen them (consensus 5.1, 5.12).
// Keeps: vertices of one incarnation arrive in order of their numbers, since each has the one before it as a parent; so the
// newest number of each incarnation says all. Local policy: it never decides validity or order.

import { incarnationOf, isResumption } from '../wire/seq.ts';

/** Of a seat with more in an epoch, honest vertices need not include what it makes: each one is a branch of its own. */
export const MAX_INCARNATIONS = 4;

/**
 * `newest`: above all others of its seat; `further`: it also begins an incarnation beyond MAX_INCARNATIONS. `late`: of an older
 * incarnation, with a seq that is new here; a seat that resumed had lost it. `repeated`: there is another vertex with this
 * seq, which proves an equivocation.
 */
export type SeqKind = 'newest' | 'further' | 'late' | 'repeated';

export class SeatNumbers {
  /** Seat -> incarnation -> newest seq in it. */
  readonly #newest = new Map<number, Map<number, number>>();

  /** Notes a vertex; its self-parent was noted before. */
  add(creator: number, seq: number): SeqKind {
    const incarnations = this.#newest.get(creator) ?? new Map<number, number>();
    this.#newest.set(creator, incarnations);
    const incarnation = incarnationOf(seq);
    const newest = incarnations.get(incarnation);
    if (newest !== undefined && seq <= newest) return 'repeated';
    let isLate = false;
    for (const other of incarnations.keys()) isLate ||= other > incarnation;
    incarnations.set(incarnation, seq);
    if (isLate) return 'late';
    return isResumption(seq) && incarnations.size > MAX_INCARNATIONS ? 'further' : 'newest';
  }

  /** Was there a vertex with this seq. */
  has(creator: number, seq: number): boolean {
    return seq <= (this.#newest.get(creator)?.get(incarnationOf(seq)) ?? 0);
  }

  /** How many incarnations of a seat were seen. */
  incarnations(creator: number): number {
    return this.#newest.get(creator)?.size ?? 0;
  }
}
