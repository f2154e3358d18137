// Answers about open items: look-up, fields with votes, and a listing of all.
// Keeps: read only; all weights are current, so those of the votes add up to those of the item.

import {
  COMMITTED_BYTES,
  COMMITTED_HASH,
  COMMITTED_TIME,
  COMMITTED_VALIDATOR,
  ITEM_AGENT,
  ITEM_AMOUNT,
  ITEM_APPROVE,
  ITEM_ASSIGNED,
  ITEM_ASSIGNED_COUNT,
  ITEM_COMMITTED,
  ITEM_CREATED,
  ITEM_DEADLINE,
  ITEM_DISPUTE,
  ITEM_JUDGES,
  ITEM_KIND,
  ITEM_PARTICIPANTS,
  ITEM_RECIPIENT,
  ITEM_REJECT,
  ITEM_STAGE,
  ITEM_TOTAL,
  ITEM_VOTERS,
  ITEM_VOTES,
  VOTES_COMMITTED,
  VOTES_REVEALED,
} from '../abi';
import { copy32 } from '../lib/bytes';
import { writeCommitment } from '../settlement/commitments';
import {
  assignedOf,
  eventIdOfItem,
  findItem,
  Item,
  itemAt,
  itemRowsUsed,
  MAX_ASSIGNED,
} from '../settlement/items';
import { countVotes, tally, writeVoters } from '../settlement/quorum';
import { isSealed, voteAt, voterOf } from '../settlement/votes';
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

function stageOf(item: Item): u32 {
  if (item.kind != ITEM_DISPUTE || item.isClosed != 0) return 0;
  return item.isRevealing != 0 ? VOTES_REVEALED : VOTES_COMMITTED;
}

// The votes that are committed and not revealed, COMMITTED_BYTES each; returns the address after them.
function writeCommitments(to: usize, item: Item): usize {
  for (let link = item.voteHead; link != 0; link = voteAt(link - 1).next) {
    const vote = voteAt(link - 1);
    if (!isSealed(vote)) continue;
    store<u32>(to, voterOf(vote), COMMITTED_VALIDATOR);
    store<u32>(to, 0, 4);
    store<u64>(to, vote.castSecs, COMMITTED_TIME);
    writeCommitment(to + COMMITTED_HASH, vote);
    to += COMMITTED_BYTES;
  }
  return to;
}

/** QUERY_ITEM: fields ITEM_* of abi.ts, then the votes, then the commitments. O(active validators). */
export function answerItem(row: u32): i32 {
  if (row >= itemRowsUsed() || itemAt(row).kind == 0) return -1;
  const item = itemAt(row);
  const secs = nowSecs();
  const out = root().output;
  countVotes(item, secs);
  copy32(out, eventIdOfItem(item));
  store<u32>(out, item.kind, ITEM_KIND);
  store<u32>(out, item.agent, ITEM_AGENT);
  store<u32>(out, item.recipient, ITEM_RECIPIENT);
  store<u64>(out, item.amount, ITEM_AMOUNT);
  store<u64>(out, item.deadlineSecs, ITEM_DEADLINE);
  store<u64>(out, item.createdSecs, ITEM_CREATED);
  store<u64>(out, tally().approveWeight, ITEM_APPROVE);
  store<u64>(out, tally().rejectWeight, ITEM_REJECT);
  store<u64>(out, tally().totalWeight, ITEM_TOTAL);
  store<u64>(out, tally().participants, ITEM_PARTICIPANTS);
  store<u32>(out, item.assignedCount, ITEM_ASSIGNED_COUNT);
  for (let i: usize = 0; i < MAX_ASSIGNED; i++) {
    store<u32>(out + ITEM_ASSIGNED + (i << 2), load<u16>(assignedOf(item) + (i << 1)));
  }
  const commitments = writeVoters(out + ITEM_VOTERS, item, secs);
  const end = writeCommitments(commitments, item);
  const sealed = <u32>((end - commitments) / COMMITTED_BYTES);
  store<u32>(out, item.voteCount - sealed, ITEM_VOTES);
  store<u32>(out, sealed, ITEM_COMMITTED);
  store<u32>(out, stageOf(item), ITEM_STAGE);
  store<u64>(out, tally().judges, ITEM_JUDGES);
  return <i32>(end - out);
}

/** QUERY_ITEMS: rows of open items from a row on, at most `limit`, then the row to continue from. */
export function answerItems(from: u32, limit: u32): i32 {
  const out = root().output;
  const room = min<u32>(limit, OUT_BYTES / 4 - 1);
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
