// The node's word on a balance beside what this browser worked out.
// Keeps: only two statements about the same order can contradict each other; a node that has moved on does not lie.

import type { CheckedAgent } from '../verify-link.ts';

export interface Told {
  balance: number;
  staked: number;
  /** Order at which the node said so. */
  order: number;
}

export type Comparison = 'equal' | 'different' | 'moved_on' | 'unknown';

export function compare(told: Told, checked: CheckedAgent | undefined): Comparison {
  if (!checked) return told.order > 0 ? 'unknown' : 'equal';
  if (told.balance === checked.balance && told.staked === checked.staked) return 'equal';
  return told.order === checked.order ? 'different' : 'moved_on';
}
