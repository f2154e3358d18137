// The validator lock: a stake stays locked while its validator is liable for its work (protocol 6.7).
// Keeps: locked for 10 days (7 of challenge period and 72 h) from the application and the last verdict, replay or ordered vertex, and while
// a challenge against it is open. After a long review and dispute these days may end before the challenge period, so an
// approval on a panel also locks until the task leaves. All this holds whatever the validator's status is by then.

import { Agent } from '../ledger/agents';
import { daySecs } from '../state/header';
import { validatorAt, validatorOf } from './validators';

const LOCK_DAYS: u64 = 10;

/** True while the operator's stake cannot be lowered at all. */
export function isStakeLocked(operator: Agent, nowSecs: u64): bool {
  const index = validatorOf(operator);
  if (index < 0) return false;
  const validator = validatorAt(<u32>index);
  if (validator.openChallenges > 0 || validator.approvals > 0) return true;
  return validator.lastDutySecs != 0 && nowSecs < validator.lastDutySecs + LOCK_DAYS * daySecs();
}
