// The worker's answer to a dispute: it contests, and the judges may vote, or it concedes (protocol 15.5).
// Keeps: only the worker answers, once, in time; silence concedes. Nobody contests about what judges cannot read.
// Conceding costs three quarters of the bond, silence the
// whole, as being found wrong does; neither touches the stake.

import {
  IN_TASK_ID,
  NOT_CLAIMER,
  OK,
  RESOLUTION_CONCEDED,
  RESULT_AGENT,
  TASK_CHECKING,
  TASK_DISPUTED,
  TASK_NOT_FOUND,
  TASK_STATE,
} from '../abi';
import { commits, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { itemAt } from '../settlement/items';
import { forfeitWorkerBond } from './bonds';
import { decideDispute } from './disputes';
import { beginTime, seatJudges } from './panels';
import { deliveryOf, findTask, judgingOf, Task, taskAt } from './rows';
import { followOpening, isClosed, openingFault, takeKey } from './sealed';
import { rearm } from './status';

// Row of the disputed task that the actor has to answer for, or minus the code that refuses it.
function ownDispute(): i32 {
  const row = findTask(fieldAddress(IN_TASK_ID));
  if (row < 0) return -refuse(TASK_NOT_FOUND);
  const task = taskAt(<u32>row);
  if (task.status != TASK_DISPUTED || judgingOf(task).isContested != 0) return -refuse(TASK_STATE);
  if ((task.flags & TASK_CHECKING) != 0) return -refuse(TASK_STATE);
  return task.claimer == frame().actor + 1 ? row : -refuse(NOT_CLAIMER);
}

/** The worker stands by its result, or a contract does for it: those who judge are fixed, and their time begins. */
export function contest(task: Task, nowSecs: u64): void {
  const item = itemAt(deliveryOf(task).disputeItem - 1);
  judgingOf(task).isContested = 1;
  item.createdSecs = nowSecs;
  item.isClosed = 0;
  seatJudges(task, item, nowSecs);
  beginTime(task, item, nowSecs);
  rearm(task);
}

/**
 * OP_TASK_CONTEST. Errors: TASK_NOT_FOUND, TASK_STATE (not disputed, contested, or the run of its contract is due), NOT_CLAIMER;
 * of a sealed delivery CONTENT_KEY_NEEDED, CONTENT_KEY_MISMATCH.
 */
export function contestDispute(): i32 {
  const row = ownDispute();
  if (row < 0) return -row;
  const task = taskAt(<u32>row);
  const fault = openingFault(task);
  if (fault != OK) return refuse(fault);
  if (!commits()) return OK;

  setResult(RESULT_AGENT, frame().actor);
  const wasClosed = isClosed(task);
  takeKey(task);
  if (!wasClosed || !followOpening(task, frame().nowSecs)) contest(task, frame().nowSecs);
  return OK;
}

/** OP_TASK_CONCEDE. Errors: as OP_TASK_CONTEST. */
export function concedeDispute(): i32 {
  const row = ownDispute();
  if (row < 0) return -row;
  if (!commits()) return OK;

  setResult(RESULT_AGENT, frame().actor);
  endUncontested(taskAt(<u32>row), true, frame().nowSecs);
  return OK;
}

/** The end of a dispute that the worker did not contest: it conceded, or was silent. */
export function endUncontested(task: Task, hasAnswered: bool, nowSecs: u64): void {
  forfeitWorkerBond(task, !hasAnswered);
  decideDispute(task, 0, RESOLUTION_CONCEDED, nowSecs);
}
