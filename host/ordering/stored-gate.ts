// What a store remembers of its seat's gate, under `m:own_vertices` (consensus 5.12, protocol 12.9). Written by the gate,
// and by the operator's command while the node is stopped.

import { rowKey } from '../store/prefixes.ts';
import { readJson, WriteSet } from '../store/write-set.ts';
import type { Store } from '../world/store.ts';
import type { SeatClaim } from './seat-claims.ts';

export interface StoredGate {
  /** First epoch in which vertices may be made again; null: the seat may have lost some, and nothing is decided yet. */
  until: number | null;
  /** The seat has resumed: in this incarnation at least, up to and including epoch `until`. */
  resumed?: { incarnation: number; until: number };
  /** The operator decided that it resumes although no quorum of the others answers. */
  isForced?: true;
  /** What the others had reported when this was written; only while it is held. */
  claims?: readonly SeatClaim[];
}

/** Undefined in a store that is new or was lost. */
export const readGate = (store: Pick<Store, 'get'>): StoredGate | undefined =>
  readJson<StoredGate>(store.get(rowKey.meta('own_vertices')));

export async function writeGate(store: Store, gate: StoredGate): Promise<void> {
  const set = new WriteSet(store);
  set.putJson(rowKey.meta('own_vertices'), gate);
  await store.write(set.ops());
}

/** Does a gate of this form keep the seat from signing in this epoch. */
export const isHeldIn = ({ until }: StoredGate, epoch: number): boolean => until === null || until > epoch;
