// From passed probation to active: an applicant waits for objections, then for its place of a day (protocol 7.4).
// Keeps: on a day at most a tenth of the active validators become active, but at least one; of those that may, the one
// that applied first. So whoever buys many applicants needs months, in which the others see it.

import { STATUS_REASON_PROBATION, VALIDATOR_ACTIVE, VALIDATOR_PROBATION } from '../abi';
import { daySecs, header } from '../state/header';
import { emitStatus } from './events';
import { activate, passProbation } from './status';
import { countStatus, markValidator, OBJECTIONS_AT, Validator, validatorAt } from './validators';

const OBJECTION_DAYS: u64 = 7;
/** Applicants that one validator objects to at a time. */
export const MAX_OBJECTIONS: u32 = 32;
/** Active validators for each one that may become active on a day. */
const ACTIVE_PER_PLACE: u32 = 10;

/** Second at which an applicant that passed at `passedSecs` may become active. */
export function objectionsEndSecs(passedSecs: u64): u64 {
  return passedSecs + OBJECTION_DAYS * daySecs();
}

/** True in the days between passing probation and becoming active. */
export function isWaiting(validator: Validator): bool {
  return validator.status == VALIDATOR_PROBATION && validator.passedSecs != 0;
}

/** Address of an objection of a validator: u16 validator index + 1, 0 = none. */
export function objectionSlot(validator: Validator, position: u32): usize {
  return changetype<usize>(validator) + OBJECTIONS_AT + ((<usize>position) << 1);
}

// Those of an earlier wait do not count again.
function dropObjections(against: u32): void {
  for (let i: u32 = 0; i < header().validatorCount; i++) {
    const validator = validatorAt(i);
    for (let position: u32 = 0; position < MAX_OBJECTIONS; position++) {
      const slot = objectionSlot(validator, position);
      if (<u32>load<u16>(slot) != against + 1) continue;
      store<u16>(slot, 0);
      markValidator(validator);
    }
  }
}

/** An applicant (index) has passed probation and waits from now on. O(validators). */
export function beginWait(index: u32, nowSecs: u64): void {
  dropObjections(index);
  passProbation(validatorAt(index), objectionsEndSecs(nowSecs), nowSecs);
}

function dayOf(nowSecs: u64): u64 {
  return nowSecs / daySecs();
}

function joinedToday(nowSecs: u64): u32 {
  return header().joinedDay == dayOf(nowSecs) ? header().joinedToday : 0;
}

/** Applicants that may still become active today. The share is of those that were active without today's. */
export function placesToday(nowSecs: u64): u32 {
  const joined = joinedToday(nowSecs);
  const active = countStatus(VALIDATOR_ACTIVE);
  const places = max<u32>(1, (active - min<u32>(active, joined)) / ACTIVE_PER_PLACE);
  return places - min<u32>(places, joined);
}

function isOlder(index: u32, than: u32): bool {
  const a = validatorAt(index).registeredAtSecs;
  const b = validatorAt(than).registeredAtSecs;
  return a < b || (a == b && index < than);
}

// Those that applied before and may become active as well.
function olderReady(index: u32, nowSecs: u64): u32 {
  let count: u32 = 0;
  for (let other: u32 = 0; other < header().validatorCount; other++) {
    const row = validatorAt(other);
    if (isWaiting(row) && objectionsEndSecs(row.passedSecs) <= nowSecs && isOlder(other, index)) count++;
  }
  return count;
}

/** Makes a waiting applicant (index) active and emits it, or lets it wait for the next day. O(validators). */
export function tryToJoin(index: u32, nowSecs: u64): void {
  const validator = validatorAt(index);
  if (olderReady(index, nowSecs) >= placesToday(nowSecs)) {
    validator.trySecs = (dayOf(nowSecs) + 1) * daySecs();
    markValidator(validator);
    return;
  }
  const h = header();
  h.joinedToday = joinedToday(nowSecs) + 1;
  h.joinedDay = dayOf(nowSecs);
  activate(validator, nowSecs);
  emitStatus(index, STATUS_REASON_PROBATION);
}
