// Which seats resume with a block, and whether so many have in the epoch that acknowledged writes may be lost (consensus 5.7).
// Keeps: a function of the blocks of the epoch so far; each of them is passed here once, in order.

import { incarnationOf, isResumption } from '../wire/seq.ts';
import type { Resumption } from './block.ts';
import type { DagBlock } from './dag.ts';
import type { Epoch, EpochRun } from './epoch.ts';

/** Effective resumptions of the next block, in ascending order of seats; of each seat the last one. */
export function resumptionsOf({ vertices }: DagBlock, epoch: Epoch, run: EpochRun): Resumption[] {
  const incarnations = new Map<number, number>();
  for (const { inserted, isVoid } of vertices) {
    const { creator, seq } = inserted.vertex.header;
    if (!isVoid && isResumption(seq)) incarnations.set(creator, incarnationOf(seq));
  }
  if (incarnations.size === 0) return [];
  const mayLoseWrites = run.addResumed(incarnations.keys());
  return [...incarnations]
    .sort(([a], [b]) => a - b)
    .map(([seat, incarnation]) => ({ seat, incarnation, epoch: epoch.number, mayLoseWrites }));
}
