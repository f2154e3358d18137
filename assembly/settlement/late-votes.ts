// Transfers that a quorum decided before those in probation who were drawn for them had voted: their votes still count for
// probation, for as long as an event may be open (protocol 6.9). Where a seat decides alone, nobody could pass otherwise.
// Whatever takes judgement is not among them: who has seen the decision shows nothing by agreeing with it.
// Keeps: a ring of LATE_ROWS rows, the oldest is overwritten; a validator counts once for an event. Such a vote decides
// nothing, weighs nothing and is paid nothing.

import { ITEM_TRANSFER, PARAM_VERIFICATION_DEADLINE_SECS, SHARES, VALIDATOR_PROBATION } from '../abi';
import { copy32, equal32 } from '../lib/bytes';
import { header, param } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';
import { validatorAt } from '../validators/validators';
import { assignedOf, eventIdOfItem, Item, MAX_ASSIGNED } from './items';
import { hasVoted } from './votes';

export const LATE_ROW_BYTES: u32 = 64;
export const LATE_ROWS: u32 = 1024;
const NOBODY: u16 = 0xffff;

@unmanaged
export class Late {
  eventId0: u64;
  eventId1: u64;
  eventId2: u64;
  eventId3: u64;
  /** 0 in a row that was never used. */
  decidedSecs: u64;
  category: u32;
  /** Outcome of the quorum: as in a vote, 0 when it rejected. */
  share: u32;
  /** Validators in probation that were drawn and have not voted (u16, MAX_ASSIGNED), then NOBODY. */
  drawn0: u64;
  drawn1: u64;
}

export function lateAt(row: u32): Late {
  return changetype<Late>(root().late + <usize>row * LATE_ROW_BYTES);
}

function drawnAt(late: Late, position: u32): usize {
  return changetype<usize>(late) + offsetof<Late>('drawn0') + ((<usize>position) << 1);
}

function isAwaited(item: Item, validator: u32): bool {
  return validatorAt(validator).status == VALIDATOR_PROBATION && !hasVoted(item, validator);
}

/** Records a transfer that a quorum has just decided, if somebody in probation was drawn for it and has not voted. */
export function noteLate(item: Item, share: u32, category: u32, nowSecs: u64): void {
  if (item.kind != ITEM_TRANSFER) return;
  const late = lateAt(header().lateNext);
  let count: u32 = 0;
  for (let i: u32 = 0; i < item.assignedCount; i++) {
    const validator = load<u16>(assignedOf(item) + ((<usize>i) << 1));
    if (isAwaited(item, validator)) store<u16>(drawnAt(late, count++), validator);
  }
  if (count == 0) return;
  for (let i = count; i <= MAX_ASSIGNED; i++) store<u16>(drawnAt(late, i), NOBODY);
  copy32(changetype<usize>(late), eventIdOfItem(item));
  late.decidedSecs = nowSecs;
  late.category = category;
  late.share = share;
  markBytes(changetype<usize>(late), LATE_ROW_BYTES);
  header().lateNext = (header().lateNext + 1) % LATE_ROWS;
}

function positionIn(late: Late, validator: u32): i32 {
  for (let i: u32 = 0; i < MAX_ASSIGNED; i++)
    if (load<u16>(drawnAt(late, i)) == <u16>validator) return <i32>i;
  return -1;
}

/** Row of a decided event on which this validator (index) may still vote, or -1. O(LATE_ROWS). */
export function findLate(eventId: usize, validator: u32, nowSecs: u64): i32 {
  if (validatorAt(validator).status != VALIDATOR_PROBATION) return -1;
  for (let row: u32 = 0; row < LATE_ROWS; row++) {
    const late = lateAt(row);
    if (late.decidedSecs == 0 || !equal32(changetype<usize>(late), eventId)) continue;
    const isOver = nowSecs >= late.decidedSecs + param(PARAM_VERIFICATION_DEADLINE_SECS);
    return isOver || positionIn(late, validator) < 0 ? -1 : <i32>row;
  }
  return -1;
}

/** The validator has voted: it may not vote again. */
export function takeLate(row: u32, validator: u32): Late {
  const late = lateAt(row);
  store<u16>(drawnAt(late, <u32>positionIn(late, validator)), NOBODY);
  markBytes(changetype<usize>(late), LATE_ROW_BYTES);
  return late;
}

/** True when no imported row names a category that does not exist, or an outcome. */
export function hasSaneLate(): bool {
  if (header().lateNext >= LATE_ROWS) return false;
  for (let row: u32 = 0; row < LATE_ROWS; row++)
    if (lateAt(row).category >= header().categoryCount || lateAt(row).share > <u32>SHARES) return false;
  return true;
}
