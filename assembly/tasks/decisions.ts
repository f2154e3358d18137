// The poster's decisions: approve, dispute, cancel (protocol 4.4, 7.1).
// Keeps: only the poster may decide, only in the states of the table; the first of several calls wins.

import {
  IN_TASK_ID,
  NOT_POSTER,
  OK,
  RESOLUTION_APPROVED,
  RESOLUTION_POSTER_CANCELLED,
  RESULT_AGENT,
  TASK_CLAIMED,
  TASK_NOT_FOUND,
  TASK_OPEN,
  TASK_STATE,
  TASK_SUBMITTED,
} from '../abi';
import { commits, fieldAddress, frame, refuse, setResult, txid } from '../io/frame';
import { completeTask } from './completion';
import { openDispute } from './disputes';
import { cancelTask } from './refund';
import { findTask, taskAt } from './rows';

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

/** OP_TASK_DISPUTE. Errors: TASK_NOT_FOUND, NOT_POSTER, TASK_STATE (not submitted). */
export function disputeTask(): i32 {
  const row = ownTask();
  if (row < 0) return -row;
  if (taskAt(<u32>row).status != TASK_SUBMITTED) return refuse(TASK_STATE);
  if (!commits()) return OK;

  setResult(RESULT_AGENT, frame().actor);
  openDispute(taskAt(<u32>row), txid(), frame().nowSecs);
  return OK;
}

/** OP_TASK_CANCEL. Errors: TASK_NOT_FOUND, NOT_POSTER, TASK_STATE (neither open nor claimed). */
export function cancelOwnTask(): i32 {
  const row = ownTask();
  if (row < 0) return -row;
  const status = taskAt(<u32>row).status;
  if (status != TASK_OPEN && status != TASK_CLAIMED) return refuse(TASK_STATE);
  if (!commits()) return OK;

  setResult(RESULT_AGENT, frame().actor);
  cancelTask(taskAt(<u32>row), RESOLUTION_POSTER_CANCELLED, frame().nowSecs);
  return OK;
}
