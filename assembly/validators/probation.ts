// The end of a probation cycle: passed, prolonged, one more, or excluded (protocol 7.4).
// Keeps: at most three cycles; only votes of the current one count. Nobody fails for lack of events: a cycle in which a
// validator was drawn for too few of them goes on. A seat of the manifest is active at once, an applicant waits (joining.ts).

import { STATUS_REASON_PASSED, STATUS_REASON_PROBATION } from '../abi';
import { BP } from '../ledger/rates';
import { daySecs } from '../state/header';
import { emitStatus } from './events';
import { beginWait } from './joining';
import { activate, exclude, prolongCycle, startCycle } from './status';
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

/** Fewer than 50 events that it was drawn for were decided with its vote or with time for it. */
export function hadTooFewEvents(tasksProcessed: u32, missedDraws: u32): bool {
  return tasksProcessed + missedDraws < ENOUGH_TASKS;
}

/** One more cycle, or exclusion after the last one. */
export function failCycle(validator: Validator, nowSecs: u64): void {
  if (validator.cycle < MAX_CYCLES) startCycle(validator, validator.cycle + 1, nowSecs);
  else exclude(validator);
}

/** Ends the cycle of a validator (index) in probation and emits the result. */
export function endCycle(index: u32, nowSecs: u64): void {
  const validator = validatorAt(index);
  if (hasPassed(validator.tasksProcessed, validator.votesDecided, validator.votesRight)) {
    if (validator.isGenesis == 0) {
      beginWait(index, nowSecs);
      emitStatus(index, STATUS_REASON_PASSED);
      return;
    }
    activate(validator, nowSecs);
  } else if (hadTooFewEvents(validator.tasksProcessed, validator.missedDraws)) {
    prolongCycle(validator, nowSecs);
  } else {
    failCycle(validator, nowSecs);
  }
  emitStatus(index, STATUS_REASON_PROBATION);
}
