// Verdicts on open items, chained in order of voting.
// Keeps: a validator votes once on an item; the chain is given back whole when the item is decided.

import { capacity, Header, header, VOTES } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';
import { giveRow, hasRow, RowStore, takeRow } from '../state/row-store';
import { Item, markItem } from './items';

export const VOTE_ROW_BYTES: u32 = 24;

@unmanaged
export class Vote {
  /** Next vote on the item, row + 1; links free rows as well. */
  next: u32;
  /** Validator index * 2, + 1 for an approval. */
  voter: u32;
  /** Verified value, micro-units; 0 on a rejection. */
  value: u64;
  castSecs: u64;
}

function rows(): RowStore {
  return changetype<RowStore>(changetype<usize>(header()) + offsetof<Header>('votesUsed'));
}

export function voteAt(row: u32): Vote {
  return changetype<Vote>(root().votes + <usize>row * VOTE_ROW_BYTES);
}

export function voterOf(vote: Vote): u32 {
  return vote.voter >> 1;
}

export function isApproval(vote: Vote): bool {
  return (vote.voter & 1) != 0;
}

/** Rows of the table that may hold a vote. */
export function voteRowsUsed(): u32 {
  return rows().used;
}

export function hasVoteRow(): bool {
  return hasRow(rows(), capacity(VOTES));
}

export function hasVoted(item: Item, validator: u32): bool {
  for (let link = item.voteHead; link != 0; link = voteAt(link - 1).next) {
    if (voterOf(voteAt(link - 1)) == validator) return true;
  }
  return false;
}

/** Adds a vote at the end of the item's chain; the caller has seen hasVoteRow and hasVoted. */
export function addVote(item: Item, validator: u32, approves: bool, value: u64, nowSecs: u64): void {
  const row = takeRow(rows(), root().votes, VOTE_ROW_BYTES, 0);
  const vote = voteAt(row);
  vote.voter = (validator << 1) | (approves ? 1 : 0);
  vote.value = value;
  vote.castSecs = nowSecs;
  markBytes(changetype<usize>(vote), VOTE_ROW_BYTES);
  if (item.voteHead == 0) {
    item.voteHead = row + 1;
  } else {
    const last = voteAt(item.voteTail - 1);
    last.next = row + 1;
    markBytes(changetype<usize>(last), VOTE_ROW_BYTES);
  }
  item.voteTail = row + 1;
  item.voteCount++;
  markItem(item);
}

/** Replaces the value of each vote of a submission or dispute by its weight, for the shares of the payout. */
export function freezeVote(vote: Vote, weight: u64): void {
  vote.value = weight;
  markBytes(changetype<usize>(vote), VOTE_ROW_BYTES);
}

/** Gives the votes of a chain back; `head` is row + 1, 0 for none. */
export function removeVotes(head: u32): void {
  for (let link = head; link != 0; ) {
    const row = link - 1;
    link = voteAt(row).next;
    giveRow(rows(), root().votes, VOTE_ROW_BYTES, 0, row);
  }
}
