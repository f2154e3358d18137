// The weight of a validator's verdict, and the stake that the network requires of validators.
// Keeps: the weight follows from current reputation and stake; only active validators have any for verdicts. Weight that is
// new, by activation, stake or reputation, never passes a quarter of the weight that was held before, whoever may judge:
// stake can be bought or granted in a day, a majority cannot.

import { VALIDATOR_ACTIVE, VALIDATOR_SUSPENDED } from '../abi';
import { standingPower } from '../credit/standing';
import { BP, REQUIRED_STAKE_FLOOR } from '../ledger/rates';
import { zero } from '../lib/bytes';
import { mulDiv } from '../lib/u128';
import { reputationBp } from '../reputation/score';
import { daySecs, header } from '../state/header';
import { markValidator, operatorOf, Validator, validatorAt } from './validators';

/** New weight counts up to this part of the held weight. */
const HELD_PER_FRESH: u64 = 4;
/** A quorum is measured against at least this part of all held weight, and this of what those that are asked hold. */
const HELD_PER_LEAST_TOTAL: u64 = 5;
const ASKED_PER_LEAST_TOTAL: u64 = 2;
/** On a day this part of the new weight that counts becomes held. */
const FRESH_DAYS: u64 = 30;

/**
 * reputation_bp of protocol 6.9: the baseline, or the operator's score as far as standing carries the weight above the
 * baseline's.
 */
export function validatorReputationBp(validator: Validator, nowSecs: u64): u64 {
  const operator = operatorOf(validator);
  const score = reputationBp(operator, nowSecs);
  if (score <= validator.baselineBp || operator.staked == 0) return validator.baselineBp;
  const carried = (standingPower(operator, nowSecs) * BP) / operator.staked;
  return min<u64>(score, validator.baselineBp + carried);
}

/** mul(reputation, stake, 10000): at most 10^15, so the product fits 64 bits. protocol 6.9. */
export function weightOf(reputation: u64, stakedAmount: u64): u64 {
  return (reputation * stakedAmount) / BP;
}

/** Weight of the present stake and reputation of a validator, in whatever status. */
export function presentWeight(validator: Validator, nowSecs: u64): u64 {
  return weightOf(validatorReputationBp(validator, nowSecs), operatorOf(validator).staked);
}

/** What new weight is measured against: sums over those who may judge. */
@unmanaged
class Judges {
  held: u64;
  fresh: u64;
  /** Held weight of all active validators; 0 where only a panel was counted. */
  allHeld: u64;
  /** Held weight of those that are asked, whether they may judge or not. */
  asked: u64;
  /** 1: nobody in the network has held weight, so there is nothing to measure against. */
  isFirst: u32;
}
const JUDGES: usize = memory.data(40, 8);

function judges(): Judges {
  return changetype<Judges>(JUDGES);
}

function heldPart(validator: Validator, weight: u64): u64 {
  return min<u64>(weight, validator.heldWeight);
}

/**
 * Begins to count who may judge; then `addJudge` for each of a panel, or `addActive` for every validator; then
 * `endJudges`. `voteWeight` means these judges from then on.
 */
export function beginJudges(): void {
  zero(JUDGES, <u32>offsetof<Judges>());
}

/** Adds a validator that may judge; nothing unless it is active. */
export function addJudge(validator: Validator, nowSecs: u64): void {
  if (validator.status != VALIDATOR_ACTIVE) return;
  const weight = presentWeight(validator, nowSecs);
  const held = heldPart(validator, weight);
  judges().held += held;
  judges().fresh += weight - held;
}

/**
 * Adds a validator of the whole network, which may judge or not. It is asked, if judgement is what is wanted of it: who is
 * barred is asked, too.
 */
export function addActive(validator: Validator, mayJudge: bool, nowSecs: u64, isAsked: bool = false): void {
  if (mayJudge) addJudge(validator, nowSecs);
  if (validator.status != VALIDATOR_ACTIVE) return;
  const held = heldPart(validator, presentWeight(validator, nowSecs));
  judges().allHeld += held;
  if (isAsked) judges().asked += held;
}

/**
 * What a quorum is measured against, at least: where those with held weight may not judge, the few that remain do not
 * decide for the network. Of those that are asked, less than a third decides nothing, whoever may not judge. 0 for a panel,
 * whose members were drawn.
 */
export function leastTotal(): u64 {
  return max<u64>(judges().allHeld / HELD_PER_LEAST_TOTAL, judges().asked / ASKED_PER_LEAST_TOTAL);
}

