// Active validators below the required stake: since when, so that seven days later they are suspended
// (protocol 6.7, 7.4).
// Keeps: at the end of each block the time is set exactly for those active validators whose operator's stake is below
// the required one. Rows are checked only when the required stake, a stake, or the set of active validators changed.

import { VALIDATOR_ACTIVE } from '../abi';
import { header } from '../state/header';
import { rearmValidator } from './timers';
import { countStatus, markValidator, operatorOf, validatorAt } from './validators';
import { requiredStake } from './weight';

function compareStake(index: u32, required: u64, nowSecs: u64): void {
  const validator = validatorAt(index);
  if (validator.status != VALIDATOR_ACTIVE) return;
  const isBelow = operatorOf(validator).staked < required;
  if (isBelow == (validator.belowSinceSecs != 0)) return;
  validator.belowSinceSecs = isBelow ? nowSecs : 0;
  markValidator(validator);
  rearmValidator(index);
}

/** At the end of a block; further calls change nothing. O(validators). */
export function watchStakes(nowSecs: u64): void {
  const h = header();
  const required = requiredStake(countStatus(VALIDATOR_ACTIVE));
  if (h.stakesMoved == 0 && required == h.requiredSeen) return;
  h.stakesMoved = 0;
  h.requiredSeen = required;
  for (let index: u32 = 0; index < h.validatorCount; index++) compareStake(index, required, nowSecs);
}
