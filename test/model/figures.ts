// Figures of an agent or validator at a time: sums, scores, trust, weights (protocol 6.8 to 6.10).

import * as abi from '../../assembly/abi.ts';
import { agrees, failsCanaries, inOneCluster } from './judging.ts';
import * as rules from './rules.ts';
import { power } from './standing.ts';
import type { ModelAgent, ModelItem, ModelState, ModelValidator } from './state.ts';

export function exposure(s: ModelState, agent: ModelAgent): bigint {
  return s.items
    .filter((i) => i.kind === abi.ITEM_TRANSFER && i.agent === agent)
    .reduce((sum, i) => sum + i.amount, 0n);
}

export function effectiveTasks(s: ModelState, agent: ModelAgent, now: number): number {
  return rules.decayed(agent.completed, s.days(agent.lastActive, now));
}

export function daysStaked(s: ModelState, agent: ModelAgent, now: number): number {
  return agent.staked === 0n ? 0 : s.days(agent.stakedSince, now);
}

export function multiplier(s: ModelState, agent: ModelAgent, now: number): number {
  return rules.multiplier(effectiveTasks(s, agent, now), daysStaked(s, agent, now));
}

export function trustLimit(s: ModelState, agent: ModelAgent, now: number): bigint {
  const most = agent.staked * BigInt(multiplier(s, agent, now));
  return rules.min(most, agent.staked + standingPower(s, agent, now));
}

/** 6.17 */
export function standingPower(s: ModelState, agent: ModelAgent, now: number): bigint {
  return power(agent.standing, now, s.param(abi.PARAM_DAY_SECS));
}

export function reputationBp(s: ModelState, agent: ModelAgent, now: number): number {
  const idle = s.days(agent.lastActive, now);
  return rules.scoreBp(agent.completed, agent.failed, idle);
}

export function validatorReputation(s: ModelState, v: ModelValidator, now: number): number {
  const { staked } = v.agent;
  const above = Math.max(0, reputationBp(s, v.agent, now) - v.baselineBp);
  const carried = staked === 0n ? 0n : rules.mul(standingPower(s, v.agent, now), 10000n, staked);
  return v.baselineBp + Number(rules.min(BigInt(above), carried));
}

/** By present stake and reputation, in whatever status. */
export function presentWeight(s: ModelState, v: ModelValidator, now: number): bigint {
  return rules.weight(validatorReputation(s, v, now), v.agent.staked);
}

const isActive = (v: ModelValidator): boolean => v.status === abi.VALIDATOR_ACTIVE;

/** 6.9: new weight of all judges together counts up to a quarter of the weight that they held before. */
export function voteWeight(
  s: ModelState,
  v: ModelValidator,
  now: number,
  judges: readonly ModelValidator[] = s.validators,
): bigint {
  if (!isActive(v)) return 0n;
  const held = (x: ModelValidator): bigint => rules.min(x.held, presentWeight(s, x, now));
  const sumOfHeld = (all: readonly ModelValidator[]): bigint => all.reduce((sum, x) => sum + held(x), 0n);
  const present = presentWeight(s, v, now);
  const counted = judges.filter(isActive);
  const fresh = counted.reduce((sum, x) => sum + presentWeight(s, x, now) - held(x), 0n);
  const most = sumOfHeld(counted) / 4n;
  if (fresh <= most || sumOfHeld(s.validators.filter(isActive)) === 0n) return present;
  return held(v) + rules.mul(present - held(v), most, fresh);
}

/** Held weight of the active ones among these. */
export function heldBy(s: ModelState, these: readonly ModelValidator[], now: number): bigint {
  const held = these.filter(isActive).map((v) => rules.min(v.held, presentWeight(s, v, now)));
  return held.reduce((sum, x) => sum + x, 0n);
}

/** 6.9: a quorum is measured against at least a fifth of all held weight, and half of that of those who are asked. */
export function leastTotal(s: ModelState, now: number, asked: readonly ModelValidator[]): bigint {
  return rules.max(heldBy(s, s.validators, now) / 5n, heldBy(s, asked, now) / 2n);
}