/** True when those who may judge hold so much that the few do not decide for the network. */
export function holdsLeast(): bool {
  return judges().held >= leastTotal();
}

// True when some active validator has held weight.
function hasHeldWeight(nowSecs: u64): bool {
  for (let i: u32 = 0; i < header().validatorCount; i++) {
    const validator = validatorAt(i);
    if (validator.status != VALIDATOR_ACTIVE) continue;
    if (heldPart(validator, presentWeight(validator, nowSecs)) != 0) return true;
  }
  return false;
}

/** Ends the count. O(validators) when none of those added has held weight, else O(1). */
export function endJudges(nowSecs: u64): void {
  const j = judges();
  if (j.held == 0 && j.fresh != 0 && !hasHeldWeight(nowSecs)) j.isFirst = 1;
}

/** All active validators may judge. O(validators). */
export function allJudge(nowSecs: u64): void {
  beginJudges();
  for (let i: u32 = 0; i < header().validatorCount; i++) addActive(validatorAt(i), true, nowSecs);
  endJudges(nowSecs);
}

/** Weight of the counted judges together. */
export function judgesWeight(nowSecs: u64): u64 {
  let sum: u64 = 0;
  for (let i: u32 = 0; i < header().validatorCount; i++) sum += voteWeight(validatorAt(i), nowSecs);
  return sum;
}

/**
 * Vote weight among the counted judges, 0 unless active: held weight in full; new weight scaled down, where all of it
 * together would pass a quarter of the held weight of these judges (protocol 6.9).
 */
export function voteWeight(validator: Validator, nowSecs: u64): u64 {
  if (validator.status != VALIDATOR_ACTIVE) return 0;
  const j = judges();
  const weight = presentWeight(validator, nowSecs);
  const held = heldPart(validator, weight);
  const most = j.held / HELD_PER_FRESH;
  if (j.isFirst != 0 || j.fresh <= most) return weight;
  return held + mulDiv(weight - held, most, j.fresh);
}

/** Weight of its seat in the order: a suspension does not affect it (protocol 7.4). */
export function orderingWeight(validator: Validator, nowSecs: u64): u64 {
  if (validator.status != VALIDATOR_ACTIVE && validator.status != VALIDATOR_SUSPENDED) return 0;
  return presentWeight(validator, nowSecs);
}

/** Sum of the weights of all active validators. */
export function totalVoteWeight(nowSecs: u64): u64 {
  allJudge(nowSecs);
  return judgesWeight(nowSecs);
}

/** A seat of the manifest begins with held weight: the network was agreed upon with it. */
export function holdWeight(validator: Validator, nowSecs: u64): void {
  validator.heldWeight = presentWeight(validator, nowSecs);
  markValidator(validator);
}

// A thirtieth of the new weight that counts becomes held; weight that is gone is not held any more.
function rollOne(validator: Validator, nowSecs: u64): void {
  const held = heldPart(validator, presentWeight(validator, nowSecs));
  const isActive = validator.status == VALIDATOR_ACTIVE;
  const fresh = isActive ? voteWeight(validator, nowSecs) - held : 0;
  const next = held + (fresh + FRESH_DAYS - 1) / FRESH_DAYS;
  if (next == validator.heldWeight) return;
  validator.heldWeight = next;
  markValidator(validator);
}

/** At the first block of each day. */
export function rollWeights(nowSecs: u64): void {
  const day = nowSecs / daySecs();
  if (day == header().weightDay) return;
  header().weightDay = day;
  allJudge(nowSecs);
  for (let i: u32 = 0; i < header().validatorCount; i++) rollOne(validatorAt(i), nowSecs);
}

/** Part of an assured budget that whoever judges it must have staked. */
const COVER_BP: u64 = 3000;

/** What those must have staked who are drawn to judge an assured task with this budget, micro-units. protocol 6.7. */
export function coverOf(budget: u64): u64 {
  return mulDiv(budget, COVER_BP, BP);
}

/**
 * required_stake of protocol 6.7 in micro-units: `volume` of assured budgets completed in 30 days, `active`
 * validators, `largest` of these budgets.
 */
export function requiredStakeFor(volume: u64, active: u64, largest: u64): u64 {
  const share = mulDiv(volume, 5000, BP * max<u64>(active, 1));
  return max<u64>(REQUIRED_STAKE_FLOOR, max<u64>(share, coverOf(largest)));
}

/** Current required_stake, from the windows of 30 days. */
export function requiredStake(activeCount: u64): u64 {
  return requiredStakeFor(header().assuredVolume, activeCount, header().assuredLargest);
}
