// What executed vertices were good for, by seat: it decides how much more a node takes in of the seat (consensus 5.12).
// Keeps: only bytes are counted; never decides validity or order.

import * as abi from '../../assembly/abi.ts';
import type { TxOutcome } from '../core/outcomes.ts';
import { decodeEquivocation } from '../wire/equivocation.ts';
import type { BlockInput } from './block.ts';
import type { DagBlock } from './dag.ts';

export interface PayloadUse {
  /** Executed well. */
  usefulBytes: number;
  /** No request at all, badly signed, or void; without what was found to be junk on arrival. */
  junkBytes: number;
  /** Refused, or executed before. */
  wasteBytes: number;
  /** Suspected on arrival, since the agent was not known, and no junk after all. */
  clearedBytes: number;
  /** Vertices without entries that brought no witness that their seat did not have. */
  idleBytes: number;
}

const NOTHING: PayloadUse = { usefulBytes: 0, junkBytes: 0, wasteBytes: 0, clearedBytes: 0, idleBytes: 0 };

/** What an entry, or an empty vertex, counts for at least: its signature is checked, and it has an outcome or a place. */
export const MIN_ENTRY_BYTES = 256;

export const entryCost = (bytes: Uint8Array): number => Math.max(MIN_ENTRY_BYTES, bytes.length);

/** Adds what a block used to the sums of its seats. */
export function addUses(
  sums: Map<number, PayloadUse>,
  block: BlockInput,
  ordered: DagBlock,
  outcomes: readonly TxOutcome[],
): void {
  const executed = new Set<number>();
  for (const { code, order, index } of outcomes) if (code === abi.OK) executed.add(nameOf(order, index));
  ordered.vertices.forEach(({ inserted, isVoid, isIdle }, at) => {
    const { header, entries } = inserted.vertex;
    if (header.entryCount === 0 && !isIdle) return;
    const use = sums.get(header.creator) ?? { ...NOTHING };
    sums.set(header.creator, use);
    if (isIdle) use.idleBytes += entryCost(inserted.bytes);
    const { order, entries: inputs } = block.vertices[at]!;
    entries.forEach((bytes, i) => {
      const cost = entryCost(bytes);
      const verdict = inserted.proofAt?.(i)?.verdict;
      const isUseful = executed.has(nameOf(order, i)) || inputs[i]?.proven !== undefined;
      const isWaste = inputs[i]?.parsed || verdict === 'good' || decodeEquivocation(bytes);
      if (isUseful) use.usefulBytes += cost;
      else if (!isVoid && isWaste) use.wasteBytes += cost;
      else if (verdict !== 'bad') use.junkBytes += cost;
      if (verdict === 'unknown' && (isUseful || isWaste)) use.clearedBytes += cost;
    });
  });
}

// An order number has at most 2048 entries below it that this node would pack, 65,535 in all.
const nameOf = (order: number, index: number): number => order * 65_536 + index;
