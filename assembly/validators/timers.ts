// The one timer of each validator: end of a probation cycle, of the wait after it, of the grace period of a low stake, of key delays.
// Keeps: `timerSecs` is the earliest of these deadlines and is in the heap exactly while it is not 0. Whoever changes a
// field that determines a deadline rearms the timer. A firing handles what is due then; later deadlines fire later.

import { STATUS_REASON_STAKE, VALIDATOR_ACTIVE, VALIDATOR_PROBATION } from '../abi';
import { daySecs, header } from '../state/header';
import { startTimer, stopTimer, TIMER_VALIDATOR, timerOf } from '../state/timers';
import { applyNextKey, applyNextRecovery } from './consensus-keys';
import { emitStatus } from './events';
import { isWaiting, tryToJoin } from './joining';
import { cycleEndSecs, endCycle } from './probation';
import { suspend } from './status';
import { markValidator, Validator, validatorAt } from './validators';

/** protocol 6.7: days that an active validator may stay below the required stake. */
const GRACE_DAYS: u64 = 7;

// Deadline of the status, 0 = none.
function statusEndSecs(validator: Validator): u64 {
  if (isWaiting(validator)) return validator.trySecs;
  if (validator.status == VALIDATOR_PROBATION) return cycleEndSecs(validator);
  return validator.belowSinceSecs == 0 ? 0 : validator.belowSinceSecs + GRACE_DAYS * daySecs();
}

// The earlier of two deadlines; 0 = none.
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

/** Timers from the rows, after an import or a shift of times; the caller has cleared the timers. */
export function rebuildValidatorTimers(): void {
  for (let index: u32 = 0; index < header().validatorCount; index++) {
    const validator = validatorAt(index);
    const secs = deadlineOf(validator);
    if (secs != validator.timerSecs) markValidator(validator);
    validator.timerSecs = secs;
    if (secs != 0) startTimer(timerOf(TIMER_VALIDATOR, index), secs);
  }
}

// Ends a probation cycle, the wait after it, or the grace period of a low stake.
function endStatus(index: u32, nowSecs: u64): void {
  const validator = validatorAt(index);
  if (isWaiting(validator)) {
    tryToJoin(index, nowSecs);
  } else if (validator.status == VALIDATOR_PROBATION) {
    endCycle(index, nowSecs);
  } else {
    assert(validator.status == VALIDATOR_ACTIVE, 'a validator timer without reason');
    suspend(validator, STATUS_REASON_STAKE, 0, nowSecs);
    emitStatus(index, STATUS_REASON_STAKE);
  }
}

/** Fires the timer of a validator (index). Emits at most one event. */
export function fireValidator(index: u32, nowSecs: u64): void {
  const validator = validatorAt(index);
  const secs = validator.timerSecs;
  if (validator.nextRecoverySecs == secs) applyNextRecovery(validator);
  if (validator.nextKeySecs == secs) applyNextKey(validator);
  if (statusEndSecs(validator) == secs) endStatus(index, nowSecs);
  rearmValidator(index);
}
