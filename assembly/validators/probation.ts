// The end of a probation cycle: passed, one more, or excluded (protocol 7.4).
// Keeps: at most three cycles; only votes of the current one count.

import { STATUS_REASON_PROBATION } from '../abi';
import { BP } from '../ledger/rates';
import { daySecs } from '../state/header';
import { emitStatus } from './events';
import { activate, exclude, startCycle } from './status';
import { Validator, validatorAt } from './validators';

const CYCLE_DAYS: u64 = 30;
export const MAX_CYCLES: u32 = 3;
const ENOUGH_TASKS: u32 = 50;
const ENOUGH_ACCURACY_BP: u64 = 7000;

/** Second at which the current cycle ends. */
export function cycleEndSecs(validator: Validator): u64 {
  return validator.probationSecs + CYCLE_DAYS * daySecs();
}

/** At least 50 tasks processed, and 7000 bp of the votes correct. */
export function hasPassed(tasksProcessed: u32, votesDecided: u32, votesRight: u32): bool {
  if (tasksProcessed < ENOUGH_TASKS || votesDecided == 0) return false;
  return (<u64>votesRight * BP) / votesDecided >= ENOUGH_ACCURACY_BP;
}

/** Ends the cycle of a validator (index) in probation and emits the result. */
export function endCycle(index: u32, nowSecs: u64): void {
  const validator = validatorAt(index);
  if (hasPassed(validator.tasksProcessed, validator.votesDecided, validator.votesRight)) {
    activate(validator, nowSecs);
  } else if (validator.cycle < MAX_CYCLES) {
    startCycle(validator, validator.cycle + 1, nowSecs);
  } else {
    exclude(validator);
  }
  emitStatus(index, STATUS_REASON_PROBATION);
}
