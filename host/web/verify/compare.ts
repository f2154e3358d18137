// Compares the balance that the node reports with the one that this browser computed.
// Keeps: only two balances at the same order number can contradict each other; a node that has moved on is not wrong.

import type { CheckedAgent } from './worker-messages.ts';

export interface Reported {
  balance: number;
  staked: number;
  /** Order number at which the node reported it. */
  order: number;
}

export type Comparison = 'equal' | 'different' | 'moved_on' | 'unknown';

export function compare(reported: Reported, checked: CheckedAgent | undefined): Comparison {
  if (!checked) return reported.order > 0 ? 'unknown' : 'equal';
  if (reported.balance === checked.balance && reported.staked === checked.staked) return 'equal';
  return reported.order === checked.order ? 'different' : 'moved_on';
}
