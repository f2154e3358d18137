// The validator lock: a stake stays while its validator may still be called to account for its work.
// Keeps: 10 days (7 of challenge period and 72 h) from the last verdict or ordered vertex, DECISIONS 6.7.

import { Agent } from '../ledger/agents';
import { daySecs } from '../state/header';
import { validatorAt, validatorOf } from './validators';

const LOCK_DAYS: u64 = 10;

/** True while the operator's stake cannot be lowered at all. */
export function isStakeLocked(operator: Agent, nowSecs: u64): bool {
  const index = validatorOf(operator);
  if (index < 0) return false;
  const dutySecs = validatorAt(<u32>index).lastDutySecs;
  return dutySecs != 0 && nowSecs < dutySecs + LOCK_DAYS * daySecs();
}
