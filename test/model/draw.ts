// Drawing of validators: advisory names, binding panels, replay executors (protocol 6.9, 7.6), by walking lists.

import * as abi from '../../assembly/abi.ts';
import * as figures from './figures.ts';
import { drawNumber, executorNumber } from './hashing.ts';
import { inOneCluster, isSuspendedIn } from './judging.ts';
import * as rules from './rules.ts';
import type { ModelAgent, ModelState, ModelValidator } from './state.ts';
import type { ModelTask } from './task-state.ts';

interface Candidate {
  v: ModelValidator;
  w: bigint;
}

/** Who is kept out of a draw. */
export type Exclusion = (v: ModelValidator) => boolean;
export const without =
  (agents: ModelAgent[]): Exclusion =>
  (v) =>
    agents.includes(v.agent);

/** 6.7: what whoever is drawn to judge a task has staked, at least. */
export const coverOf = (task: Pick<ModelTask, 'lane' | 'budget'>): bigint =>
  task.lane === abi.LANE_NONE ? 0n : rules.mul(task.budget, 3000n, 10_000n);

function candidates(s: ModelState, category: number, isOut: Exclusion, cover: bigint): Candidate[] {
  const required = rules.max(figures.requiredStake(s), cover);
  const least = s.config.testnet ? rules.max(required, 25_000n * rules.TOKEN) : required;
  const inOffice = [abi.VALIDATOR_ACTIVE, abi.VALIDATOR_PROBATION] as number[];
  return s.validators
    .filter((v) => inOffice.includes(v.status) && v.agent.staked >= least && !isOut(v))
    .filter((v) => !isSuspendedIn(v, category, s.now))
    .map((v) => ({ v, w: BigInt(figures.assignmentWeight(v, category)) }))
    .sort((a, b) => Buffer.compare(Buffer.from(a.v.id), Buffer.from(b.v.id)));
}

function pick(from: Candidate[], drawn: bigint): ModelValidator {
  let number = drawn % from.reduce((total, x) => total + x.w, 0n);
  const found = from.find((x) => {
    if (number < x.w) return true;
    number -= x.w;
    return false;
  });
  return found!.v;
}

// Draws until `most` are drawn or nobody is left whom `isOver` does not pass over; draws are numbered from 1.
function drawFrom(
  s: ModelState,
  event: string,
  from: Candidate[],
  most: number,
  drawn: ModelValidator[],
  isOver: Exclusion = () => false,
): void {
  while (drawn.length < most) {
    const left = from.filter((c) => !drawn.includes(c.v) && !isOver(c.v));
    if (left.length === 0) return;
    drawn.push(pick(left, drawNumber(event, s.blockHash, drawn.length + 1)));
  }
}

/** Those who could be drawn. */
export const eligible = (
  s: ModelState,
  category: number,
  isOut: Exclusion,
  cover: bigint,
): ModelValidator[] =>
  candidates(s, category, isOut, cover)
    .filter((c) => c.w > 0n)
    .map((c) => c.v);

/** Up to `most` names that are no parties. */
export function drawNames(
  s: ModelState,
  event: string,
  category: number,
  isOut: Exclusion,
  most: number,
): ModelValidator[] {
  const drawn: ModelValidator[] = [];
  drawFrom(s, event, candidates(s, category, isOut, 0n), most, drawn);
  return drawn;
}

/**
 * A panel. Those who, each with its cluster, would pass their share of today's seats are drawn only when the panel
 * cannot be filled otherwise.
 */
export function drawPanel(
  s: ModelState,
  event: string,
  category: number,
  isOut: Exclusion,
  size: number,
  cover: bigint,
): ModelValidator[] {
  const all = candidates(s, category, isOut, cover);
  const today = Math.floor(s.now / s.param(abi.PARAM_DAY_SECS));
  const seats = s.seatLog.filter((seat) => seat.day === today);
  const active = s.validators.filter((v) => v.status === abi.VALIDATOR_ACTIVE).length;
  const cap = active < 10 ? 2000 : 1500;
  const drawn: ModelValidator[] = [];
  const isOver = (v: ModelValidator): boolean => {
    const given = seats.filter((seat) => inOneCluster(seat.validator, v)).length;
    const here = drawn.filter((other) => inOneCluster(other, v)).length;
    return (given + here + 1) * 10_000 > cap * (seats.length + size);
  };
  const isCapped = all.length >= 5 && seats.length >= 20;
  if (isCapped) drawFrom(s, event, all, size, drawn, isOver);
  drawFrom(s, event, all, size, drawn);
  for (const validator of drawn) s.seatLog.push({ day: today, validator });
  return drawn;
}

/** The executor of a replay job's attempt, numbered from 1; undefined when nobody may be one. */
export function drawExecutor(
  s: ModelState,
  job: string,
  category: number,
  isOut: Exclusion,
  attempt: number,
  cover: bigint,
): ModelValidator | undefined {
  const all = candidates(s, category, isOut, cover);
  return all.length === 0 ? undefined : pick(all, executorNumber(job, s.blockHash, attempt));
}
