// How well validators judge, and how alike: counts by category, canaries, pairs and clusters (protocol 6.9, 7.4, 7.7).

import * as abi from '../../assembly/abi.ts';
import type { ModelItem, ModelLate, ModelState } from './state.ts';
import { tellStatus } from './validator-events.ts';
import type { ModelCalibration, ModelValidator } from './validator-state.ts';

const CALIBRATIONS = 11;
const PAIRS = 14;
const ENOUGH_CANARIES = 20;
const ENOUGH_TASKS = 50;
/** Votes of one event that make pairs, so that closing it costs no more than their square. */
const MAX_JUDGES = 128;
const STRUCTURED = ['code', 'data', 'analysis', 'content'];

export const isStructured = (category: string): boolean => STRUCTURED.includes(category);

function calibrationOf(s: ModelState, v: ModelValidator, category: number): ModelCalibration | undefined {
  const rows = s.validators.reduce((sum, x) => sum + x.calibrations.size, 0);
  if (!v.calibrations.has(category) && rows < s.capacity(CALIBRATIONS)) {
    const empty = { signals: 0, correct: 0, canarySignals: 0, canaryPoints: 0, suspendedUntil: 0 };
    v.calibrations.set(category, empty);
  }
  return v.calibrations.get(category);
}

/** A vote on an event that a quorum decided; in probation only on one that the validator was drawn for. */
function countVote(
  s: ModelState,
  v: ModelValidator,
  category: number,
  isRight: boolean,
  isDrawn: boolean,
): void {
  if (v.status === abi.VALIDATOR_PROBATION && !isDrawn) return;
  v.decided++;
  if (isRight) v.right++;
  const counts = calibrationOf(s, v, category);
  if (!counts) return;
  counts.signals++;
  if (isRight) counts.correct++;
}

/** 15.6: three steps apart are still the same opinion. */
export const agrees = (a: number, b: number): boolean => Math.abs(a - b) <= 3;

/** The votes on an event that a quorum decided, and those that are missing though there was time. */
export function countVotes(s: ModelState, item: ModelItem, category: number, share: number): void {
  for (const { validator: v, share: voted } of item.votes) {
    countVote(s, v, category, agrees(voted, share), item.assigned.includes(v.index));
  }
  const isAwaited = (index: number): boolean =>
    s.validators[index]!.status === abi.VALIDATOR_PROBATION &&
    !item.votes.some((vote) => vote.validator.index === index);
  if (s.now < item.created + 60) {
    const drawn = item.assigned.filter(isAwaited);
    if (item.kind === abi.ITEM_TRANSFER && drawn.length > 0)
      s.late.push({ eventId: item.eventId, category, share, at: s.now, drawn });
    return;
  }
  const voters = item.votes.map((vote) => vote.validator.index);
  for (const index of item.assigned.filter((x) => !voters.includes(x))) {
    const v = s.validators[index]!;
    if (v.status === abi.VALIDATOR_PROBATION) v.missedDraws++;
  }
}

/** The last 1,024 transfers that were decided before somebody drawn for them could vote: such a vote still counts. */
const LATE = 1024;

export function lateOf(
  s: ModelState,
  eventId: string,
  v: ModelValidator,
  now: number,
): ModelLate | undefined {
  const late = s.late.slice(-LATE).find((x) => x.eventId === eventId && x.drawn.includes(v.index));
  const isOpen = late && now < late.at + s.param(abi.PARAM_VERIFICATION_DEADLINE_SECS);
  return isOpen && v.status === abi.VALIDATOR_PROBATION ? late : undefined;
}

export function countLate(s: ModelState, late: ModelLate, v: ModelValidator, share: number): void {
  late.drawn = late.drawn.filter((index) => index !== v.index);
  countVote(s, v, late.category, agrees(share, late.share), true);
}

/** A replay that its executor did not deliver in time. */
export function countMiss(s: ModelState, v: ModelValidator, category: number): void {
  const counts = calibrationOf(s, v, category);
  if (counts) counts.signals++;
}

/** A vote that had been right is wrong after all. */
export function turnIntoMiss(v: ModelValidator, category: number): void {
  if (v.right > 0) v.right--;
  const counts = v.calibrations.get(category);
  if (counts && counts.correct > 0) counts.correct--;
}

