// Replays: drawn at a completion, executed in up to three attempts, judged by what was compared
// (protocol 6.4, 6.9, 6.12, 7.6).

import * as abi from '../../assembly/abi.ts';
import type { ModelJob } from './case-state.ts';
import { openProtocolChallenges, verifiersOf } from './challenges.ts';
import type { Command } from './command.ts';
import { coverOf, drawExecutor } from './draw.ts';
import { emit } from './events.ts';
import { denyTask, recognizeTask } from './generation.ts';
import { replayNumber, shaHex } from './hashing.ts';
import { countMiss, inOneCluster } from './judging.ts';
import { type Refusal, refuse, type Verdict } from './refusal.ts';
import { drawFromReserve, reserveOf } from './reserves.ts';
import * as rules from './rules.ts';
import { backed } from './standing.ts';
import type { ModelAgent, ModelState, ModelValidator } from './state.ts';
import type { ModelTask } from './task-state.ts';

const JOBS = 13;
const ATTEMPTS = 3;
const big = (n: number): bigint => BigInt(n);

// All who judged the task, either way.
function judgesOf(task: ModelTask): ModelValidator[] {
  return [...task.panelVotes, ...task.judges].map((v) => v.validator);
}

function nextExecutor(
  s: ModelState,
  task: ModelTask,
  id: string,
  before: ModelValidator[],
): ModelValidator | undefined {
  const judges = judgesOf(task);
  const isOut = (v: ModelValidator): boolean =>
    v.agent === task.poster ||
    v.agent === task.claimer ||
    before.includes(v) ||
    judges.some((judge) => inOneCluster(judge, v));
  return drawExecutor(s, id, task.category, isOut, before.length + 1, coverOf(task));
}

/** Rate in bp and reason of a completed task. */
function rateOf(s: ModelState, task: ModelTask): rules.ReplayRate {
  return rules.replayRate({
    isBootstrap: !s.bootstrapOver,
    isEligible: (task.flags & abi.TASK_GENERATION_ELIGIBLE) !== 0,
    completed: backed(task.claimer!.standing, task.claimer!.completed),
    hasProbation: task.panel.some((v) => v.status === abi.VALIDATOR_PROBATION),
    hasCluster: verifiersOf(task).some((v) => v.cluster !== undefined),
  });
}

/** Draws the replay of a task that is being completed; without an executor or a row there is none. */
export function beginReplay(s: ModelState, task: ModelTask): ModelJob | undefined {
  const { bp, reason } = rateOf(s, task);
  if (s.jobs.length >= s.capacity(JOBS) || replayNumber(task.id, s.blockHash) >= bp) return undefined;
  const id = shaHex(`replay:${task.id}`);
  const executor = nextExecutor(s, task, id, []);
  if (!executor) return undefined;
  const job: ModelJob = {
    id,
    task,
    status: abi.JOB_PENDING,
    reason,
    executors: [executor],
    reward: 0n,
    created: s.now,
    deadline: s.now + s.param(abi.PARAM_REPLAY_SUBMISSION_SECS),
    closedAt: 0,
    outcome: 0,
    action: 0,
    severity: 0,
    mismatches: 0,
  };
  s.jobs.push(job);
  task.replay = abi.REPLAY_PENDING;
  return job;
}

/** The executor's part of the fee; the reserve adds up to 5 tokens. */
export function fundReplay(s: ModelState, job: ModelJob, fee: bigint): bigint {
  const { part, missing } = rules.executorPart(fee);
  const { poster, categoryName } = job.task;
  job.reward = part + (missing > 0n ? drawFromReserve(s, reserveOf(categoryName), poster, missing) : 0n);
  return part;
}

export function tellAttempt(s: ModelState, job: ModelJob): void {
  const event = emit(s, abi.EVENT_REPLAY_CREATED, 'replay_created', job.id);
  event.job = {
    id: job.id,
    task: job.task.id,
    executor: job.executors.at(-1)!.index,
    reason: job.reason,
    attempt: job.executors.length,
    reward: job.reward,
    deadline: job.deadline,
  };
}

