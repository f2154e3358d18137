// The one place where a task's status changes, with everything that depends on it.
// Keeps: each live task has exactly the timer of its status, and a retained task that of its retention; claims are
// counted for their worker, whose bond is held meanwhile; the rows of items that its timers may need are reserved for exactly as long as
// they may need them.

import {
  LANE_NONE,
  TASK_CANCELLED,
  TASK_CHECKING,
  TASK_CLAIMED,
  TASK_COMPLETED,
  TASK_DISPUTED,
  TASK_OPEN,
  TASK_SUBMITTED,
} from '../abi';
import { markWorker, workerOf } from '../credit/workers';
import { noteWatched } from '../ledger/watched';
import { header } from '../state/header';
import { startTimer, stopTimer, TIMER_TASK, timerOf } from '../state/timers';
import { holdWorkerBond, releaseBonds } from './bonds';
import { noteClosed, noteOpened } from './open-set';
import { isRetained, retainedUntilSecs } from './retention';
import { deliveryOf, isDelivered, Task, taskAt, taskRow, taskRowsUsed, touchTask } from './rows';

/** Deadline of the current status in seconds; for a retained task, the end of its retention; 0 = none. */
export function deadlineOf(task: Task): u64 {
  const status = task.status;
  if (status == TASK_OPEN) {
    const exclusive = task.exclusiveUntilSecs;
    return exclusive == 0 ? task.expiresSecs : min<u64>(exclusive, task.expiresSecs);
  }
  if (status == TASK_CLAIMED) return task.cancelSecs == 0 ? task.claimDeadlineSecs : task.cancelSecs;
  if (status == TASK_SUBMITTED) return deliveryOf(task).reviewDeadlineSecs;
  if (status == TASK_DISPUTED) return deliveryOf(task).disputeDeadlineSecs;
  return isRetained(task) ? retainedUntilSecs(task) : 0;
}

export function isFinal(task: Task): bool {
  return task.status == TASK_COMPLETED || task.status == TASK_CANCELLED;
}

function hasTimer(task: Task): bool {
  // Its submission came in time, whenever its contract runs.
  if ((task.flags & TASK_CHECKING) != 0) return false;
  if (isFinal(task)) return isRetained(task) && task.isReleased == 0;
  return task.status != 0;
}

/** Item rows reserved in a status: one for a dispute, and before submission one for the panel of an assured task. */
export function reservedItems(task: Task): u32 {
  if (task.status == TASK_CLAIMED) return task.lane == LANE_NONE ? 1 : 2;
  return task.status == TASK_SUBMITTED ? 1 : 0;
}

/** True in the statuses in which the worker's bond is held. */
export function holdsBond(status: u32): bool {
  return status == TASK_CLAIMED || status == TASK_SUBMITTED || status == TASK_DISPUTED;
}

function shifted(secs: u64, shiftSecs: u64): u64 {
  return secs == 0 ? 0 : secs + shiftSecs;
}

/**
 * Shifts all times of a task, when the clock of the chain starts. The caller rebuilds the timers. The time when its
 * value was recognised stays: those buckets leave the window of 30 days with the jump.
 */
export function shiftTimes(task: Task, shiftSecs: u64): void {
  task.postedSecs = shifted(task.postedSecs, shiftSecs);
  task.expiresSecs = shifted(task.expiresSecs, shiftSecs);
  task.exclusiveUntilSecs = shifted(task.exclusiveUntilSecs, shiftSecs);
  task.claimedSecs = shifted(task.claimedSecs, shiftSecs);
  task.claimDeadlineSecs = shifted(task.claimDeadlineSecs, shiftSecs);
  task.cancelSecs = shifted(task.cancelSecs, shiftSecs);
  task.endedSecs = shifted(task.endedSecs, shiftSecs);
  if (isDelivered(task)) {
    const delivery = deliveryOf(task);
    delivery.submittedSecs = shifted(delivery.submittedSecs, shiftSecs);
    delivery.reviewDeadlineSecs = shifted(delivery.reviewDeadlineSecs, shiftSecs);
    delivery.disputedSecs = shifted(delivery.disputedSecs, shiftSecs);
    delivery.disputeDeadlineSecs = shifted(delivery.disputeDeadlineSecs, shiftSecs);
  }
  touchTask(task);
}

/** Restarts the timer after a deadline of the current status changed. */
export function rearm(task: Task): void {
  stopTimer(timerOf(TIMER_TASK, taskRow(task)));
  startTimer(timerOf(TIMER_TASK, taskRow(task)), deadlineOf(task));
}

/** Timers from the rows, after an import. */
export function rebuildTaskTimers(): void {
  for (let row: u32 = 0; row < taskRowsUsed(); row++) {
    const task = taskAt(row);
    if (hasTimer(task)) startTimer(timerOf(TIMER_TASK, row), deadlineOf(task));
  }
}

function countClaim(task: Task, change: i32): void {
  const worker = workerOf(task.claimer - 1);
  worker.claimed += change;
  worker.claimedBudget += change > 0 ? task.budget : 0 - task.budget;
  markWorker(worker);
  noteWatched(task.claimer - 1);
}

/**
 * Changes a task's status. The deadline of the new status is already in the row; `claimer` is set before and after
 * when the task is or was claimed.
 */
export function moveTo(task: Task, status: u32): void {
  const h = header();
  const before = <u32>task.status;
  if (hasTimer(task)) stopTimer(timerOf(TIMER_TASK, taskRow(task)));
  h.itemsReserved -= reservedItems(task);
  if (before == TASK_CLAIMED) countClaim(task, -1);
  if (holdsBond(before) && !holdsBond(status)) releaseBonds(task);

  task.status = <u8>status;
  if (before == TASK_OPEN || status == TASK_OPEN) task.exclusiveUntilSecs = 0;
  h.itemsReserved += reservedItems(task);
  if (status == TASK_CLAIMED) countClaim(task, 1);
  if (status == TASK_CLAIMED) holdWorkerBond(task);
  if (hasTimer(task)) startTimer(timerOf(TIMER_TASK, taskRow(task)), deadlineOf(task));
  if (before == TASK_OPEN) noteClosed(task);
  else if (status == TASK_OPEN) noteOpened(task);
  touchTask(task);
}
