// A task, and its result, as a node shows them.
// Keeps: another task than was asked for is no answer: what is sealed, opened or judged for one would be so for the other.
// Nor is one without its bonds: what was not shown could not be signed as the most that may be reserved.

import { type Calls, segment } from './calls.ts';
import type { Task, TaskResult } from './objects.ts';
import { badAnswer } from './vws-error.ts';

type Reads = Pick<Calls, 'get'>;

function demandOf(asked: string, shown: string): void {
  if (shown !== asked.toLowerCase()) throw badAnswer(`the node shows another task than ${asked}`);
}

/** Errors: `bad_answer` for another task. */
export async function readTask(calls: Reads, taskId: string): Promise<Task> {
  const task = await calls.get<Task>(`/v1/tasks/${segment(taskId)}`);
  demandOf(taskId, task.id);
  return task;
}

/** Errors: `bad_answer` for that of another task: a sealed one opens there, and would be taken for the one of this. */
export async function readResult(calls: Reads, taskId: string): Promise<TaskResult> {
  const result = await calls.get<TaskResult>(`/v1/tasks/result/${segment(taskId)}`);
  demandOf(taskId, result.task_id);
  return result;
}

export type Bond = 'worker_bond' | 'dispute_bond';

/** What the task says that a claim or a dispute reserves, micro-units. Errors: `bad_answer` where it says no amount. */
export function bondOf(task: Task, name: Bond): number {
  const bond: unknown = task[name];
  if (Number.isSafeInteger(bond) && (bond as number) >= 0) return bond as number;
  throw badAnswer(`the node shows task ${task.id} without its ${name}`);
}
