// Open top-level tasks as the router sees them: waiting for a route, or assigned to an agent.
// Keeps: such a task stands in exactly one of the two, under a number of its own; its row says which (routedTo) and
// carries the number, so both trees follow from the rows. A task that is not open stands in neither.

import { TASK_IS_SUBTASK, TASK_OPEN } from '../abi';
import { header } from '../state/header';
import { markTask, Task, taskAt, taskRow } from '../tasks/rows';
import {
  clearHolders,
  figures,
  HELD_BY_NONE,
  HELD_WAITING,
  holderOf,
  markFigures,
  PLACES_A_TASK,
  setHolder,
  setNumber,
} from './header';
import { ASSIGNED, addLeaf, clearOpenTrees, dropLeaf, nextUnder, WAITING } from './open-tree';

function enter(row: u32, task: Task, holder: u32): void {
  setHolder(row, holder);
  const first = row * PLACES_A_TASK;
  if (holder != HELD_WAITING) {
    addLeaf(ASSIGNED, first);
    return;
  }
  for (let place: u32 = 0; place <= task.tagCount; place++) addLeaf(WAITING, first + place);
}

/** Takes a task out of where it stands. Its labels and its number are still those it was put in with. */
export function forget(task: Task): void {
  const row = taskRow(task);
  const holder = holderOf(row);
  if (holder == HELD_BY_NONE) return;
  const first = row * PLACES_A_TASK;
  if (holder != HELD_WAITING) {
    dropLeaf(ASSIGNED, first);
  } else {
    for (let place: u32 = 0; place <= task.tagCount; place++) dropLeaf(WAITING, first + place);
    figures().waiting--;
    markFigures();
  }
  setHolder(row, HELD_BY_NONE);
  setNumber(task, 0);
  markTask(task);
}

// Gives a task the next number and puts it in; it stands nowhere.
function place(task: Task, holder: u32): void {
  setNumber(task, ++figures().number);
  markTask(task);
  markFigures();
  enter(taskRow(task), task, holder);
}

/** An open, unassigned task begins to wait. */
export function beginWaiting(task: Task): void {
  figures().waiting++;
  place(task, HELD_WAITING);
}

/** An open task that was just assigned stands under its agent from now on. */
export function beginAssignment(task: Task): void {
  place(task, task.routedTo);
}

/** Row of the waiting task under a label key with the lowest number above `after`, or -1. */
export function nextWaiting(key: u64, after: u64): i32 {
  return nextUnder(WAITING, key, after);
}

/** Row of the oldest assignment of an agent (index), or -1. */
export function oldestAssignment(agent: u32): i32 {
  return nextUnder(ASSIGNED, agent + 1, 0);
}

/** Puts all open tasks back in their places, after the rows were replaced. */
export function rebuildOpenTasks(): void {
  clearOpenTrees();
  clearHolders();
  for (let row: u32 = 0; row < header().tasksUsed; row++) {
    const task = taskAt(row);
    if (task.status != TASK_OPEN || (task.flags & TASK_IS_SUBTASK) != 0) continue;
    enter(row, task, task.routedTo == 0 ? HELD_WAITING : task.routedTo);
  }
}
