// Figures of an agent or validator at a time: sums, scores, trust, weights (DECISIONS 6.8 to 6.10).

import * as abi from '../../assembly/abi.ts';
import * as rules from './rules.ts';
import type { ModelAgent, ModelItem, ModelState, ModelValidator } from './state.ts';

/** Sum of a count over all categories except `transfer`. */
export function sumOf(agent: ModelAgent, pick: 'completed' | 'failed'): number {
  return agent.records
    .filter((r) => r.category !== abi.CATEGORY_TRANSFER)
    .reduce((sum, r) => sum + r[pick], 0);
}

export function exposure(s: ModelState, agent: ModelAgent): bigint {
  return s.items
    .filter((i) => i.kind === abi.ITEM_TRANSFER && i.agent === agent)
    .reduce((sum, i) => sum + i.amount, 0n);
}

export function effectiveTasks(s: ModelState, agent: ModelAgent, now: number): number {
  return rules.decayed(sumOf(agent, 'completed'), s.days(agent.lastActive, now));
}

export function daysStaked(s: ModelState, agent: ModelAgent, now: number): number {
  return agent.staked === 0n ? 0 : s.days(agent.stakedSince, now);
}

export function multiplier(s: ModelState, agent: ModelAgent, now: number): number {
  return rules.multiplier(effectiveTasks(s, agent, now), daysStaked(s, agent, now));
}

export function trustLimit(s: ModelState, agent: ModelAgent, now: number): bigint {
  return agent.staked * BigInt(multiplier(s, agent, now));
}

export function reputationBp(s: ModelState, agent: ModelAgent, now: number): number {
  const idle = s.days(agent.lastActive, now);
  return rules.scoreBp(sumOf(agent, 'completed'), sumOf(agent, 'failed'), idle);
}

export function validatorReputation(s: ModelState, v: ModelValidator, now: number): number {
  return Math.max(reputationBp(s, v.agent, now), v.baselineBp);
}

export function voteWeight(s: ModelState, v: ModelValidator, now: number): bigint {
  if (v.status !== abi.VALIDATOR_ACTIVE) return 0n;
  return rules.weight(validatorReputation(s, v, now), v.agent.staked);
}

export function isParty(item: ModelItem, agent: ModelAgent): boolean {
  return item.agent === agent || item.recipient === agent;
}

export interface ModelTally {
  approve: bigint;
  reject: bigint;
  total: bigint;
  participants: number;
  lowest: bigint;
  weights: bigint[];
}

/** 6.9: the count of an item's votes with present weights. */
export function tally(s: ModelState, item: ModelItem, now: number): ModelTally {
  const counts = (v: ModelValidator): boolean => v.status === abi.VALIDATOR_ACTIVE && !isParty(item, v.agent);
  const weightOf = (v: ModelValidator): bigint => (counts(v) ? voteWeight(s, v, now) : 0n);
  const counted = item.votes.filter((v) => counts(v.validator));
  const side = (approve: boolean): bigint =>
    counted.filter((v) => v.approve === approve).reduce((sum, v) => sum + weightOf(v.validator), 0n);
  const values = counted.filter((v) => v.approve).map((v) => v.value);
  return {
    approve: side(true),
    reject: side(false),
    total: s.validators.reduce((sum, v) => sum + weightOf(v), 0n),
    participants: counted.length,
    lowest: values.reduce((a, b) => rules.min(a, b), rules.CAP),
    weights: item.votes.map((v) => weightOf(v.validator)),
  };
}

export function decision(s: ModelState, t: ModelTally): number {
  if (t.participants < s.param(abi.PARAM_MIN_PARTICIPANTS)) return abi.SETTLED_NONE;
  if (rules.wins(t.approve, t.total)) return abi.SETTLED_VERIFIED;
  return rules.wins(t.reject, t.total) ? abi.SETTLED_REJECTED : abi.SETTLED_NONE;
}

export function calibrationOf(v: ModelValidator, category?: number): { signals: number; correct: number } {
  const votes = v.decided.filter((d) => category === undefined || d.category === category);
  return { signals: votes.length, correct: votes.filter((d) => d.right).length };
}

export function assignmentWeight(v: ModelValidator, category?: number): number {
  const { signals, correct } = calibrationOf(v, category);
  return rules.assignmentWeight(rules.calibration(signals, correct), v.status === abi.VALIDATOR_PROBATION);
}