/** Canaries of the category were judged badly by it, in enough of them. */
export function failsCanaries(c: ModelCalibration | undefined): boolean {
  if (!c || c.canarySignals < ENOUGH_CANARIES) return false;
  return Math.floor((c.canaryPoints * 10_000) / (2 * c.canarySignals)) < 6000;
}

export const isSuspendedIn = (v: ModelValidator, category: number, now: number): boolean =>
  (v.calibrations.get(category)?.suspendedUntil ?? 0) > now;

/** Active, and names the category or none. */
export const serves = (v: ModelValidator, category: string): boolean =>
  v.status === abi.VALIDATOR_ACTIVE && (v.categories.length === 0 || v.categories.includes(category));

/** One more out would be more than a third of those that serve the category. */
function isCrowdedOut(s: ModelState, category: number): boolean {
  const serving = s.validators.filter((v) => serves(v, s.categories[category]!));
  return (serving.filter((v) => isSuspendedIn(v, category, s.now)).length + 1) * 3 > serving.length;
}

/**
 * A canary judged: rightly, partly, or not (2, 1, 0 points). Bad accuracy suspends the category for 30 days, but never
 * because of a canary judged rightly, or it could not recover.
 */
export function countCanary(s: ModelState, v: ModelValidator, category: number, points: number): void {
  const counts = calibrationOf(s, v, category);
  if (!counts) return;
  counts.canarySignals++;
  counts.canaryPoints += points;
  const isServing = v.status === abi.VALIDATOR_ACTIVE && !isSuspendedIn(v, category, s.now);
  if (points === 2 || !failsCanaries(counts) || !isServing || isCrowdedOut(s, category)) return;
  counts.suspendedUntil = s.now + 30 * s.param(abi.PARAM_DAY_SECS);
  tellStatus(s, v, abi.STATUS_REASON_CANARY);
}

/** Votes on a submission or dispute that was closed: each two of its judges judged it together. */
export function noteJudges(s: ModelState, item: ModelItem): void {
  const kind = isStructured(item.task!.categoryName) ? 0 : 1;
  const votes = item.votes.slice(0, MAX_JUDGES);
  for (const [i, a] of votes.entries()) {
    for (const b of votes.slice(0, i)) {
      const members = [a.validator, b.validator].sort((x, y) => x.index - y.index);
      const key = members.map((v) => v.index).join('/');
      const known = s.pairs.get(key);
      if (!known && s.pairs.size >= s.capacity(PAIRS)) continue;
      const pair = known ?? { members, common: [0, 0], agreed: [0, 0] };
      s.pairs.set(key, pair);
      pair.common[kind]!++;
      if (agrees(a.share, b.share)) pair.agreed[kind]!++;
    }
  }
}

function isAlike(pair: { common: number[]; agreed: number[] }): boolean {
  return [9800, 9500].some((least, kind) => {
    const common = pair.common[kind]!;
    return common >= ENOUGH_TASKS && Math.floor((pair.agreed[kind]! * 10_000) / common) >= least;
  });
}

const byId = (a: ModelValidator, b: ModelValidator): number =>
  Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));

/** Once a day: pairs that judge alike are joined transitively. */
export function rollClusters(s: ModelState): void {
  const day = Math.floor(s.now / s.param(abi.PARAM_DAY_SECS));
  if (day === s.clusterDay) return;
  s.clusterDay = day;
  const groups = new Map(s.validators.map((v) => [v, [v]]));
  for (const pair of s.pairs.values()) {
    const [a, b] = pair.members.map((v) => groups.get(v)!);
    if (!isAlike(pair) || a === b) continue;
    const joined = [...a!, ...b!];
    for (const v of joined) groups.set(v, joined);
  }
  for (const v of s.validators) {
    const group = groups.get(v)!;
    v.cluster = group.length > 1 ? [...group].sort(byId)[0] : undefined;
  }
}

export const inOneCluster = (a: ModelValidator, b: ModelValidator): boolean =>
  a === b || (a.cluster !== undefined && a.cluster === b.cluster);
