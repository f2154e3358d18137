// Claiming a task, and the expiry of a claim.
// Keeps: every row that the rest of the task's life may need is reserved or allocated here, because deadlines
// cannot be refused: a reputation record, a bar, and the items of a panel and a dispute (protocol 4.4, 7.1).

import {
  CAPACITY,
  CATEGORY_GENERAL,
  CLAIM_BARRED,
  CLAIM_LIMIT,
  EVENT_CLAIM_EXPIRED,
  IN_TASK_ID,
  LANE_NONE,
  OK,
  OUT_CLAIM_EXPIRED_BYTES,
  OUT_CLAIM_EXPIRED_CLAIMER,
  RESULT_AGENT,
  ROUTED_TO_OTHER,
  SELF_CLAIM,
  TABLE_BARS,
  TABLE_ITEMS,
  TABLE_RECORDS,
  TASK_CLAIMED,
  TASK_NOT_FOUND,
  TASK_OPEN,
  TASK_STATE,
} from '../abi';
import { actor, commits, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { beginTaskEvent, eventIdOf } from '../io/system-event';
import { agentAt } from '../ledger/agents';
import { findCategory, hasCategoryRow, internCategory } from '../reputation/categories';
import { extendFingerprint } from '../reputation/fingerprint';
import { hasRecordRow, recordFailed, reserveRecord } from '../reputation/records';
import { hasItemRows } from '../settlement/items';
import { addBar, BAR_CLAIM, hasBarRow, isClaimBarred } from './bars';
import { openUntilSecs } from './posting';
import { closeChildren } from './refund';
import { isKeptForOther } from './routing';
import { categoryFormOf, findTask, isSubtask, Task, taskAt, taskIdOf } from './rows';
import { moveTo } from './status';
import { cutChildren, escrowOfChildren } from './subtasks';
import { MAX_CLAIMS, workerOf } from './workers';

function isOwnWork(task: Task, agent: u32): bool {
  if (task.poster == agent) return true;
  return isSubtask(task) && taskAt(task.parent - 1).poster == agent;
}

// Category of the claimer's record, -1 when it must be added; `general` when the table of names is full.
function recordCategory(form: usize): i32 {
  const known = findCategory(form);
  return known >= 0 || hasCategoryRow() ? known : CATEGORY_GENERAL;
}

function startClaim(task: Task): void {
  const f = frame();
  const interned = internCategory(categoryFormOf(task));
  task.category = <u16>(interned >= 0 ? interned : CATEGORY_GENERAL);
  reserveRecord(actor(), task.category);
  task.claimer = f.actor + 1;
  task.claimedSecs = f.nowSecs;
  task.claimDeadlineSecs = f.nowSecs + task.deliverySecs;
  moveTo(task, TASK_CLAIMED);
  setResult(RESULT_AGENT, f.actor);
}

/**
 * OP_TASK_CLAIM. Errors: TASK_NOT_FOUND, TASK_STATE (not open), SELF_CLAIM (also the parent's poster on a
 * subtask), CLAIM_BARRED, ROUTED_TO_OTHER (agent index, until), CLAIM_LIMIT, CAPACITY.
 */
export function claimTask(): i32 {
  const f = frame();
  const row = findTask(fieldAddress(IN_TASK_ID));
  if (row < 0) return refuse(TASK_NOT_FOUND);
  const task = taskAt(<u32>row);
  if (task.status != TASK_OPEN) return refuse(TASK_STATE);
  if (isOwnWork(task, f.actor)) return refuse(SELF_CLAIM);
  if (isClaimBarred(task, f.actor)) return refuse(CLAIM_BARRED);
  if (isKeptForOther(task, f.actor, f.nowSecs)) {
    return refuse(ROUTED_TO_OTHER, task.routedTo - 1, task.exclusiveUntilSecs);
  }
  if (workerOf(f.actor).claimed >= MAX_CLAIMS) return refuse(CLAIM_LIMIT);
  if (!hasItemRows(task.lane == LANE_NONE ? 1 : 2)) return refuse(CAPACITY, TABLE_ITEMS);
  if (!hasRecordRow(actor(), <u32>recordCategory(categoryFormOf(task))))
    return refuse(CAPACITY, TABLE_RECORDS);
  // An exclusive assignment already has a reserved row, which the claim takes over.
  if (task.exclusiveUntilSecs == 0 && !hasBarRow()) return refuse(CAPACITY, TABLE_BARS);
  if (!commits()) return OK;

  startClaim(task);
  return OK;
}

/** Expires a claim at the end of the delivery time: failure, bar, subtasks closed, task open again (protocol 7.1, 7.2). */
export function expireClaim(task: Task, nowSecs: u64): void {
  const agent = task.claimer - 1;
  const record = beginTaskEvent(
    EVENT_CLAIM_EXPIRED,
    'claim_expired',
    taskIdOf(task),
    OUT_CLAIM_EXPIRED_BYTES,
  );
  store<u32>(record, agent, OUT_CLAIM_EXPIRED_CLAIMER);
  recordFailed(agentAt(agent), task.category, nowSecs);
  extendFingerprint(agentAt(agent), eventIdOf(record), task.category, false, 0, 0);
  task.escrow += escrowOfChildren(task);
  closeChildren(task, nowSecs);
  cutChildren(task);
  task.subtaskCount = 0;
  task.expiresSecs = openUntilSecs(nowSecs);
  task.routedTo = 0;
  moveTo(task, TASK_OPEN);
  addBar(task, agent, BAR_CLAIM);
  task.claimer = 0;
  task.claimedSecs = 0;
  task.claimDeadlineSecs = 0;
}
