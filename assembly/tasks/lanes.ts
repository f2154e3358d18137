// Assurance lanes: fee, panel and security floor of each, and which one a category can have now.
// Keeps: the table of DECISIONS 6.3; a lane is available when enough active validators serve the category.

import { LANE_HIGH, LANE_NONE, LANE_STANDARD, VALIDATOR_ACTIVE } from '../abi';
import { BP, TOKEN } from '../ledger/rates';
import { mulDiv } from '../lib/u128';
import { findCategory } from '../reputation/categories';
import { header, nowSecs } from '../state/header';
import { isSuspendedIn } from '../validators/calibration';
import { servesCategory, validatorAt } from '../validators/validators';
import { isStructured } from './reserves';

/** 6.3: smallest budget with a lane. */
export const LEAST_ASSURED_BUDGET: u64 = 25 * TOKEN;

function rateBp(lane: u32): u64 {
  if (lane == LANE_STANDARD) return 300;
  return lane == LANE_HIGH ? 600 : 800;
}

function leastFee(lane: u32): u64 {
  if (lane == LANE_STANDARD) return 2 * TOKEN;
  return (lane == LANE_HIGH ? 4 : 8) * TOKEN;
}

/** Active validators that a lane asks for. */
export function securityFloor(lane: u32): u32 {
  if (lane == LANE_STANDARD) return 3;
  return lane == LANE_HIGH ? 5 : 10;
}

export function panelSize(lane: u32): u32 {
  if (lane == LANE_STANDARD) return 3;
  return lane == LANE_HIGH ? 5 : 7;
}

/** Assurance fee of a lane on the original budget, micro-units. 25 tokens standard: 2 tokens, the floor. */
export function assuranceFee(lane: u32, budget: u64): u64 {
  if (lane == LANE_NONE) return 0;
  return max<u64>(leastFee(lane), mulDiv(budget, rateBp(lane), BP));
}

// Active, for the category, and not kept out of it by canaries.
function serves(index: u32, category: i32): bool {
  const validator = validatorAt(index);
  if (validator.status != VALIDATOR_ACTIVE || !servesCategory(validator, category)) return false;
  return !isSuspendedIn(index, category, nowSecs());
}

/** Active validators that serve the category of this 56-byte form, or all, now (DECISIONS 6.3). O(validators). */
export function countServing(form: usize): u32 {
  const category = findCategory(form);
  let count: u32 = 0;
  for (let i: u32 = 0; i < header().validatorCount; i++) if (serves(i, category)) count++;
  return count;
}

/** The lane asked for, or the next lower one that is available; LANE_NONE when none is. */
export function availableLane(asked: u32, reserve: u32, serving: u32): u32 {
  for (let lane = asked; lane != LANE_NONE; lane--) {
    if (lane != LANE_STANDARD && !isStructured(reserve)) continue;
    if (serving >= securityFloor(lane)) return lane;
  }
  return LANE_NONE;
}
