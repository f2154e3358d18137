// The end of a block for tasks: every changed task is told, then the final ones leave the core.
// Keeps: rows are given back only after all were told, since a subtask's image names its parent; a completed
// subtask stays while its payout is held.

import { OUT_TASK, OUT_TASK_IMAGE, PAYOUT_HELD, TASK_BYTES } from '../abi';
import { appendRecord, hasRoom } from '../io/output';
import { removeBars } from './bars';
import { writeImage } from './image';
import { removeTask, Task, taskAt } from './rows';
import { isFinal } from './status';
import { clearTouchedTasks, noteTold, toldTasks, touchedTask, touchedTaskCount } from './touched';

function isLeaving(task: Task): bool {
  return isFinal(task) && task.payout != PAYOUT_HELD;
}

/** Tells the changed tasks that were not told yet. False when the out buffer filled up: call again after draining. */
export function tellTasks(): bool {
  for (; toldTasks() < touchedTaskCount(); noteTold()) {
    const task = taskAt(touchedTask(toldTasks()));
    if (!hasRoom(OUT_TASK_IMAGE + TASK_BYTES)) return false;
    const record = appendRecord(OUT_TASK, isLeaving(task) ? 1 : 0, OUT_TASK_IMAGE + TASK_BYTES);
    writeImage(record + OUT_TASK_IMAGE, task);
  }
  return true;
}

/** Takes the told tasks that are final out of the core, and begins a new list. */
export function releaseTasks(): void {
  for (let place: u32 = 0; place < touchedTaskCount(); place++) {
    const task = taskAt(touchedTask(place));
    if (!isLeaving(task)) continue;
    removeBars(task);
    removeTask(task);
  }
  clearTouchedTasks();
}
