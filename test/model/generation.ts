// Recognised value: its sums, and what becomes of a task's value (protocol 6.13, 7.5, 7.6).
// Keeps: statistics end at rules.CAP; the sum of 30 days is made of whole buckets.

import * as abi from '../../assembly/abi.ts';
import * as rules from './rules.ts';
import type { ModelAgent, ModelState } from './state.ts';
import type { ModelTask } from './task-state.ts';

/** A 24th of a day, rounded up. */
export const bucketSecs = (s: ModelState): number => Math.ceil(s.param(abi.PARAM_DAY_SECS) / 24);

/** Bucket of this moment. */
export const bucketOf = (s: ModelState): number => Math.floor(s.now / bucketSecs(s));

export function isInWindow(s: ModelState, bucket: number): boolean {
  const count = Math.ceil((30 * s.param(abi.PARAM_DAY_SECS)) / bucketSecs(s));
  return bucketOf(s) - bucket < count;
}

export function recordGenerated(s: ModelState, agent: ModelAgent, value: bigint): void {
  const bucket = bucketOf(s);
  agent.generated = rules.capped(agent.generated + value);
  s.generated = rules.capped(s.generated + value);
  s.generatedIn.set(bucket, rules.capped((s.generatedIn.get(bucket) ?? 0n) + value));
}

/** Value of the last 30 days, by whole buckets. */
export function generatedInWindow(s: ModelState): bigint {
  const inside = [...s.generatedIn].filter(([bucket]) => isInWindow(s, bucket));
  return rules.capped(inside.reduce((sum, [, value]) => sum + value, 0n));
}

const taskValue = (task: ModelTask): bigint =>
  (rules.mul(task.budget, BigInt(task.overallBp), 10000n) * BigInt(task.share)) / 10n;

export function recognizeTask(s: ModelState, task: ModelTask): void {
  if ((task.flags & abi.TASK_GENERATION_ELIGIBLE) === 0) return;
  recordGenerated(s, task.claimer!, taskValue(task));
  task.generation = abi.GENERATION_RECOGNIZED;
  task.recognizedAt = s.now;
}

/** Denies a task's value; what was recognised is taken back. */
export function denyTask(s: ModelState, task: ModelTask): void {
  if ((task.flags & abi.TASK_GENERATION_ELIGIBLE) === 0) return;
  const wasRecognized = task.generation === abi.GENERATION_RECOGNIZED;
  task.generation = abi.GENERATION_DENIED;
  if (!wasRecognized) return;
  const value = taskValue(task);
  const worker = task.claimer!;
  const less = (sum: bigint): bigint => sum - rules.min(sum, value);
  worker.generated = less(worker.generated);
  s.generated = less(s.generated);
  const bucket = Math.floor(task.recognizedAt / bucketSecs(s));
  if (isInWindow(s, bucket)) s.generatedIn.set(bucket, less(s.generatedIn.get(bucket) ?? 0n));
  task.recognizedAt = 0;
}
