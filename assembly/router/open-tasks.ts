// Open top-level tasks as the router sees them: waiting for a route, or assigned to an agent.
// Keeps: such a task is in exactly one of the two trees, under its own number; its row says which (routedTo) and
// has the number, so both trees follow from the rows. A task that is not open is in neither.

import { TASK_IS_SUBTASK, TASK_OPEN, TASK_RESERVED } from '../abi';
import { header } from '../state/header';
import { markTask, Task, taskAt, taskRow } from '../tasks/rows';
import {
  clearHolders,
  figures,
  HOLDER_NONE,
  HOLDER_WAITING,
  holderOf,
  LEAVES_PER_TASK,
  markFigures,
  setHolder,
  setNumber,
} from './header';
import { ASSIGNED, addLeaf, clearOpenTrees, dropLeaf, nextUnder, WAITING } from './open-tree';

/** Flags of open tasks that the router does not know. */
export const NEVER_ROUTED: u32 = <u32>TASK_IS_SUBTASK | TASK_RESERVED;

function enter(row: u32, task: Task, holder: u32): void {
  setHolder(row, holder);
  const first = row * LEAVES_PER_TASK;
  if (holder != HOLDER_WAITING) {
    addLeaf(ASSIGNED, first);
    return;
  }
  for (let position: u32 = 0; position <= task.tagCount; position++) addLeaf(WAITING, first + position);
}

/** Removes a task from its tree. Its labels and its number are still those it was added with. */
export function forget(task: Task): void {
  const row = taskRow(task);
  const holder = holderOf(row);
  if (holder == HOLDER_NONE) return;
  const first = row * LEAVES_PER_TASK;
  if (holder != HOLDER_WAITING) {
    dropLeaf(ASSIGNED, first);
  } else {
    for (let position: u32 = 0; position <= task.tagCount; position++) dropLeaf(WAITING, first + position);
    figures().waiting--;
    markFigures();
  }
  setHolder(row, HOLDER_NONE);
  setNumber(task, 0);
  markTask(task);
}

// Gives a task that is in neither tree the next number and adds it.
function add(task: Task, holder: u32): void {
  setNumber(task, ++figures().number);
  markTask(task);
  markFigures();
  enter(taskRow(task), task, holder);
}

/** Adds an open, unassigned task to the waiting ones. */
export function beginWaiting(task: Task): void {
  figures().waiting++;
  add(task, HOLDER_WAITING);
}

/** Adds an open task that was just assigned under its agent. */
export function beginAssignment(task: Task): void {
  add(task, task.routedTo);
}

/** Row of the waiting task under a label key with the lowest number above `after`, or -1. */
export function nextWaiting(key: u64, after: u64): i32 {
  return nextUnder(WAITING, key, after);
}

/** Row of the oldest assignment of an agent (index), or -1. */
export function oldestAssignment(agent: u32): i32 {
  return nextUnder(ASSIGNED, agent + 1, 0);
}

/** Rebuilds both trees after the rows were replaced. */
export function rebuildOpenTasks(): void {
  clearOpenTrees();
  clearHolders();
  for (let row: u32 = 0; row < header().tasksUsed; row++) {
    const task = taskAt(row);
    if (task.status != TASK_OPEN || (task.flags & NEVER_ROUTED) != 0) continue;
    enter(row, task, task.routedTo == 0 ? HOLDER_WAITING : task.routedTo);
  }
}
