// Watches for seats that fork. A fork that no honest vertex stands on is never ordered, so whoever saw both vertices packs
// their headers as a proof (consensus 5.7).
// Keeps: local; a node packs one proof against a seat in an epoch, and none where there is nothing left to exclude.

import type { State } from '../core/state.ts';
import { encodeEquivocation } from '../wire/equivocation.ts';
import { OBSERVER, type Ordering } from './ordering.ts';
import { isExcludable } from './proof-judge.ts';

/** Vertices of a running epoch by their position in it, those of the batch at hand included. */
export interface VertexLookup {
  vertexAt(epoch: number, position: number): Uint8Array | undefined;
}

export class ForkWatch {
  /** Epoch and seat. */
  readonly #packed = new Set<string>();

  constructor(
    private readonly ordering: Ordering,
    private readonly vertices: VertexLookup,
    private readonly state: State,
  ) {}

  /** Offers what is to be packed. After a restart that may be a proof which was packed before. */
  offerProofs(): void {
    const { seat: own, dag, epoch } = this.ordering;
    if (own === OBSERVER) return;
    for (const [seat, places] of dag.forks) {
      const name = `${epoch.number}:${seat}`;
      if (seat === own || this.#packed.has(name) || !isExcludable(this.state, seat)) continue;
      this.#packed.add(name);
      const [one, other] = places.map((place) => this.vertices.vertexAt(epoch.number, place)!);
      this.ordering.offer([{ bytes: encodeEquivocation(one!, other!), input: undefined }]);
    }
  }
}
