// Votes on a dispute before they are revealed: a judge first commits to what it says, so that nobody can echo it (protocol 15.8).
// Keeps: a sealed vote is in the chain of its item, counts nowhere, and has its commitment in two further rows of the table
// of votes, which are freed when it is revealed or given up. The salt has 32 bytes, so a commitment tells nothing; the
// operator's key is in it, so that nobody can copy one.

import { Agent } from '../ledger/agents';
import { equal32 } from '../lib/bytes';
import { sha256 } from '../lib/sha256';
import { writeDecimal, writeHex, writeLiteral } from '../lib/text';
import { operatorOf, validatorAt } from '../validators/validators';
import { eventIdOfItem, Item, markItem } from './items';
import {
  addVote,
  COMMITMENT,
  hasVoteRows,
  isSealed,
  markVote,
  removeVotes,
  SEALED,
  takeVoteRow,
  Vote,
  voteAt,
  voterOf,
} from './votes';

/** Rows of the table of votes that a sealed vote takes. */
export const SEALED_ROWS: u32 = 3;
// "vote:" + 64 hex + ":" + 64 hex + ":" + share + ":" + digit + ":" + 64 hex
const TEXT: usize = memory.data(208, 8);
const HASH: usize = memory.data(32, 8);

export function hasCommitmentRows(): bool {
  return hasVoteRows(SEALED_ROWS);
}

// Keeps 16 bytes of a commitment in a row that is followed by `next`, row + 1; returns the row + 1.
function keepHalf(from: usize, next: u32): u32 {
  const row = takeVoteRow();
  const half = voteAt(row);
  half.next = next;
  half.share = COMMITMENT;
  half.value = load<u64>(from);
  half.castSecs = load<u64>(from, 8);
  markVote(half);
  return row + 1;
}

/** Adds a vote that is only committed; `commitment`: 32 bytes. The caller has checked hasCommitmentRows. */
export function commitVote(item: Item, validator: u32, commitment: usize, nowSecs: u64): void {
  addVote(item, validator, false, 0, nowSecs);
  const vote = voteAt(item.voteTail - 1);
  vote.share = SEALED;
  vote.value = keepHalf(commitment, keepHalf(commitment + 16, 0));
  markVote(vote);
}

/** Writes the commitment of a sealed vote, 32 bytes. */
export function writeCommitment(to: usize, vote: Vote): void {
  const first = voteAt(<u32>vote.value - 1);
  const second = voteAt(first.next - 1);
  store<u64>(to, first.value);
  store<u64>(to, first.castSecs, 8);
  store<u64>(to, second.value, 16);
  store<u64>(to, second.castSecs, 24);
}

/** The vote of a validator (index) on an item, sealed or not: its row + 1, or 0. O(votes). */
export function voteOn(item: Item, validator: u32): u32 {
  for (let link = item.voteHead; link != 0; link = voteAt(link - 1).next) {
    if (voterOf(voteAt(link - 1)) == validator) return link;
  }
  return 0;
}

/** True when a sealed vote is one for `share` that names `ground`, with the 32 bytes of salt at the address. */
export function isCommitted(item: Item, vote: Vote, share: u32, ground: u32, salt: usize): bool {
  const operator = operatorOf(validatorAt(voterOf(vote)));
  let to = writeHex(writeLiteral(TEXT, 'vote:'), eventIdOfItem(item), 32);
  to = writeHex(writeLiteral(to, ':'), changetype<usize>(operator) + offsetof<Agent>('key0'), 32);
  to = writeDecimal(writeLiteral(to, ':'), share);
  to = writeDecimal(writeLiteral(to, ':'), ground);
  to = writeHex(writeLiteral(to, ':'), salt, 32);
  sha256(TEXT, <u32>(to - TEXT), HASH);
  writeCommitment(TEXT, vote);
  return equal32(HASH, TEXT);
}

// Frees the commitment of a sealed vote, which is none any more.
function unseal(vote: Vote): void {
  removeVotes(<u32>vote.value);
  vote.value = 0;
}

/** A sealed vote is revealed: from now on it counts, in its place in the order of the commitments. */
export function revealVote(vote: Vote, share: u32, ground: u32, nowSecs: u64): void {
  unseal(vote);
  vote.share = <u8>share;
  vote.ground = <u8>ground;
  vote.castSecs = nowSecs;
  markVote(vote);
}

/** True when a vote on the item is not revealed. O(votes). */
export function hasSealed(item: Item): bool {
  for (let link = item.voteHead; link != 0; link = voteAt(link - 1).next) {
    if (isSealed(voteAt(link - 1))) return true;
  }
  return false;
}

/**
 * Takes the votes that are not revealed out of an item; their commitments are freed. Returns their own chain, row + 1, which
 * the caller frees with removeVotes, in the order of the commitments.
 */
export function takeSealed(item: Item): u32 {
  let taken: u32 = 0;
  let takenTail: u32 = 0;
  let tail: u32 = 0;
  for (let link = item.voteHead; link != 0; ) {
    const vote = voteAt(link - 1);
    const next = vote.next;
    if (!isSealed(vote)) {
      tail = link;
    } else {
      unseal(vote);
      if (tail == 0) item.voteHead = next;
      else {
        voteAt(tail - 1).next = next;
        markVote(voteAt(tail - 1));
      }
      vote.next = 0;
      markVote(vote);
      if (takenTail == 0) taken = link;
      else {
        voteAt(takenTail - 1).next = link;
        markVote(voteAt(takenTail - 1));
      }
      takenTail = link;
      item.voteCount--;
    }
    link = next;
  }
  item.voteTail = tail;
  markItem(item);
  return taken;
}
