// Refunds: cancelled tasks, and subtasks closed with their parent (protocol 7.1, 7.2).
// Keeps: a cancelled task has no escrow; a subtask's escrow joins its parent's escrow or refund, once; no fee.

import {
  EVENT_TASK_CANCELLED,
  EVENT_TASK_SETTLED,
  OUT_TASK_CANCELLED_BYTES,
  OUT_TASK_CANCELLED_RESOLUTION,
  OUT_TASK_SETTLED_BYTES,
  OUT_TASK_SETTLED_CLAIMER,
  OUT_TASK_SETTLED_REFUND,
  OUT_TASK_SETTLED_RESOLUTION,
  OUT_TASK_SETTLED_STATE,
  PAYOUT_REFUNDED,
  RESOLUTION_PARENT_CLOSED,
  SETTLED_EXPIRED,
  TASK_CANCELLED,
  TASK_CHECKING,
  TASK_COMPLETED,
  VOTE_ADJUSTED,
} from '../abi';
import { beginTaskEvent } from '../io/system-event';
import { agentAt } from '../ledger/agents';
import { balanceOf, escrowOf, move } from '../ledger/money';
import { closeTaskItem } from '../settlement/close';
import { itemAt } from '../settlement/items';
import { removeVotes } from '../settlement/votes';
import { leaveQueue } from './due-runs';
import { isStructured } from './reserves';
import { releaseIfCrowded } from './retention';
import {
  deliveryOf,
  isDelivered,
  isSubtask,
  judgingOf,
  sharedWithWorker,
  Task,
  taskAt,
  taskIdOf,
  touchTask,
} from './rows';
import { moveTo } from './status';
import { cutChildren, escrowOfChildren, unlinkChild } from './subtasks';

/** A task_settled event with the fields that every settlement has; the caller adds the amounts. Returns the record. */
export function beginSettled(task: Task): usize {
  const record = beginTaskEvent(EVENT_TASK_SETTLED, 'task_settled', taskIdOf(task), OUT_TASK_SETTLED_BYTES);
  store<u32>(record, task.resolution, OUT_TASK_SETTLED_RESOLUTION);
  store<u32>(record, task.claimer, OUT_TASK_SETTLED_CLAIMER);
  store<u32>(record, task.payout, OUT_TASK_SETTLED_STATE);
  return record;
}

/** After a split: the poster's share of the escrow goes back, of a subtask into its parent's escrow (protocol 15.6). */
export function returnPostersShare(task: Task): void {
  const kept = sharedWithWorker(task, task.escrow);
  const back = task.escrow - kept;
  if (back == 0) return;
  task.escrow = kept;
  judgingOf(task).refunded = back;
  if (isSubtask(task)) {
    const parent = taskAt(task.parent - 1);
    parent.escrow += back;
    touchTask(parent);
    return;
  }
  const poster = agentAt(task.poster);
  move(escrowOf(poster), balanceOf(poster), back);
}

// Clears the row of a refunded task and emits task_settled; the caller moves the money. Returns the record.
function endRefund(task: Task, amount: u64): usize {
  task.escrow = 0;
  task.payout = <u8>PAYOUT_REFUNDED;
  removeVotes(task.voteHead);
  task.voteHead = 0;
  touchTask(task);
  const record = beginSettled(task);
  store<u64>(record, amount + judgingOf(task).refunded, OUT_TASK_SETTLED_REFUND);
  return record;
}

function emitCancelled(task: Task): void {
  const record = beginTaskEvent(
    EVENT_TASK_CANCELLED,
    'task_cancelled',
    taskIdOf(task),
    OUT_TASK_CANCELLED_BYTES,
  );
  store<u32>(record, task.resolution, OUT_TASK_CANCELLED_RESOLUTION);
}

// The dispute of a subtask whose parent is closed ends without a decision.
function dropDispute(task: Task, nowSecs: u64): void {
  if (!isDelivered(task) || deliveryOf(task).disputeItem == 0) return;
  const item = itemAt(deliveryOf(task).disputeItem - 1);
  deliveryOf(task).disputeItem = 0;
  removeVotes(
    closeTaskItem(
      item,
      VOTE_ADJUSTED,
      SETTLED_EXPIRED,
      false,
      0,
      task.category,
      isStructured(task.reserve),
      nowSecs,
    ),
  );
}

/**
 * Closes the subtasks of a parent that is cancelled, or whose claim expired: cancelled without failure, or
 * refunded when completed. The caller moves their money, `escrowOfChildren`, and cuts their chain.
 */
export function closeChildren(parent: Task, nowSecs: u64): void {
  for (let link = parent.childHead; link != 0; ) {
    const child = taskAt(link - 1);
    const amount = child.escrow;
    link = child.next;
    if (child.status != TASK_COMPLETED) {
      if ((child.flags & TASK_CHECKING) != 0) leaveQueue(child);
      dropDispute(child, nowSecs);
      child.resolution = <u8>RESOLUTION_PARENT_CLOSED;
      child.endedSecs = nowSecs;
      child.cancelSecs = 0;
      moveTo(child, TASK_CANCELLED);
      emitCancelled(child);
    }
    endRefund(child, amount);
  }
}

/**
 * Cancels a task for RESOLUTION_*: a top-level task's escrow and that of its subtasks go back to its poster, a
 * subtask's into its parent's escrow. Returns the record of task_settled. The caller has closed its items.
 */
export function cancelTask(task: Task, resolution: u32, nowSecs: u64): usize {
  const amount = task.escrow + escrowOfChildren(task);
  task.resolution = <u8>resolution;
  task.endedSecs = nowSecs;
  task.cancelSecs = 0;
  moveTo(task, TASK_CANCELLED);
  releaseIfCrowded(task);
  if (isSubtask(task)) {
    const parent = taskAt(task.parent - 1);
    parent.escrow += amount;
    unlinkChild(parent, task);
  } else {
    const poster = agentAt(task.poster);
    move(escrowOf(poster), balanceOf(poster), amount);
  }
  const record = endRefund(task, amount);
  closeChildren(task, nowSecs);
  cutChildren(task);
  return record;
}

/** Cancels a task at a deadline, not claimed in time or at the end of a notice, and emits that before the money moves. */
export function cancelAtDeadline(task: Task, resolution: u32, nowSecs: u64): void {
  task.resolution = <u8>resolution;
  emitCancelled(task);
  cancelTask(task, resolution, nowSecs);
}
