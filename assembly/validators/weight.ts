// The weight of a validator's verdict, and the stake that the network requires of validators.
// Keeps: the weight follows from current reputation and stake; only active validators have any for verdicts.

import { VALIDATOR_ACTIVE, VALIDATOR_SUSPENDED } from '../abi';
import { BP, REQUIRED_STAKE_FLOOR } from '../ledger/rates';
import { mulDiv } from '../lib/u128';
import { reputationBp } from '../reputation/score';
import { header } from '../state/header';
import { operatorOf, Validator, validatorAt } from './validators';

/** reputation_bp of protocol 6.9: the operator's score, never below the baseline. */
export function validatorReputationBp(validator: Validator, nowSecs: u64): u64 {
  return max<u64>(reputationBp(operatorOf(validator), nowSecs), validator.baselineBp);
}

/** mul(reputation, stake, 10000): at most 10^15, so the product fits 64 bits. protocol 6.9. */
export function weightOf(reputation: u64, stakedAmount: u64): u64 {
  return (reputation * stakedAmount) / BP;
}

/** Vote weight, 0 unless active. */
export function voteWeight(validator: Validator, nowSecs: u64): u64 {
  if (validator.status != VALIDATOR_ACTIVE) return 0;
  return weightOf(validatorReputationBp(validator, nowSecs), operatorOf(validator).staked);
}

/** Weight of its seat in the order: a suspension does not affect it (protocol 7.4). */
export function orderingWeight(validator: Validator, nowSecs: u64): u64 {
  if (validator.status != VALIDATOR_ACTIVE && validator.status != VALIDATOR_SUSPENDED) return 0;
  return weightOf(validatorReputationBp(validator, nowSecs), operatorOf(validator).staked);
}

/** Sum of the weights of all active validators. */
export function totalVoteWeight(nowSecs: u64): u64 {
  let sum: u64 = 0;
  for (let i: u32 = 0; i < header().validatorCount; i++) sum += voteWeight(validatorAt(i), nowSecs);
  return sum;
}

/**
 * required_stake of protocol 6.7 in micro-units: `volume` of assured budgets completed in 30 days, `active`
 * validators, `largest` assured budget of 30 days.
 */
export function requiredStakeFor(volume: u64, active: u64, largest: u64): u64 {
  const share = mulDiv(volume, 5000, BP * max<u64>(active, 1));
  const cover = mulDiv(largest, 3000, BP);
  return max<u64>(REQUIRED_STAKE_FLOOR, max<u64>(share, cover));
}

/** Current required_stake, from the windows of 30 days. */
export function requiredStake(activeCount: u64): u64 {
  return requiredStakeFor(header().assuredVolume, activeCount, header().assuredLargest);
}