/** 6.9: once a day a thirtieth of the new weight that counts becomes held. */
export function rollWeights(s: ModelState): void {
  const day = Math.floor(s.now / s.param(abi.PARAM_DAY_SECS));
  if (day === s.weightDay) return;
  s.weightDay = day;
  const next = s.validators.map((v) => {
    const held = rules.min(v.held, presentWeight(s, v, s.now));
    return isActive(v) ? held + (voteWeight(s, v, s.now) - held + 29n) / 30n : held;
  });
  for (const [i, v] of s.validators.entries()) v.held = next[i]!;
}

export const isParty = (item: ModelItem, agent: ModelAgent): boolean => item.parties.includes(agent);

/** The validator judged what the dispute is about, or is in a cluster with one that did. */
export const isBarred = (item: ModelItem, v: ModelValidator): boolean =>
  item.barred.some((judge) => judge === v || (item.barsClusters && inOneCluster(judge, v)));

/** The validator may not judge, or is not asked: parties, those barred from a dispute, those off the panel. */
export function isKeptOut(item: ModelItem, v: ModelValidator): boolean {
  return isParty(item, v.agent) || isBarred(item, v) || !isAssigned(item, v);
}

function isAssigned(item: ModelItem, v: ModelValidator): boolean {
  const hasVoted = [...item.votes, ...item.commitments].some(({ validator }) => validator === v);
  if (item.panel === 'judges') return v.isJudge || hasVoted;
  return item.panel !== 'seats' || item.assigned.includes(v.index);
}

/** Of a dispute: those who are to judge it, whether they may or not. */
const askedAbout = (s: ModelState, item: ModelItem): ModelValidator[] =>
  item.kind === abi.ITEM_DISPUTE ? s.validators.filter((v) => isAssigned(item, v)) : [];

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
  const inside = s.assuredCompleted.filter((x) => inWindow(s, x.bucket));
  return inside.reduce((most, x) => rules.max(most, x.budget), 0n);
}

/** 6.7: what a validator must have staked now. */
export function requiredStake(s: ModelState): bigint {
  const active = s.validators.filter((v) => v.status === abi.VALIDATOR_ACTIVE).length;
  return rules.requiredStake(assuredVolume(s), active, assuredLargest(s));
}

/** 6.11: what is left today of a seat's equal part of the daily budget. */
export function grantsLeftOf(s: ModelState, seat: number): bigint {
  if (!s.seats.has(seat)) return 0n;
  const part = BigInt(Math.floor(s.param(abi.PARAM_ONBOARDING_DAILY_BUDGET) / s.seats.size));
  const today = Math.floor(s.now / s.param(abi.PARAM_DAY_SECS));
  const given = s.givenOut.filter((x) => x.day === today && x.seat === seat);
  return given.reduce((left, x) => left - x.amount, part);
}

/** Bonds of an agent's open challenges. */
export function bonded(s: ModelState, agent: ModelAgent): bigint {
  const own = s.challenges.filter((c) => c.challenger === agent && c.status === abi.CHALLENGE_OPEN);
  return own.reduce((sum, c) => sum + c.bond, 0n);
}

/** Deposits of an agent's API keys and of its registration with the router. */
export function deposits(s: ModelState, agent: ModelAgent): bigint {
  const ofKeys = s.keys.filter((k) => k.owner === agent).reduce((sum, k) => sum + k.deposit, 0n);
  return ofKeys + (s.routerDeposits.get(agent.index) ?? 0n);
}

/** Own funds held elsewhere: pending transfers, bonds, deposits, and escrows of own tasks and of their subtasks. */
export function reserved(s: ModelState, agent: ModelAgent): bigint {
  const own = s.tasks.filter((t) => (t.parent ? t.parent.poster : t.poster) === agent);
  const others = exposure(s, agent) + bonded(s, agent) + deposits(s, agent);
  const bonds = s.tasks.reduce((sum, t) => {
    const asPoster = t.poster === agent ? t.posterHeld : 0n;
    return sum + asPoster + (t.claimer === agent ? t.workerHeld + t.feeHeld : 0n);
  }, others);
  return own.reduce((sum, t) => sum + t.escrow, bonds);
}

/** Rewards of pending replay jobs. */
export function replayEscrow(s: ModelState): bigint {
  const pending = s.jobs.filter((j) => j.status === abi.JOB_PENDING);
  return pending.reduce((sum, j) => sum + j.reward, 0n);
}

