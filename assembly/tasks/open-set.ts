// What the last command or timer changed in the set of open tasks that may be routed: the seam to router/.
// Keeps: a step opens or closes at most one top-level task; subtasks and reserved tasks are never routed.
// run/routing.ts reads the notice after each step and notifies router/, which imports tasks/ and not the
// other way round. The router assigns through routing.ts.

import { TASK_RESERVED } from '../abi';
import { Task, taskRow } from './rows';

@unmanaged
export class OpenNotice {
  /** Row + 1 of a task that this step made open and unassigned: created, reopened, or its exclusive time lapsed. */
  opened: u32;
  /** Row + 1 of a task that is no longer open: claimed or final. */
  closed: u32;
}
const NOTICE: usize = memory.data(8, 8);

export function openNotice(): OpenNotice {
  return changetype<OpenNotice>(NOTICE);
}

export function noteOpened(task: Task): void {
  if (task.parent == 0 && (task.flags & TASK_RESERVED) == 0) openNotice().opened = taskRow(task) + 1;
}

export function noteClosed(task: Task): void {
  if (task.parent == 0) openNotice().closed = taskRow(task) + 1;
}

export function clearNotice(): void {
  store<u64>(NOTICE, 0);
}
