// The validator lock: a stake stays while its validator may still be called to account for its work.
// Keeps: 10 days (7 of challenge period and 72 h) from the last verdict, replay or ordered vertex, and for as long as
// a challenge against it is open, DECISIONS 6.7. After a long review and dispute these days are over before the challenge
// period is, so who approved on a panel is held until the task leaves. Whatever became of the validator since.

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
