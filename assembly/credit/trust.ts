// Trust: how much an agent may have pending at a time, given its stake and its record of settled work.
// Keeps: pure functions of a row and a time; nothing is written here.

import { Agent } from '../ledger/agents';
import { daySecs } from '../state/header';
import { standingPower } from './standing';

/** protocol 6.8: tasks lost for each whole period without activity. */
const DECAY_TASKS: u64 = 25;
const DECAY_DAYS: u64 = 30;

/** completed less 25 for each whole 30 days of `idleDays`, not below 0 (protocol 6.8, 6.10). */
export function decayedTasks(completed: u64, idleDays: u64): u64 {
  const lost = (idleDays / DECAY_DAYS) * DECAY_TASKS;
  return completed > lost ? completed - lost : 0;
}

/** Whole days between two seconds of consensus time. */
export function wholeDays(fromSecs: u64, toSecs: u64): u64 {
  return (toSecs - fromSecs) / daySecs();
}

/** Multiplier 1..5: both the tasks and the days of a tier are needed (protocol 6.8). */
export function multiplierFor(effectiveTasks: u64, daysStaked: u64): u64 {
  const byTasks = min<u64>(effectiveTasks / 25, 4);
  const byDays = min<u64>(daysStaked / 30, 4);
  return min<u64>(byTasks, byDays) + 1;
}

export function effectiveTasks(agent: Agent, nowSecs: u64): u64 {
  if (agent.completed == 0) return 0;
  return decayedTasks(agent.completed, wholeDays(agent.lastActiveSecs, nowSecs));
}

/** 0 while nothing is staked. */
export function daysStaked(agent: Agent, nowSecs: u64): u64 {
  return agent.staked == 0 ? 0 : wholeDays(agent.stakedSinceSecs, nowSecs);
}

export function trustMultiplier(agent: Agent, nowSecs: u64): u64 {
  // The lowest tier, in which most agents are, does not depend on any clock.
  if (agent.completed < <u32>DECAY_TASKS) return 1;
  return multiplierFor(effectiveTasks(agent, nowSecs), daysStaked(agent, nowSecs));
}

/**
 * Stake times multiplier, but above the stake only as far as standing carries it; micro-units, 0 without stake. At most
 * 5 * 10^15. protocol 6.8, 6.17.
 */
export function trustLimit(agent: Agent, nowSecs: u64): u64 {
  const multiplier = trustMultiplier(agent, nowSecs);
  if (multiplier == 1) return agent.staked;
  return min<u64>(agent.staked * multiplier, agent.staked + standingPower(agent, nowSecs));
}
