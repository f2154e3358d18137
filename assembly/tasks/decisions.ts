// The poster's decisions: approve, dispute, cancel (protocol 4.4, 7.1).
// Keeps: only the poster may decide, only in the states of the table; the first of several calls wins. A claimed task is
// cancelled after a notice only: whoever sees a result before it is ordered could cancel in front of it otherwise.

import {
  IN_TASK_ID,
  INSUFFICIENT_BALANCE,
  NOT_POSTER,
  OK,
  PARAM_CANCEL_NOTICE_SECS,
  RESOLUTION_APPROVED,
  RESOLUTION_POSTER_CANCELLED,
  RESULT_AGENT,
  RESULT_CANCEL_AT,
  TASK_CHECKING,
  TASK_CLAIMED,
  TASK_NOT_FOUND,
  TASK_OPEN,
  TASK_STATE,
  TASK_SUBMITTED,
} from '../abi';
import { actor, commits, fieldAddress, frame, refuse, setResult, txid } from '../io/frame';
import { param } from '../state/header';
import { disputeBond, notePosterDispute } from './bonds';
import { completeTask } from './completion';
import { openDispute } from './disputes';
import { cancelTask } from './refund';
import { findTask, hasDelivered, Task, taskAt, touchTask } from './rows';
import { followOpening, isClosed, keyFault, showsNothing, takeKey } from './sealed';
import { rearm } from './status';

// Row of the actor's task, or minus the code that refuses it.
function ownTask(): i32 {
  const row = findTask(fieldAddress(IN_TASK_ID));
  if (row < 0) return -refuse(TASK_NOT_FOUND);
  return taskAt(<u32>row).poster == frame().actor ? row : -refuse(NOT_POSTER);
}

/** OP_TASK_APPROVE. Errors: TASK_NOT_FOUND, NOT_POSTER, TASK_STATE (not submitted). */
export function approveTask(): i32 {
  const row = ownTask();
  if (row < 0) return -row;
  if (taskAt(<u32>row).status != TASK_SUBMITTED) return refuse(TASK_STATE);
  if (!commits()) return OK;

  setResult(RESULT_AGENT, frame().actor);
  completeTask(taskAt(<u32>row), RESOLUTION_APPROVED, frame().nowSecs);
  return OK;
}

/**
 * OP_TASK_DISPUTE. Errors: TASK_NOT_FOUND, NOT_POSTER, TASK_STATE (not submitted), CONTENT_KEY_MISMATCH, INSUFFICIENT_BALANCE
 * (balance, bond).
 */
export function disputeTask(): i32 {
  const row = ownTask();
  if (row < 0) return -row;
  const task = taskAt(<u32>row);
  if (task.status != TASK_SUBMITTED) return refuse(TASK_STATE);
  const fault = keyFault(task);
  if (fault != OK) return refuse(fault);
  // What was not delivered is no matter for judges.
  const isDelivered = hasDelivered(task) && !showsNothing(task);
  const bond = isDelivered ? disputeBond(task.budget) : 0;
  if (actor().balance < bond) return refuse(INSUFFICIENT_BALANCE, actor().balance, bond);
  if (!commits()) return OK;

  setResult(RESULT_AGENT, frame().actor);
  const wasClosed = isClosed(task);
  takeKey(task);
  if (isDelivered) notePosterDispute(task);
  openDispute(task, txid(), frame().nowSecs);
  if (isDelivered && wasClosed && !isClosed(task)) followOpening(task, frame().nowSecs);
  return OK;
}

// Asks for the cancellation of a claimed task, which takes effect after the notice unless a result is delivered.
function giveNotice(task: Task): void {
  const notice = frame().nowSecs + param(PARAM_CANCEL_NOTICE_SECS);
  task.cancelSecs = min<u64>(notice, task.claimDeadlineSecs);
  rearm(task);
  touchTask(task);
  setResult(RESULT_CANCEL_AT, task.cancelSecs);
}

/** OP_TASK_CANCEL. Errors: TASK_NOT_FOUND, NOT_POSTER, TASK_STATE (neither open nor claimed, or notice was given). */
export function cancelOwnTask(): i32 {
  const row = ownTask();
  if (row < 0) return -row;
  const task = taskAt(<u32>row);
  if (task.status != TASK_OPEN && task.status != TASK_CLAIMED) return refuse(TASK_STATE);
  if (task.cancelSecs != 0 || (task.flags & TASK_CHECKING) != 0) return refuse(TASK_STATE);
  if (!commits()) return OK;

  setResult(RESULT_AGENT, frame().actor);
  if (task.status == TASK_CLAIMED) giveNotice(task);
  else cancelTask(task, RESOLUTION_POSTER_CANCELLED, frame().nowSecs);
  return OK;
}
