// Where a task's money goes: fees, shares, reward, refund (protocol 6.2 to 6.4, 6.10, 6.12, 6.13, 7.1, 7.2).

import * as abi from '../../assembly/abi.ts';
import type { ModelJob } from './case-state.ts';
import { emit, type ModelEvent } from './events.ts';
import * as figures from './figures.ts';
import { bucketOf, recognizeTask } from './generation.ts';
import { beginReplay, fundReplay, tellAttempt } from './replays.ts';
import { reserveOf } from './reserves.ts';
import * as rules from './rules.ts';
import { complete } from './settle.ts';
import { noteFee } from './standing.ts';
import type { ModelState, ModelValidator } from './state.ts';
import type { ModelTask } from './task-state.ts';

const LANES: Record<number, { rate: bigint; least: bigint; floor: number; panel: number }> = {
  [abi.LANE_STANDARD]: { rate: 300n, least: 2n, floor: 3, panel: 3 },
  [abi.LANE_HIGH]: { rate: 600n, least: 4n, floor: 5, panel: 5 },
  [abi.LANE_ENTERPRISE]: { rate: 800n, least: 8n, floor: 10, panel: 7 },
};
export const laneOf = (lane: number): { rate: bigint; least: bigint; floor: number; panel: number } =>
  LANES[lane]!;

/** 6.3 */
export function assuranceFee(lane: number, budget: bigint): bigint {
  if (lane === abi.LANE_NONE) return 0n;
  return rules.max(laneOf(lane).least * rules.TOKEN, rules.mul(budget, laneOf(lane).rate, 10000n));
}

/** The worker's part of an amount, by its share. */
export const shared = (task: ModelTask, amount: bigint): bigint => (amount * BigInt(task.share)) / 10n;

/** What the fees take of an escrow: the assurance fee falls short when the escrow is smaller. */
export function feesOf(task: ModelTask): { base: bigint; assurance: bigint } {
  const base = rules.baseFee(task.escrow);
  return { base, assurance: rules.min(shared(task, task.assuranceFee), task.escrow - base) };
}

interface Share {
  validator: ModelValidator;
  weight: bigint;
}

function shareOut(amount: bigint, shares: Share[]): bigint {
  const sum = shares.reduce((total, x) => total + x.weight, 0n);
  if (sum === 0n) return 0n;
  let paid = 0n;
  for (const share of shares) {
    const part = rules.mul(amount, share.weight, sum);
    share.validator.agent.balance += part;
    paid += part;
  }
  return paid;
}

const judgesOf = (task: ModelTask): Share[] => task.judges.filter((j) => j.approve);

function panelOf(s: ModelState, task: ModelTask): Share[] {
  return task.panelVotes
    .filter((v) => v.approve)
    .map((v) => ({ validator: v.validator, weight: figures.voteWeight(s, v.validator, s.now) }));
}

/** Those whose counted vote says completed, each once. */
function verifiersOf(s: ModelState, task: ModelTask): Share[] {
  const judges = judgesOf(task).filter((j) => j.weight > 0n);
  const known = judges.map((j) => j.validator);
  return [...judges, ...panelOf(s, task).filter((p) => !known.includes(p.validator))];
}

function payReward(s: ModelState, task: ModelTask): bigint {
  const months36 = s.launch + 1095 * s.param(abi.PARAM_DAY_SECS);
  if (s.launch !== 0 && s.now >= months36) return 0n;
  const v0 = 100_000n * rules.TOKEN;
  const reward = rules.mul(1_000_000n, v0 - rules.min(figures.assuredVolume(s), v0), v0);
  const verifiers = verifiersOf(s, task);
  if (verifiers.every((v) => v.weight === 0n)) return 0n;
  const drawn = rules.min(reward, s.pools[abi.POOL_REWARDS]!);
  s.pools[abi.POOL_REWARDS]! -= shareOut(drawn, verifiers);
  return drawn;
}

function payAssurance(s: ModelState, task: ModelTask, fee: bigint, job: ModelJob | undefined): bigint {
  s.assuranceFees = rules.capped(s.assuranceFees + fee);
  const parts = rules.feeSplit(fee, job !== undefined);
  const paid = shareOut(parts.verifiers, verifiersOf(s, task));
  if (job) fundReplay(s, job, fee);
  else s.pools[reserveOf(task.categoryName)]! += parts.reserve;
  s.pools[abi.POOL_DISPUTE]! += parts.dispute;
  s.pools[abi.POOL_CANARY]! += parts.canary;
  return parts.treasury + parts.verifiers - paid;
}

export function settled(
  s: ModelState,
  task: ModelTask,
  amounts: Record<string, bigint | number>,
): ModelEvent {
  const event = emit(s, abi.EVENT_TASK_SETTLED, 'task_settled', task.id);
  event.task = {
    id: task.id,
    resolution: task.resolution,
    claimer: task.claimer ? task.claimer.index + 1 : 0,
    payout: 0n,
    refund: 0n,
    base: 0n,
    assurance: 0n,
    reward: 0n,
    treasury: 0n,
    replay: 0,
    status: task.payout,
    ...amounts,
  };
  return event;
}

// Replay, fee, reward and value of an assured task; the draw comes first.
function payAssured(
  s: ModelState,
  task: ModelTask,
  fee: bigint,
): { treasury: bigint; reward: bigint; replay: number } {
  const job = beginReplay(s, task);
  task.assurancePaid = fee;
  const treasury = payAssurance(s, task, fee, job);
  const reward = payReward(s, task);
  s.assuredCompleted.push({ bucket: bucketOf(s), budget: shared(task, task.budget) });
  if (!job) recognizeTask(s, task);
  else if ((task.flags & abi.TASK_GENERATION_ELIGIBLE) !== 0) task.generation = abi.GENERATION_HELD;
  return { treasury, reward, replay: job ? 1 : 0 };
}

/** Pays a completed task. */
export function payTask(s: ModelState, task: ModelTask): void {
  const worker = task.claimer!;
  const { base, assurance } = feesOf(task);
  const payout = task.escrow - base - assurance;
  Object.assign(task, { escrow: 0n, paid: payout, baseFee: base, payout: abi.PAYOUT_PAID });
  worker.balance += payout;
  s.baseFees = rules.capped(s.baseFees + base);
  const byQuorum = task.resolution === abi.RESOLUTION_DISPUTE_QUORUM;
  let treasury = base - shareOut(rules.voterCut(base), byQuorum ? judgesOf(task) : panelOf(s, task));
  const isAssured = task.lane !== abi.LANE_NONE;
  const assured = isAssured ? payAssured(s, task, assurance) : { treasury: 0n, reward: 0n, replay: 0 };
  if (!isAssured) task.judges = [];
  treasury += assured.treasury;
  s.pools[abi.POOL_TREASURY]! += treasury;
  worker.fees += treasury;
  task.poster.posted.paid++;
  (task.parent?.poster ?? task.poster).fees += treasury;
  const { reward, replay } = assured;
  const event = settled(s, task, {
    payout,
    base,
    assurance,
    reward,
    treasury,
    replay,
    refund: task.refunded,
  });
  const score = Number(shared(task, BigInt(task.overallBp)));
  complete(s, worker, task.category, payout, score, event.id, task.submitted - task.claimed);
  const keys = { agent: worker.key, counterparty: task.poster.key };
  noteFee(worker.standing, keys, treasury, s.now, s.param(abi.PARAM_DAY_SECS));
  const job = s.jobs.find((j) => j.task === task);
  if (job) tellAttempt(s, job);
}
