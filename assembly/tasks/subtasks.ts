// The subtasks of a parent: a chain in order of creation, for the current claim.
// Keeps: a subtask cancelled on its own has left the chain; those in the chain hold money of the parent's budget, and
// are closed with it (protocol 7.2). A claim creates at most MAX_SUBTASKS, whatever their status: counting by
// claim keeps one claimer from using up the allowance of the next.

import { TASK_COMPLETED } from '../abi';
import { markTask, Task, taskAt, taskRow, touchTask } from './rows';

export const MAX_SUBTASKS: u8 = 20;

/** Adds a subtask at the end of the chain. */
export function linkChild(parent: Task, child: Task): void {
  const link = taskRow(child) + 1;
  if (parent.childHead == 0) {
    parent.childHead = link;
  } else {
    taskAt(parent.childTail - 1).next = link;
    markTask(taskAt(parent.childTail - 1));
  }
  parent.childTail = link;
  parent.subtaskCount++;
}

/** Removes a subtask from its parent's chain; at most MAX_SUBTASKS steps. */
export function unlinkChild(parent: Task, child: Task): void {
  const link = taskRow(child) + 1;
  let before: u32 = 0;
  for (let at = parent.childHead; at != link; at = taskAt(at - 1).next) before = at;
  if (before == 0) {
    parent.childHead = child.next;
  } else {
    taskAt(before - 1).next = child.next;
    markTask(taskAt(before - 1));
  }
  if (parent.childTail == link) parent.childTail = before;
  child.next = 0;
  touchTask(parent);
}

/** Empties the chain of a parent whose subtasks are all closed: they leave the core before it, or at the same time. */
export function cutChildren(parent: Task): void {
  parent.childHead = 0;
  parent.childTail = 0;
}

/** Sum of the escrows of a parent's subtasks, micro-units. */
export function escrowOfChildren(parent: Task): u64 {
  let sum: u64 = 0;
  for (let link = parent.childHead; link != 0; link = taskAt(link - 1).next) sum += taskAt(link - 1).escrow;
  return sum;
}

/** True while a subtask is open, claimed, submitted or disputed. */
export function hasLiveChild(parent: Task): bool {
  for (let link = parent.childHead; link != 0; link = taskAt(link - 1).next) {
    if (taskAt(link - 1).status != TASK_COMPLETED) return true;
  }
  return false;
}
