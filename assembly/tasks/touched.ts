// Tasks whose rows changed in the block: told as OUT_TASK at its end, after which final ones leave the core.

import { CHANGED_ROWS_BYTES, ChangedRows, noteChanged } from '../state/changed-rows';
import { markTask, Task, taskRow } from './rows';

const CHANGED: usize = memory.data(CHANGED_ROWS_BYTES, 8);

export function changedTasks(): ChangedRows {
  return changetype<ChangedRows>(CHANGED);
}

/** Marks the row as changed: for the state hash, the snapshot, and the list of the block's end. */
export function touchTask(task: Task): void {
  markTask(task);
  noteChanged(changedTasks(), taskRow(task));
}
