// The end of a block for tasks: every changed task is told, then the final ones that nothing keeps leave the core.
// Keeps: rows are given back only after all were told, since a subtask's image names its parent; a completed
// subtask stays while its payout is held, an assured task as long as retention.ts says.

import { OUT_TASK, OUT_TASK_IMAGE, PAYOUT_HELD, TASK_BYTES } from '../abi';
import { appendRecord, hasRoom } from '../io/output';
import { removeVotes } from '../settlement/votes';
import { changedRow, clearChanged } from '../state/changed-rows';
import { removeBars } from './bars';
import { writeImage } from './image';
import { isLetGo } from './retention';
import { changedTasks, removeTask, Task, taskAt } from './rows';
import { isFinal } from './status';
import { releaseApprovers } from './verifiers';

/** True when the task leaves at the end of the block. */
export function isLeaving(task: Task): bool {
  return isFinal(task) && task.payout != PAYOUT_HELD && isLetGo(task);
}

/** Tells the changed tasks that were not told yet. False when the out buffer filled up: call again after draining. */
export function tellTasks(): bool {
  const changed = changedTasks();
  for (; changed.told < changed.count; changed.told++) {
    const task = taskAt(changedRow(changed, changed.told));
    if (!hasRoom(OUT_TASK_IMAGE + TASK_BYTES)) return false;
    const record = appendRecord(OUT_TASK, isLeaving(task) ? 1 : 0, OUT_TASK_IMAGE + TASK_BYTES);
    writeImage(record + OUT_TASK_IMAGE, task);
  }
  return true;
}

/** Takes the told tasks that are leaving out of the core, and begins a new list. Their cases were taken out before. */
export function releaseTasks(): void {
  const changed = changedTasks();
  for (let place: u32 = 0; place < changed.count; place++) {
    const task = taskAt(changedRow(changed, place));
    if (!isLeaving(task)) continue;
    removeBars(task);
    removeVotes(task.voteHead);
    releaseApprovers(task);
    removeTask(task);
  }
  clearChanged(changed);
}
