// Deadlines of open items: a last count of the votes, then decided or expired (DECISIONS 1.4, 7.3).
// Keeps: they fire in order of (deadline, event id), before the transactions of the position.

import { SETTLED_EXPIRED, SETTLED_REJECTED, SETTLED_VERIFIED } from '../abi';
import { hasRoom } from '../io/output';
import { topDeadlineSecs, topRow } from '../lib/deadline-heap';
import { closeItem, closingBytes } from './close';
import { deadlines, Item, itemAt } from './items';
import { countVotes, isApproved, isRejected } from './quorum';

function fire(item: Item, nowSecs: u64): void {
  countVotes(item, nowSecs);
  let reason = SETTLED_EXPIRED;
  if (isApproved()) reason = SETTLED_VERIFIED;
  else if (isRejected()) reason = SETTLED_REJECTED;
  closeItem(item, reason, nowSecs);
}

/** Fires what is due. False when the out buffer filled up before all was fired: call again after draining. */
export function fireDeadlines(nowSecs: u64): bool {
  const heap = deadlines();
  while (heap.count > 0 && topDeadlineSecs(heap) <= nowSecs) {
    const item = itemAt(topRow(heap));
    if (!hasRoom(closingBytes(item.voteCount))) return false;
    fire(item, nowSecs);
  }
  return true;
}
