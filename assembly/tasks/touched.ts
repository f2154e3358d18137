// Tasks whose rows changed in the block: told as OUT_TASK at its end, after which final ones leave the core.
// Keeps: a task stands in the list once, in order of its first change; the list is always complete, and empty
// between blocks. Derived and outside the state.

import { root } from '../state/root';
import { markTask, Task, taskRow } from './rows';

@unmanaged
class TouchedTasks {
  count: u32;
  told: u32;
  /** Changes with every list, so that old stamps do not count. */
  stamp: u32;
}
const TOUCHED: usize = memory.data(16, 8);

function touched(): TouchedTasks {
  return changetype<TouchedTasks>(TOUCHED);
}

/** Marks the row as changed: for the state hash, the snapshot, and the list of the block's end. */
export function touchTask(task: Task): void {
  markTask(task);
  const row = taskRow(task);
  const list = touched();
  const at = root().taskStamps + ((<usize>row) << 2);
  if (load<u32>(at) == list.stamp) return;
  store<u32>(at, list.stamp);
  store<u32>(root().taskList + ((<usize>list.count) << 2), row);
  list.count++;
}

export function touchedTaskCount(): u32 {
  return touched().count;
}

/** Row of the changed task at a place of the list. */
export function touchedTask(place: u32): u32 {
  return load<u32>(root().taskList + ((<usize>place) << 2));
}

/** How many of the list were told already. */
export function toldTasks(): u32 {
  return touched().told;
}

export function noteTold(): void {
  touched().told++;
}

/** Starts an empty list. */
export function clearTouchedTasks(): void {
  const list = touched();
  list.count = 0;
  list.told = 0;
  list.stamp++;
}
