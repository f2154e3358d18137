// The end of a block for tasks: every changed task is written out, then the final ones that need not stay leave the core.
// Keeps: rows are freed only after all images were written, since a subtask's image names its parent; a completed
// subtask stays while its payout is held, an assured task as long as retention.ts says.

import { OUT_TASK, OUT_TASK_IMAGE, PAYOUT_HELD, TASK_BYTES } from '../abi';
import { appendRecord, hasRoom } from '../io/output';
import { removeVotes } from '../settlement/votes';
import { changedRow, clearChanged } from '../state/changed-rows';
import { removeBars } from './bars';
import { writeImage } from './image';
import { mayLeave } from './retention';
import { changedTasks, removeTask, Task, taskAt } from './rows';
import { isFinal } from './status';
import { releaseApprovers } from './verifiers';

/** True when the task leaves at the end of the block. */
export function isLeaving(task: Task): bool {
  return isFinal(task) && task.payout != PAYOUT_HELD && mayLeave(task);
}

/** Writes the changed tasks not yet written. False when the out buffer is full: call again after draining it. */
export function writeChangedTasks(): bool {
  const changed = changedTasks();
  for (; changed.written < changed.count; changed.written++) {
    const task = taskAt(changedRow(changed, changed.written));
    if (!hasRoom(OUT_TASK_IMAGE + TASK_BYTES)) return false;
    const record = appendRecord(OUT_TASK, isLeaving(task) ? 1 : 0, OUT_TASK_IMAGE + TASK_BYTES);
    writeImage(record + OUT_TASK_IMAGE, task);
  }
  return true;
}

/** Removes the tasks that are leaving from the core, and starts a new list. Their cases were removed before. */
export function releaseTasks(): void {
  const changed = changedTasks();
  for (let position: u32 = 0; position < changed.count; position++) {
    const task = taskAt(changedRow(changed, position));
    if (!isLeaving(task)) continue;
    removeBars(task);
    removeVotes(task.voteHead);
    releaseApprovers(task);
    removeTask(task);
  }
  clearChanged(changed);
}