function close(s: ModelState, job: ModelJob, status: number): void {
  Object.assign(job, { status, closedAt: s.now });
  const isPaid = status === abi.JOB_COMPLETED;
  if (isPaid) job.executors.at(-1)!.agent.balance += job.reward;
  else s.pools[reserveOf(job.task.categoryName)]! += job.reward;
  const event = emit(s, abi.EVENT_REPLAY_CLOSED, 'replay_closed', job.id);
  event.job = {
    id: job.id,
    task: job.task.id,
    executor: job.executors.at(-1)!.index,
    status,
    outcome: job.outcome,
    action: job.action,
    severity: job.severity,
    mismatches: job.mismatches,
    paid: isPaid ? job.reward : 0n,
    returned: isPaid ? 0n : job.reward,
  };
}

function settleTask(s: ModelState, job: ModelJob): void {
  const { task } = job;
  if (job.action === abi.ACTION_OPEN_CHALLENGE || job.action === abi.ACTION_SLASH) {
    task.replay = abi.REPLAY_DISPUTED;
    denyTask(s, task);
    openProtocolChallenges(s, task, job.id, job.executors.at(-1)!.agent);
    return;
  }
  task.replay = abi.REPLAY_COMPLETE;
  if (task.generation === abi.GENERATION_HELD) recognizeTask(s, task);
}

/** The present attempt came to nothing: the next one, or the end. */
function goOn(s: ModelState, job: ModelJob): void {
  const tried = job.executors.length;
  const next = tried < ATTEMPTS ? nextExecutor(s, job.task, job.id, job.executors) : undefined;
  if (next) {
    job.executors.push(next);
    job.deadline = s.now + s.param(abi.PARAM_REPLAY_SUBMISSION_SECS);
    tellAttempt(s, job);
    return;
  }
  close(s, job, abi.JOB_FAILED);
  settleTask(s, job);
}

/** The executor missed its deadline. */
export function expireJob(s: ModelState, job: ModelJob): void {
  countMiss(s, job.executors.at(-1)!, job.task.category);
  goOn(s, job);
}

function pendingJob(s: ModelState, c: Command, actor: ModelAgent): ModelJob | Refusal {
  const job = s.jobs.find((j) => j.id === c.other);
  if (!job) return refuse(abi.JOB_NOT_FOUND);
  if (job.status !== abi.JOB_PENDING) return refuse(abi.TASK_STATE);
  return job.executors.at(-1)!.agent === actor ? job : refuse(abi.NOT_ASSIGNED);
}

function complete(s: ModelState, job: ModelJob, actor: ModelAgent, result: Partial<ModelJob>): bigint[] {
  const executor = job.executors.at(-1)!;
  Object.assign(job, result);
  executor.lastDuty = s.now;
  close(s, job, abi.JOB_COMPLETED);
  settleTask(s, job);
  const words = [actor.index, executor.index, job.status, job.outcome, job.action, job.severity];
  return [...words.map(big), big(job.mismatches), job.reward];
}

export function submitReplay(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const known = s.jobs.find((j) => j.id === c.other);
  const isNamed = c.taskId !== '0'.repeat(32);
  if (known && isNamed && c.taskId !== known.task.id) return refuse(abi.INVALID_REQUEST);
  const job = pendingJob(s, c, actor);
  if (!('executors' in job)) return job;
  if (c.checks.length === 0) return refuse(abi.JOB_NOT_FOUND, 1n);
  return () => complete(s, job, actor, rules.replayResult(c.checks));
}

const REPORTED: Record<number, number> = {
  [abi.OUTCOME_MATCH]: abi.ACTION_NONE,
  [abi.OUTCOME_PARTIAL_MATCH]: abi.ACTION_FLAG,
  [abi.OUTCOME_MISMATCH]: abi.ACTION_OPEN_CHALLENGE,
};

export function reportReplay(s: ModelState, c: Command, actor: ModelAgent): Verdict {
  const job = pendingJob(s, c, actor);
  if (!('executors' in job)) return job;
  if (c.outcome !== abi.REPLAY_OUTCOME_FAILED && c.verdict) return refuse(abi.USE_REPLAY_SUBMIT);
  return () => {
    if (c.outcome !== abi.REPLAY_OUTCOME_FAILED) {
      return complete(s, job, actor, { outcome: c.outcome, action: REPORTED[c.outcome]! });
    }
    const executor = job.executors.at(-1)!;
    goOn(s, job);
    return [big(actor.index), big(executor.index), big(job.status)];
  };
}
