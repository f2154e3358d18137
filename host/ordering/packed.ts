// A transaction that this node packs into its vertices, and its outcome.

import type { TxOutcome } from '../core/outcomes.ts';
import { MAX_PAYLOAD_BYTES } from '../wire/vertex.ts';
import type { BlockInput, EntryInput } from './block.ts';
import type { DagBlock, PlacedVertex } from './dag.ts';

/** Entries in one vertex: bounded so that a batch takes a few milliseconds. */
const MAX_VERTEX_ENTRIES = 2048;

/** An encoded entry that waits for a vertex, or for its vertex to be ordered. */
export interface Packed {
  bytes: Uint8Array;
  /** As admission parsed it; undefined after a restart, then it is read when its block is executed. */
  input: EntryInput | undefined;
}

/** A transaction that was packed here and executed. */
export interface Done {
  packed: Packed;
  outcome: TxOutcome;
  timeSecs: number;
}

/** The transactions of a block that were packed here, with their outcomes. */
export function doneOf(block: BlockInput, { vertices }: DagBlock, outcomes: readonly TxOutcome[]): Done[] {
  const timeSecs = Math.floor(block.timeMs / 1000);
  const first = block.vertices[0]!.order;
  return outcomes.flatMap((outcome) => {
    const packed = vertices[outcome.order - first]!.inserted.packed?.[outcome.index];
    return packed ? [{ packed, outcome, timeSecs }] : [];
  });
}

/** How many of these, oldest first, fit one vertex; at least one, if there are any. */
export function countThatFits(waiting: readonly Packed[]): number {
  let count = 0;
  let bytes = 0;
  while (count < waiting.length && count < MAX_VERTEX_ENTRIES) {
    bytes += 4 + waiting[count]!.bytes.length;
    if (bytes > MAX_PAYLOAD_BYTES && count > 0) break;
    count++;
  }
  return count;
}

/** What of a dead vertex its own seat packs again. */
export function entriesToRepack({ inserted }: PlacedVertex, seat: number): readonly Packed[] {
  if (inserted.vertex.header.creator !== seat) return [];
  return inserted.packed ?? inserted.vertex.entries.map((bytes) => ({ bytes, input: undefined }));
}
