// Figures of an agent or validator at a time: sums, scores, trust, weights (protocol 6.8 to 6.10).

import * as abi from '../../assembly/abi.ts';
import { failsCanaries, inOneCluster } from './judging.ts';
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

export const isParty = (item: ModelItem, agent: ModelAgent): boolean => item.parties.includes(agent);

/** The validator judged what the dispute is about, or is in a cluster with one that did. */
export const isBarred = (item: ModelItem, v: ModelValidator): boolean =>
  item.barred.some((judge) => inOneCluster(judge, v));

/** The validator may not judge, or is not asked: parties, those barred from a dispute, those off the panel. */
export function isKeptOut(item: ModelItem, v: ModelValidator): boolean {
  if (isParty(item, v.agent) || isBarred(item, v)) return true;
  return item.kind === abi.ITEM_SUBMISSION && !item.assigned.includes(v.index);
}

function inWindow(s: ModelState, bucket: number): boolean {
  const day = s.param(abi.PARAM_DAY_SECS);
  const size = Math.ceil(day / 24);
  return Math.floor(s.now / size) - bucket < Math.ceil((30 * day) / size);
}

/** 6.7: V, by whole buckets. */
export function assuredVolume(s: ModelState): bigint {
  const inside = s.assuredCompleted.filter((x) => inWindow(s, x.bucket));
  return rules.capped(inside.reduce((sum, x) => sum + x.budget, 0n));
}

/** 6.7: M, by whole buckets. */
export function assuredLargest(s: ModelState): bigint {
  const inside = s.assuredCreated.filter((x) => inWindow(s, x.bucket));
  return inside.reduce((most, x) => rules.max(most, x.budget), 0n);
}

/** 6.7: what a validator must have staked now. */
export function requiredStake(s: ModelState): bigint {
  const active = s.validators.filter((v) => v.status === abi.VALIDATOR_ACTIVE).length;
  return rules.requiredStake(assuredVolume(s), active, assuredLargest(s));
}

/** Bonds of an agent's open challenges. */
export function bonded(s: ModelState, agent: ModelAgent): bigint {
  const own = s.challenges.filter((c) => c.challenger === agent && c.status === abi.CHALLENGE_OPEN);
  return own.reduce((sum, c) => sum + c.bond, 0n);
}

/** Own funds held elsewhere: pending transfers, bonds, and escrows of own tasks and of their subtasks. */
export function reserved(s: ModelState, agent: ModelAgent): bigint {
  const own = s.tasks.filter((t) => (t.parent ? t.parent.poster : t.poster) === agent);
  return own.reduce((sum, t) => sum + t.escrow, exposure(s, agent) + bonded(s, agent));
}

/** Rewards of pending replay jobs. */
export function replayEscrow(s: ModelState): bigint {
  const pending = s.jobs.filter((j) => j.status === abi.JOB_PENDING);
  return pending.reduce((sum, j) => sum + j.reward, 0n);
}

export interface ModelTally {
  approve: bigint;
  reject: bigint;
  total: bigint;
  participants: number;
  needed: number;
  lowest: bigint;
  weights: bigint[];
}

/** 6.9: the count of an item's votes with present weights. */
export function tally(s: ModelState, item: ModelItem, now: number): ModelTally {
  const counts = (v: ModelValidator): boolean => v.status === abi.VALIDATOR_ACTIVE && !isKeptOut(item, v);
  const weightOf = (v: ModelValidator): bigint => (counts(v) ? voteWeight(s, v, now) : 0n);
  const counted = item.votes.filter((v) => counts(v.validator));
  const side = (approve: boolean): bigint =>
    counted.filter((v) => v.approve === approve).reduce((sum, v) => sum + weightOf(v.validator), 0n);
  const least = s.param(abi.PARAM_MIN_PARTICIPANTS);
  const judges = s.validators.filter(counts).length;
  const values = counted.filter((v) => v.approve).map((v) => v.value);
  return {
    approve: side(true),
    reject: side(false),
    total: s.validators.reduce((sum, v) => sum + weightOf(v), 0n),
    participants: counted.length,
    needed: item.kind === abi.ITEM_SUBMISSION ? Math.min(least, judges) : least,
    lowest: values.reduce((a, b) => rules.min(a, b), rules.CAP),
    weights: item.votes.map((v) => weightOf(v.validator)),
  };
}

export function decision(t: ModelTally): number {
  if (t.participants < t.needed) return abi.SETTLED_NONE;
  if (rules.wins(t.approve, t.total)) return abi.SETTLED_VERIFIED;
  return rules.wins(t.reject, t.total) ? abi.SETTLED_REJECTED : abi.SETTLED_NONE;
}

/** Weight in draws: for events of a category, or as shown, from the accuracy over all of them. */
export function assignmentWeight(v: ModelValidator, category?: number): number {
  const inProbation = v.status === abi.VALIDATOR_PROBATION;
  const all = { signals: v.decided, correct: v.right };
  const counts = category === undefined ? undefined : v.calibrations.get(category);
  if (failsCanaries(counts)) return rules.assignmentWeight(7000, inProbation);
  const { signals, correct } = category === undefined ? all : (counts ?? { signals: 0, correct: 0 });
  return rules.assignmentWeight(rules.calibration(signals, correct), inProbation);
}
