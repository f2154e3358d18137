// Which lane an assured task gets (protocol 6.3).

import * as abi from '../../assembly/abi.ts';
import type { Command } from './command.ts';
import { isStructured, isSuspendedIn, serves } from './judging.ts';
import { type Refusal, refuse } from './refusal.ts';
import { MIN_RESERVE, reserveOf } from './reserves.ts';
import * as rules from './rules.ts';
import type { ModelState } from './state.ts';
import { assuranceFee, laneOf } from './task-money.ts';

const big = (n: number): bigint => BigInt(n);

/** Active validators that serve the category and are not suspended in it. */
export function servingCount(s: ModelState, category: string, now: number): number {
  const number = s.categories.indexOf(category);
  return s.validators.filter((v) => serves(v, category) && !isSuspendedIn(v, number, now)).length;
}

/** 6.3: the lane, or a refusal. */
export function chooseLane(s: ModelState, c: Command, now: number): number | Refusal {
  if (c.lane === abi.LANE_NONE) return abi.LANE_NONE;
  const reserve = s.pools[reserveOf(c.category)]!;
  const serving = servingCount(s, c.category, now);
  const steps = [abi.LANE_ENTERPRISE, abi.LANE_HIGH, abi.LANE_STANDARD].filter((lane) => lane <= c.lane);
  const possible = steps.filter(
    (lane) => serving >= laneOf(lane).floor && (lane === abi.LANE_STANDARD || isStructured(c.category)),
  );
  const lane = possible[0] ?? abi.LANE_NONE;
  const { missing } = rules.executorPart(assuranceFee(lane === abi.LANE_NONE ? c.lane : lane, c.amount));
  if (reserve < MIN_RESERVE && missing > 0n) return refuse(abi.ASSURANCE_BLOCKED, reserve, MIN_RESERVE);
  if (lane === c.lane || (c.flags & abi.TASK_DOWNGRADE_ALLOWED) !== 0) return lane;
  return refuse(abi.SECURITY_FLOOR, big(c.lane), big(lane), big(laneOf(c.lane).floor), big(serving));
}
