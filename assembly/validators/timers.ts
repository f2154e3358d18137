// The one timer of each validator: end of a probation cycle, of the days below the required stake, of waits of keys.
// Keeps: `timerSecs` is the earliest of them and stands in the heap exactly while it is not 0. Whoever changes a field
// that a deadline follows from rearms. One firing does what is due at its deadline; what is due later fires later.

import { STATUS_REASON_STAKE, VALIDATOR_ACTIVE, VALIDATOR_PROBATION } from '../abi';
import { daySecs, header } from '../state/header';
import { startTimer, stopTimer, TIMER_VALIDATOR, timerOf } from '../state/timers';
import { takeNextKey, takeNextRecovery } from './consensus-keys';
import { tellStatus } from './events';
import { cycleEndSecs, endCycle } from './probation';
import { suspend } from './status';
import { markValidator, Validator, validatorAt } from './validators';

/** 6.7: days for which an active validator may stay below the required stake. */
const GRACE_DAYS: u64 = 7;

// Deadline of the status, 0 = none.
function statusEndSecs(validator: Validator): u64 {
  if (validator.status == VALIDATOR_PROBATION) return cycleEndSecs(validator);
  return validator.belowSinceSecs == 0 ? 0 : validator.belowSinceSecs + GRACE_DAYS * daySecs();
}

// The earlier of two deadlines of which 0 is none.
function earlier(a: u64, b: u64): u64 {
  if (a == 0 || b == 0) return max<u64>(a, b);
  return min<u64>(a, b);
}

function deadlineOf(validator: Validator): u64 {
  const keysSecs = earlier(validator.nextKeySecs, validator.nextRecoverySecs);
  return earlier(statusEndSecs(validator), keysSecs);
}

/** Brings the timer of a validator (index) in line with its row. */
export function rearmValidator(index: u32): void {
  const validator = validatorAt(index);
  const secs = deadlineOf(validator);
  if (secs == validator.timerSecs) return;
  if (validator.timerSecs != 0) stopTimer(timerOf(TIMER_VALIDATOR, index));
  if (secs != 0) startTimer(timerOf(TIMER_VALIDATOR, index), secs);
  validator.timerSecs = secs;
  markValidator(validator);
}

/** Timers from the rows, after an import or after times were moved; the caller has cleared the timers. */
export function rebuildValidatorTimers(): void {
  for (let index: u32 = 0; index < header().validatorCount; index++) {
    const validator = validatorAt(index);
    const secs = deadlineOf(validator);
    if (secs != validator.timerSecs) markValidator(validator);
    validator.timerSecs = secs;
    if (secs != 0) startTimer(timerOf(TIMER_VALIDATOR, index), secs);
  }
}

// The end of the status: of a probation cycle, or of the grace of a low stake.
function endStatus(index: u32, nowSecs: u64): void {
  const validator = validatorAt(index);
  if (validator.status == VALIDATOR_PROBATION) {
    endCycle(index, nowSecs);
  } else {
    assert(validator.status == VALIDATOR_ACTIVE, 'a validator timer without reason');
    suspend(validator, STATUS_REASON_STAKE, 0, nowSecs);
    tellStatus(index, STATUS_REASON_STAKE);
  }
}

/** What is due at the deadline of a validator's (index) timer. Tells one event at most. */
export function fireValidator(index: u32, nowSecs: u64): void {
  const validator = validatorAt(index);
  const secs = validator.timerSecs;
  if (validator.nextRecoverySecs == secs) takeNextRecovery(validator);
  if (validator.nextKeySecs == secs) takeNextKey(validator);
  if (statusEndSecs(validator) == secs) endStatus(index, nowSecs);
  rearmValidator(index);
}
