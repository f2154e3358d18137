// Votes on open items and challenges, chained in order of voting.
// Keeps: a validator votes once on each; a chain is freed as a whole.

import { SHARES } from '../abi';
import { capacity, Header, header, VOTES } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';
import { giveRow, hasRow, RowStore, takeRow } from '../state/row-store';
import { Item, markItem } from './items';

export const VOTE_ROW_BYTES: u32 = 24;
/** In the place of a share: of a vote that is committed and not revealed, and of the two rows of its commitment. */
export const SEALED: u8 = 255;
export const COMMITMENT: u8 = 254;

@unmanaged
export class Vote {
  /** Next vote of the chain, row + 1; links free rows as well. */
  next: u32;
  /** Validator index. */
  voter: u16;
  /** 0: a rejection. An approval: the worker's share in steps of 10 %; of anything but a dispute SHARES. */
  share: u8;
  /** GROUND_* of a rejection. */
  ground: u8;
  /** Verified value in micro-units, 0 on a rejection; on a challenge its outcome, CHALLENGE_*; SEALED: row + 1 of its commitment. */
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
  return vote.voter;
}

/** True of a vote that is committed and not revealed: it says nothing yet. */
export function isSealed(vote: Vote): bool {
  return vote.share == SEALED;
}

export function isApproval(vote: Vote): bool {
  return vote.share != 0;
}

/** Votes, and outcomes, that are at most this number of steps of 10 % apart agree. */
const MAX_GAP: u32 = 3;

/** True when two shares agree: a judge who said 60 % was right about a dispute that ended with 50 (protocol 15.6). */
export function agrees(share: u32, other: u32): bool {
  return share > other ? share - other <= MAX_GAP : other - share <= MAX_GAP;
}

/** Rows of the table that may hold a vote. */
export function voteRowsUsed(): u32 {
  return rows().used;
}

export function hasVoteRow(): bool {
  return hasRow(rows(), capacity(VOTES));
}

/** True when `count` rows are free. */
export function hasVoteRows(count: u32): bool {
  return <u64>rows().live + count <= capacity(VOTES);
}

/** A zeroed row that belongs to no chain yet; the caller has checked that it is there, fills it and marks it. */
export function takeVoteRow(): u32 {
  return takeRow(rows(), root().votes, VOTE_ROW_BYTES, 0);
}

export function markVote(vote: Vote): void {
  markBytes(changetype<usize>(vote), VOTE_ROW_BYTES);
}

/** True when the validator (index) has a vote in the chain that begins with `head`, row + 1. O(votes). */
export function isInChain(head: u32, validator: u32): bool {
  for (let link = head; link != 0; link = voteAt(link - 1).next) {
    if (voterOf(voteAt(link - 1)) == validator) return true;
  }
  return false;
}

export function hasVoted(item: Item, validator: u32): bool {
  return isInChain(item.voteHead, validator);
}

/**
 * Adds a vote after the chain's last one, `tail` (row + 1, 0 = none); the caller has checked hasVoteRow and that the
 * validator has no vote in it. Returns its row + 1: the new tail, of an empty chain the head too.
 */
export function chainVote(tail: u32, validator: u32, approves: bool, value: u64, nowSecs: u64): u32 {
  const row = takeVoteRow();
  const vote = voteAt(row);
  vote.voter = <u16>validator;
  vote.share = approves ? <u8>SHARES : 0;
  vote.ground = 0;
  vote.value = value;
  vote.castSecs = nowSecs;
  markVote(vote);
  if (tail != 0) {
    voteAt(tail - 1).next = row + 1;
    markVote(voteAt(tail - 1));
  }
  return row + 1;
}

/** Adds a vote to an item, see chainVote. */
export function addVote(item: Item, validator: u32, approves: bool, value: u64, nowSecs: u64): void {
  item.voteTail = chainVote(item.voteTail, validator, approves, value, nowSecs);
  if (item.voteHead == 0) item.voteHead = item.voteTail;
  item.voteCount++;
  markItem(item);
}

/** Writes into the newest vote of an item the worker's share, and what it names against the worker, GROUND_*. */
export function detailVote(item: Item, share: u32, ground: u32): void {
  const vote = voteAt(item.voteTail - 1);
  vote.share = <u8>share;
  vote.ground = <u8>ground;
  markVote(vote);
}

/** Replaces the value of a vote on a submission or dispute by its weight, for the shares of the payout. */
export function freezeVote(vote: Vote, weight: u64): void {
  vote.value = weight;
  markVote(vote);
}

/** Frees the votes of a chain; `head` is row + 1, 0 for none. */
export function removeVotes(head: u32): void {
  for (let link = head; link != 0; ) {
    const row = link - 1;
    link = voteAt(row).next;
    giveRow(rows(), root().votes, VOTE_ROW_BYTES, 0, row);
  }
}
