// The table of challenges: bonded objections to a validator's work, chained at their task (protocol 3.9, 7.5).
// Keeps: a row is in both the table and the index, or in neither; an open one has a timer, its bond is in
// escrow and its target counts it. Resolved ones, also partial ones, stay until their task leaves.

import { CHALLENGE_OPEN } from '../abi';
import { addRow, attachIndex, clearIndex, findRow, KeyIndex, removeRow, slotCount } from '../lib/key-index';
import { attachChanged, CHANGED_ROWS_BYTES, ChangedRows, noteChanged } from '../state/changed-rows';
import { CHALLENGES, capacity, Header, header } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';
import { giveRow, hasRow, RowStore, takeRow } from '../state/row-store';
import { startTimer, TIMER_CHALLENGE, timerOf } from '../state/timers';

export const CHALLENGE_ROW_BYTES: u32 = 192;
const BY_ID: usize = memory.data(64, 8);
const CHANGED: usize = memory.data(CHANGED_ROWS_BYTES, 8);

@unmanaged
export class Challenge {
  /** 12 bytes of id, 4 zero bytes. */
  id0: u64;
  id1: u64;
  /** Id of the event that opened it. */
  event0: u64;
  event1: u64;
  event2: u64;
  event3: u64;
  /** Micro-units; 0 for a protocol challenge. */
  bond: u64;
  createdSecs: u64;
  deadlineSecs: u64;
  /** The fields from here on are 0 until it is resolved. */
  resolvedSecs: u64;
  refunded: u64;
  forfeit: u64;
  slash: u64;
  bounty: u64;
  forSucceeded: u64;
  forFailed: u64;
  forPartial: u64;
  totalWeight: u64;
  participants: u64;
  /** CHALLENGE_*, 0 in a free row. */
  status: u32;
  offense: u32;
  /** Agent index. */
  challenger: u32;
  /** Validator index. */
  target: u32;
  /** Row + 1. */
  task: u32;
  /** First and last vote in order of voting, row + 1; a vote's value is its outcome. None once resolved. */
  voteHead: u32;
  voteTail: u32;
  /** Next challenge of the task, row + 1; links free rows as well. */
  next: u32;
  voteCount: u32;
  /** 1: opened by a replay. */
  isProtocol: u32;
}

function rows(): RowStore {
  return changetype<RowStore>(changetype<usize>(header()) + offsetof<Header>('challengesUsed'));
}

export function challengeAt(row: u32): Challenge {
  return changetype<Challenge>(root().challenges + <usize>row * CHALLENGE_ROW_BYTES);
}

export function challengeRow(challenge: Challenge): u32 {
  return <u32>((changetype<usize>(challenge) - root().challenges) / CHALLENGE_ROW_BYTES);
}

/** Address of the 12 bytes of id. */
export function challengeIdOf(challenge: Challenge): usize {
  return changetype<usize>(challenge);
}

/** Address of the 32-byte id of the event that opened it. */
export function challengeEventOf(challenge: Challenge): usize {
  return changetype<usize>(challenge) + offsetof<Challenge>('event0');
}

export function changedChallenges(): ChangedRows {
  return changetype<ChangedRows>(CHANGED);
}

export function attachChallenges(): void {
  const r = root();
  const index = changetype<KeyIndex>(BY_ID);
  attachIndex(
    index,
    r.challengeSlots,
    slotCount(capacity(CHALLENGES)),
    r.challenges,
    CHALLENGE_ROW_BYTES,
    0,
    16,
  );
  attachChanged(changedChallenges(), r.challengeStamps, r.challengeList);
}

/** Rows of the table that may hold a challenge. */
export function challengeRowsUsed(): u32 {
  return rows().used;
}

/** Index and timers from the rows; the caller has cleared the timers. */
export function rebuildChallenges(): void {
  clearIndex(changetype<KeyIndex>(BY_ID));
  for (let row: u32 = 0; row < rows().used; row++) {
    const challenge = challengeAt(row);
    if (challenge.status == 0) continue;
    addRow(changetype<KeyIndex>(BY_ID), row);
    if (challenge.status == CHALLENGE_OPEN) startTimer(timerOf(TIMER_CHALLENGE, row), challenge.deadlineSecs);
  }
}

/** Row of the challenge with the 16-byte id field at the address, or -1. */
export function findChallenge(id: usize): i32 {
  return findRow(changetype<KeyIndex>(BY_ID), id);
}

export function hasChallengeRow(): bool {
  return hasRow(rows(), capacity(CHALLENGES));
}

/** A zeroed row with this 16-byte id field; the caller has checked hasChallengeRow, fills it and starts its timer. */
export function addChallenge(id: usize): Challenge {
  const row = takeRow(rows(), root().challenges, CHALLENGE_ROW_BYTES, <u32>offsetof<Challenge>('next'));
  const challenge = challengeAt(row);
  challenge.id0 = load<u64>(id);
  challenge.id1 = load<u64>(id, 8);
  addRow(changetype<KeyIndex>(BY_ID), row);
  return challenge;
}

/** Frees the row of a resolved challenge; the caller has unchained it. */
export function removeChallenge(challenge: Challenge): void {
  const row = challengeRow(challenge);
  removeRow(changetype<KeyIndex>(BY_ID), row);
  giveRow(rows(), root().challenges, CHALLENGE_ROW_BYTES, <u32>offsetof<Challenge>('next'), row);
}

/** Marks the row as changed: for the state hash, the snapshot, and the images at the end of the block. */
export function touchChallenge(challenge: Challenge): void {
  markBytes(changetype<usize>(challenge), CHALLENGE_ROW_BYTES);
  noteChanged(changedChallenges(), challengeRow(challenge));
}