/** Does the vote of a validator on an item count. */
export const counts = (item: ModelItem, v: ModelValidator): boolean =>
  v.status === abi.VALIDATOR_ACTIVE && !isKeptOut(item, v);

const GROUNDS = [abi.GROUND_NOTHING_DELIVERED, abi.GROUND_PLAGIARISM, abi.GROUND_FRAUD];

export interface ModelTally {
  approve: bigint;
  reject: bigint;
  total: bigint;
  participants: number;
  needed: number;
  lowest: bigint;
  weights: bigint[];
  /** Weight of the rejections by the ground that they name. */
  grounds: bigint[];
  /** min_participants. */
  least: number;
  /** Share and weight of each counted vote. */
  shares: { share: number; weight: bigint }[];
  /** Of a dispute: who judges it. */
  panel: ModelItem['panel'];
  /** Those who may vote. */
  judges: number;
}

function neededOf(item: ModelItem, judging: number, least: number): number {
  if (item.kind === abi.ITEM_SUBMISSION) return Math.min(least, judging);
  return item.panel === 'none' ? least : Math.floor(judging / 2) + 1;
}

/** 6.9: the count of an item's votes with present weights. */
export function tally(s: ModelState, item: ModelItem, now: number): ModelTally {
  const judging = s.validators.filter((v) => counts(item, v));
  const weightOf = (v: ModelValidator): bigint => (counts(item, v) ? voteWeight(s, v, now, judging) : 0n);
  const counted = item.votes.filter((v) => counts(item, v.validator));
  const side = (approve: boolean): bigint =>
    counted.filter((v) => v.approve === approve).reduce((sum, v) => sum + weightOf(v.validator), 0n);
  const least = s.param(abi.PARAM_MIN_PARTICIPANTS);
  const values = counted.filter((v) => v.approve).map((v) => v.value);
  const all = s.validators.reduce((sum, v) => sum + weightOf(v), 0n);
  return {
    approve: side(true),
    reject: side(false),
    total: item.panel === 'seats' ? all : rules.max(all, leastTotal(s, now, askedAbout(s, item))),
    participants: counted.length,
    needed: neededOf(item, judging.length, least),
    least,
    panel: item.kind === abi.ITEM_DISPUTE ? item.panel : 'none',
    judges: judging.length,
    shares: counted.map((v) => ({ share: v.share, weight: weightOf(v.validator) })),
    lowest: values.reduce((a, b) => rules.min(a, b), rules.CAP),
    weights: item.votes.map((v) => weightOf(v.validator)),
    grounds: GROUNDS.map((ground) =>
      counted.filter((v) => v.ground === ground).reduce((sum, v) => sum + weightOf(v.validator), 0n),
    ),
  };
}

/** 15.7: rejections with the weight of a quorum name the same ground. */
export const namesGround = (t: ModelTally): boolean =>
  t.participants >= t.least && t.grounds.some((weight) => rules.wins(weight, t.total));

const winsIn = (t: ModelTally, weight: bigint): boolean =>
  t.participants >= t.needed && (t.panel === 'none' ? rules.wins(weight, t.total) : weight * 2n > t.total);

/** 15.6: enough weight calls the share not too little, and enough not too much. */
export function decidedShare(t: ModelTally): number | undefined {
  const sum = (votes: ModelTally['shares']): bigint => votes.reduce((all, v) => all + v.weight, 0n);
  const isMedian = (share: number): boolean =>
    winsIn(t, sum(t.shares.filter((v) => v.share <= share))) &&
    winsIn(t, sum(t.shares.filter((v) => v.share >= share)));
  const median = Array.from({ length: 11 }, (_, share) => share).find(isMedian);
  if (median === undefined || t.panel !== 'seats') return median;
  const alike = sum(t.shares.filter((v) => agrees(v.share, median)));
  return rules.wins(alike, t.total) ? median : undefined;
}

export function decision(t: ModelTally): number {
  const wins = (weight: bigint): boolean => winsIn(t, weight);
  if (wins(t.approve)) return abi.SETTLED_VERIFIED;
  return wins(t.reject) ? abi.SETTLED_REJECTED : abi.SETTLED_NONE;
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
