// Objections of active validators against applicants that passed probation (protocol 4.3, 7.4).
// Keeps: a validator has at most one objection against an applicant, and MAX_OBJECTIONS at a time; they count with the
// weights of the moment, as long as the applicant waits. More than a third of the weight ends its cycle at once, as failed.

import {
  ALREADY_VOTED,
  CAPACITY,
  IN_VALIDATOR,
  NOT_A_VALIDATOR,
  OK,
  RESULT_AGENT,
  RESULT_OBJECTION_TOTAL,
  RESULT_OBJECTION_WEIGHT,
  RESULT_VALIDATOR,
  STATUS_REASON_OBJECTED,
  TABLE_OBJECTIONS,
  TASK_STATE,
  VALIDATOR_ACTIVE,
  VALIDATOR_NOT_FOUND,
} from '../abi';
import { actor, commits, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { header } from '../state/header';
import { emitStatus } from './events';
import { isWaiting, MAX_OBJECTIONS, objectionSlot } from './joining';
import { findValidator } from './naming';
import { failCycle } from './probation';
import { rearmValidator } from './timers';
import { markValidator, Validator, validatorAt, validatorOf } from './validators';
import { allJudge, judgesWeight, voteWeight } from './weight';

// Validator index + 1 that an objection names; 0 when it is none any more.
function objectionAt(validator: Validator, position: u32): u32 {
  const named = <u32>load<u16>(objectionSlot(validator, position));
  return named != 0 && isWaiting(validatorAt(named - 1)) ? named : 0;
}

function hasObjected(validator: Validator, target: u32): bool {
  for (let i: u32 = 0; i < MAX_OBJECTIONS; i++) if (objectionAt(validator, i) == target + 1) return true;
  return false;
}

// A place for another objection, or -1.
function freeSlot(validator: Validator): i32 {
  for (let i: u32 = 0; i < MAX_OBJECTIONS; i++) if (objectionAt(validator, i) == 0) return <i32>i;
  return -1;
}

/** Weight of those that object to an applicant (index), among all active validators as counted by `allJudge`. */
export function objectionWeight(target: u32, nowSecs: u64): u64 {
  let sum: u64 = 0;
  for (let i: u32 = 0; i < header().validatorCount; i++) {
    if (hasObjected(validatorAt(i), target)) sum += voteWeight(validatorAt(i), nowSecs);
  }
  return sum;
}

function reject(target: u32, nowSecs: u64): void {
  failCycle(validatorAt(target), nowSecs);
  rearmValidator(target);
  emitStatus(target, STATUS_REASON_OBJECTED);
}

/**
 * OP_VALIDATOR_OBJECT. Errors: VALIDATOR_NOT_FOUND, NOT_A_VALIDATOR (only active ones object), TASK_STATE (the named one
 * does not wait), ALREADY_VOTED, CAPACITY. protocol 4.3.
 */
export function objectToApplicant(): i32 {
  const nowSecs = frame().nowSecs;
  const target = findValidator(fieldAddress(IN_VALIDATOR));
  if (target < 0) return refuse(VALIDATOR_NOT_FOUND);
  const own = validatorOf(actor());
  if (own < 0 || validatorAt(<u32>own).status != VALIDATOR_ACTIVE) return refuse(NOT_A_VALIDATOR);
  if (!isWaiting(validatorAt(<u32>target))) return refuse(TASK_STATE);
  const objector = validatorAt(<u32>own);
  if (hasObjected(objector, <u32>target)) return refuse(ALREADY_VOTED);
  const slot = freeSlot(objector);
  if (slot < 0) return refuse(CAPACITY, TABLE_OBJECTIONS);
  if (!commits()) return OK;

  store<u16>(objectionSlot(objector, <u32>slot), <u16>(target + 1));
  markValidator(objector);
  allJudge(nowSecs);
  const weight = objectionWeight(<u32>target, nowSecs);
  const total = judgesWeight(nowSecs);
  setResult(RESULT_AGENT, frame().actor);
  setResult(RESULT_VALIDATOR, <u64>target);
  setResult(RESULT_OBJECTION_WEIGHT, weight);
  setResult(RESULT_OBJECTION_TOTAL, total);
  // Both are at most 10^15.
  if (weight * 3 > total) reject(<u32>target, nowSecs);
  return OK;
}
