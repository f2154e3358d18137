// Answers about open items: look-up, fields with votes, and a walk over all.
// Keeps: read only; weights are those of this moment, so the votes shown sum to the weights shown.

import { ITEM_ASSIGNED, ITEM_VOTERS, VOTER_BYTES } from '../abi';
import { copy32 } from '../lib/bytes';
import {
  assignedOf,
  eventIdOfItem,
  findItem,
  Item,
  itemAt,
  itemRowsUsed,
  MOST_ASSIGNED,
} from '../settlement/items';
import { countVotes, tally, weightOn } from '../settlement/quorum';
import { isApproval, voteAt, voterOf } from '../settlement/votes';
import { nowSecs } from '../state/header';
import { OUT_BYTES, root } from '../state/root';

const WALK_END: u32 = 0xffffffff;

/** QUERY_ITEM_FIND; the argument is the address of an event id. */
export function answerItemIndex(eventId: usize): i32 {
  const row = findItem(eventId);
  if (row < 0) return -1;
  store<u64>(root().output, <u64>row);
  return 8;
}

function putVoters(at: usize, item: Item, secs: u64): usize {
  for (let link = item.voteHead; link != 0; link = voteAt(link - 1).next) {
    const vote = voteAt(link - 1);
    store<u32>(at, voterOf(vote));
    store<u32>(at, isApproval(vote) ? 1 : 0, 4);
    store<u64>(at, vote.value, 8);
    store<u64>(at, weightOn(item, voterOf(vote), secs), 16);
    store<u64>(at, vote.castSecs, 24);
    at += VOTER_BYTES;
  }
  return at;
}

/** QUERY_ITEM: fields ITEM_* of abi.ts, then the votes. O(active validators). */
export function answerItem(row: u32): i32 {
  if (row >= itemRowsUsed() || itemAt(row).kind == 0) return -1;
  const item = itemAt(row);
  const secs = nowSecs();
  const out = root().output;
  countVotes(item, secs);
  copy32(out, eventIdOfItem(item));
  store<u32>(out, item.kind, 32);
  store<u32>(out, item.agent, 36);
  store<u32>(out, item.recipient, 40);
  store<u32>(out, item.voteCount, 44);
  store<u64>(out, item.amount, 48);
  store<u64>(out, item.deadlineSecs, 56);
  store<u64>(out, item.createdSecs, 64);
  store<u64>(out, tally().approveWeight, 72);
  store<u64>(out, tally().rejectWeight, 80);
  store<u64>(out, tally().totalWeight, 88);
  store<u64>(out, tally().participants, 96);
  store<u32>(out, item.assignedCount, 104);
  for (let i: usize = 0; i < MOST_ASSIGNED; i++) {
    store<u32>(out + ITEM_ASSIGNED + (i << 2), load<u16>(assignedOf(item) + (i << 1)));
  }
  return <i32>(putVoters(out + ITEM_VOTERS, item, secs) - out);
}

/** QUERY_ITEMS: rows of open items from a row on, at most `most`, then the row to go on from. */
export function answerItems(from: u32, most: u32): i32 {
  const out = root().output;
  const room = min<u32>(most, OUT_BYTES / 4 - 1);
  let count: u32 = 0;
  let row = from;
  for (; row < itemRowsUsed() && count < room; row++) {
    if (itemAt(row).kind == 0) continue;
    store<u32>(out + ((<usize>count) << 2), row);
    count++;
  }
  store<u32>(out + ((<usize>count) << 2), row < itemRowsUsed() ? row : WALK_END);
  return <i32>((count + 1) << 2);
}
