// How long a task stays after its end: an assured one as long as its verdict may be called into question
// (protocol 4.7, 7.7).

import * as abi from '../../assembly/abi.ts';
import type { ModelState } from './state.ts';
import type { ModelTask } from './task-state.ts';

const TASKS = 8;

/** Until when a task that ended may be challenged, and stays. */
export const retainedUntil = (s: ModelState, task: ModelTask): number =>
  task.ended + abi.TASK_RETENTION_DAYS * s.param(abi.PARAM_DAY_SECS);

/** Stays for a while: completed, or delivered and of use to a canary. */
export function isRetained(s: ModelState, task: ModelTask): boolean {
  if (task.lane === abi.LANE_NONE) return false;
  if (task.status === abi.TASK_COMPLETED) return true;
  const hasCanaries = s.param(abi.PARAM_CANARY_RATE_BP) > 0;
  return task.status === abi.TASK_CANCELLED && task.submitted !== 0 && hasCanaries;
}

function hasOpenCase(s: ModelState, task: ModelTask): boolean {
  const isChallenged = s.challenges.some((c) => c.task === task && c.status === abi.CHALLENGE_OPEN);
  return isChallenged || s.jobs.some((j) => j.task === task && j.status === abi.JOB_PENDING);
}

/** Stays, and not only for this block. */
export const isKept = (s: ModelState, task: ModelTask): boolean =>
  isRetained(s, task) && (!task.isDue || hasOpenCase(s, task));

/** Leaves at the block's end. */
export function isLeaving(s: ModelState, task: ModelTask): boolean {
  const isFinal = task.status === abi.TASK_COMPLETED || task.status === abi.TASK_CANCELLED;
  return isFinal && task.payout !== abi.PAYOUT_HELD && !isKept(s, task);
}

/** 7.1: what was cancelled stays for canaries only while half of the table is free. */
export const isCrowdedOut = (s: ModelState, task: ModelTask): boolean =>
  isRetained(s, task) && 2 * s.tasks.length > s.capacity(TASKS);
