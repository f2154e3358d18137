// Deadline of a transfer or generation: a last count of the votes, then decided or expired (DECISIONS 7.3).
// Keeps: nothing of the item is left when it returns.

import { SETTLED_EXPIRED, SETTLED_REJECTED, SETTLED_VERIFIED } from '../abi';
import { closeItem } from './close';
import { Item } from './items';
import { countVotes, isApproved, isRejected } from './quorum';

/** Closes an item whose deadline has come. The caller has seen closingBytes fit. */
export function expireItem(item: Item, nowSecs: u64): void {
  countVotes(item, nowSecs);
  let reason = SETTLED_EXPIRED;
  if (isApproved()) reason = SETTLED_VERIFIED;
  else if (isRejected()) reason = SETTLED_REJECTED;
  closeItem(item, reason, nowSecs);
}
