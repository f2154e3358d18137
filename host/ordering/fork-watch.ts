// Reports seats that fork. A fork on which no honest vertex builds is never ordered, so a node that has both vertices packs
// their headers as a proof (consensus 5.7).
// Keeps: local policy; at most one proof against a seat in an epoch, and none against a seat that is already excluded.

import type { State } from '../core/state.ts';
import { encodeEquivocation } from '../wire/equivocation.ts';
import { OBSERVER, type Ordering } from './ordering.ts';
import { isExcludable } from './proof-judge.ts';

/** Vertices of the running epoch by position, those of the unwritten batch included. */
export interface VertexLookup {
  vertexAt(epoch: number, position: number): Uint8Array | undefined;
}

export class ForkWatch {
  /** `epoch:seat` of the proofs packed since the start. */
  readonly #packed = new Set<string>();

  constructor(
    private readonly ordering: Ordering,
    private readonly vertices: VertexLookup,
    private readonly state: State,
  ) {}

  /** Offers new proofs to the ordering. After a restart one may be packed again. */
  offerProofs(): void {
    const { seat: own, dag, epoch } = this.ordering;
    if (own === OBSERVER) return;
    for (const [seat, positions] of dag.forks) {
      const name = `${epoch.number}:${seat}`;
      if (seat === own || this.#packed.has(name) || !isExcludable(this.state, seat)) continue;
      this.#packed.add(name);
      const [one, other] = positions.map((position) => this.vertices.vertexAt(epoch.number, position)!);
      this.ordering.offer([{ bytes: encodeEquivocation(one!, other!), input: undefined }]);
    }
  }
}
