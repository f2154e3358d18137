// Which block a vertex was ordered in, and which vertex is its last: the elected leader (consensus 5.7).
// Keeps: answers come from the block rows of the log, found by bisection, so no index is stored.
// A node that joined from a checkpoint has no rows of earlier blocks and returns nothing for them.

import { rowKey } from '../store/prefixes.ts';
import { lastOrderOf } from '../wire/block.ts';
import type { Store } from '../world/store.ts';

export interface BlockSpan {
  index: number;
  /** Order number of its last vertex, the leader: all others of the block are its ancestors. */
  lastOrder: number;
}

/** Blocks with the order numbers `first` to `last`, ascending. `newest`: index of the last block of the log. */
export function blocksBetween(store: Store, newest: number, first: number, last: number): BlockSpan[] {
  const spanAt = (index: number): BlockSpan | undefined => {
    const row = store.get(rowKey.block(index));
    return row && { index, lastOrder: lastOrderOf(row) };
  };
  // The first block that does not end before `first`. Missing rows are older than all existing ones.
  let [low, high] = [1, newest];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const span = spanAt(middle);
    if (span && span.lastOrder >= first) high = middle;
    else low = middle + 1;
  }
  const spans: BlockSpan[] = [];
  for (let index = low; index <= newest; index++) {
    const span = spanAt(index);
    if (!span) continue;
    if (span.lastOrder >= first) spans.push(span);
    if (span.lastOrder >= last) break;
  }
  return spans;
}
