// What an offense costs a validator besides its stake: suspension, a restart of probation, exclusion
// (protocol 6.5, 7.4).
// Keeps: the second collusion excludes for ever; an excluded validator only loses stake, which the caller handles.

import {
  OFFENSE_COLLUSION,
  OFFENSE_DISHONEST_REPLAY,
  OFFENSE_FRAUDULENT_APPROVAL,
  STATUS_REASON_OFFENSE,
  VALIDATOR_EXCLUDED,
  VALIDATOR_PROBATION,
} from '../abi';
import { daySecs } from '../state/header';
import { emitStatus } from './events';
import { exclude, startCycle, suspend } from './status';
import { rearmValidator } from './timers';
import { validatorAt } from './validators';

const MAX_COLLUSIONS: u32 = 1;

/** Part of the target's stake that an offense (OFFENSE_*) costs, in bp. protocol 6.5. */
export function offenseSlashBp(offense: u32): u64 {
  if (offense == OFFENSE_FRAUDULENT_APPROVAL) return 3000;
  return offense == OFFENSE_DISHONEST_REPLAY ? 4000 : 7500;
}

/** Days of suspension for an offense. protocol 6.5. */
export function cooldownDays(offense: u32): u64 {
  if (offense == OFFENSE_FRAUDULENT_APPROVAL) return 30;
  return offense == OFFENSE_DISHONEST_REPLAY ? 60 : 180;
}

/** Changes the status of a validator (index) after a proven offense, and emits validator_status. */
export function punish(index: u32, offense: u32, nowSecs: u64): void {
  const validator = validatorAt(index);
  if (validator.status == VALIDATOR_EXCLUDED) return;

  const reason = <u32>STATUS_REASON_OFFENSE + offense;
  validator.slashes++;
  if (offense == OFFENSE_COLLUSION) validator.collusions++;
  if (validator.collusions > MAX_COLLUSIONS) {
    exclude(validator);
  } else if (validator.status == VALIDATOR_PROBATION) {
    startCycle(validator, validator.cycle, nowSecs);
  } else {
    suspend(validator, reason, nowSecs + cooldownDays(offense) * daySecs(), nowSecs);
  }
  rearmValidator(index);
  emitStatus(index, reason);
}
