// Assurance lanes: fee, panel size and security floor of each, and which ones are available to a category.
// Keeps: the table of protocol 6.3; a lane is available when enough active validators serve the category.

import { LANE_HIGH, LANE_NONE, LANE_STANDARD, VALIDATOR_ACTIVE } from '../abi';
import { BP, TOKEN } from '../ledger/rates';
import { mulDiv } from '../lib/u128';
import { findCategory } from '../reputation/categories';
import { header, nowSecs } from '../state/header';
import { isSuspendedIn } from '../validators/calibration';
import { servesCategory, validatorAt } from '../validators/validators';
import { coverOf } from '../validators/weight';
import { isStructured } from './reserves';
import { Task } from './rows';

/** protocol 6.3: minimum budget for a lane. */
export const MIN_ASSURED_BUDGET: u64 = 25 * TOKEN;

function rateBp(lane: u32): u64 {
  if (lane == LANE_STANDARD) return 300;
  return lane == LANE_HIGH ? 600 : 800;
}

function minFee(lane: u32): u64 {
  if (lane == LANE_STANDARD) return 2 * TOKEN;
  return (lane == LANE_HIGH ? 4 : 8) * TOKEN;
}

/** Number of active validators that a lane requires. */
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
  return max<u64>(minFee(lane), mulDiv(budget, rateBp(lane), BP));
}

/** What those must have staked who are drawn to judge a task, besides what is required of all; 0 when it is unassured. */
export function coverOfTask(task: Task): u64 {
  return task.lane == LANE_NONE ? 0 : coverOf(task.budget);
}

// True when the validator is active, serves the category, and canaries have not suspended it there.
function serves(index: u32, category: i32): bool {
  const validator = validatorAt(index);
  if (validator.status != VALIDATOR_ACTIVE || !servesCategory(validator, category)) return false;
  return !isSuspendedIn(index, category, nowSecs());
}

/** Number of active validators that currently serve the category of this form (protocol 6.3). O(validators). */
export function countServing(form: usize): u32 {
  const category = findCategory(form);
  let count: u32 = 0;
  for (let i: u32 = 0; i < header().validatorCount; i++) if (serves(i, category)) count++;
  return count;
}

/** The requested lane, or the next lower one that is available; LANE_NONE when none is. */
export function availableLane(asked: u32, reserve: u32, serving: u32): u32 {
  for (let lane = asked; lane != LANE_NONE; lane--) {
    if (lane != LANE_STANDARD && !isStructured(reserve)) continue;
    if (serving >= securityFloor(lane)) return lane;
  }
  return LANE_NONE;
}
