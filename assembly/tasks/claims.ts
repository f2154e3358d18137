// Claiming a task, giving a claim back, and the expiry of a claim.
// Keeps: every row that the rest of the task's life may need is reserved or allocated here, because deadlines
// cannot be refused: the items of a panel and a dispute (protocol 4.4, 7.1).

import {
  CAPACITY,
  CLAIM_BARRED,
  CLAIM_LIMIT,
  EVENT_CLAIM_EXPIRED,
  IN_TASK_ID,
  INSUFFICIENT_BALANCE,
  LANE_NONE,
  NOT_CLAIMER,
  OK,
  OUT_CLAIM_EXPIRED_BYTES,
  OUT_CLAIM_EXPIRED_CLAIMER,
  RESERVED_FOR_OTHER,
  RESOLUTION_DECLINED,
  RESOLUTION_EXPIRED,
  RESOLUTION_POSTER_CANCELLED,
  RESULT_AGENT,
  ROUTED_TO_OTHER,
  SELF_CLAIM,
  SUBTASKS_OPEN,
  TABLE_ITEMS,
  TASK_CHECKING,
  TASK_CLAIMED,
  TASK_NOT_FOUND,
  TASK_OPEN,
  TASK_STATE,
} from '../abi';
import { backingNeeded, claimBacking, MAX_CLAIMS, maxClaimedBudget, maxClaims } from '../credit/claims';
import { workerOf } from '../credit/workers';
import { actor, commits, fieldAddress, frame, refuse, setResult, txid } from '../io/frame';
import { beginTaskEvent, eventIdOf } from '../io/system-event';
import { agentAt } from '../ledger/agents';
import { extendFingerprint } from '../reputation/fingerprint';
import { recordFailed } from '../reputation/records';
import { hasItemRows } from '../settlement/items';
import { addBar, BAR_CLAIM, isClaimBarred } from './bars';
import { openUntilSecs } from './posting';
import { cancelAtDeadline, cancelTask, closeChildren } from './refund';
import { forgetReservation, isRefundedInstead, isReserved } from './reservation';
import { isKeptForOther } from './routing';
import { contractOf, findTask, isSubtask, judgingOf, Task, taskAt, taskIdOf } from './rows';
import { moveTo } from './status';
import { cutChildren, escrowOfChildren } from './subtasks';

function isOwnWork(task: Task, agent: u32): bool {
  if (task.poster == agent) return true;
  return isSubtask(task) && taskAt(task.parent - 1).poster == agent;
}

const BY_NUMBER: u64 = 0;
const BY_BUDGETS: u64 = 1;

// CLAIM_LIMIT when the actor's stake and fees do not back one more claim with this budget, else OK.
function refuseUnbacked(budget: u64): i32 {
  const worker = workerOf(frame().actor);
  const backing = claimBacking(actor());
  const count = <u64>worker.claimed;
  if (count >= maxClaims(backing)) {
    const missing = count >= MAX_CLAIMS ? 0 : backingNeeded(count + 1, 0) - backing;
    return refuse(CLAIM_LIMIT, BY_NUMBER, count, maxClaims(backing), missing);
  }
  const budgets = worker.claimedBudget + budget;
  if (budgets <= maxClaimedBudget(backing)) return OK;
  const missing = backingNeeded(1, budgets) - backing;
  return refuse(CLAIM_LIMIT, BY_BUDGETS, worker.claimedBudget, maxClaimedBudget(backing), missing);
}

function startClaim(task: Task): void {
  const f = frame();
  task.claimer = f.actor + 1;
  task.claimedSecs = f.nowSecs;
  task.claimDeadlineSecs = f.nowSecs + task.deliverySecs;
  contractOf(task).tries = 0;
  moveTo(task, TASK_CLAIMED);
  setResult(RESULT_AGENT, f.actor);
}

/**
 * OP_TASK_CLAIM. Errors: TASK_NOT_FOUND, TASK_STATE (not open), SELF_CLAIM (also the parent's poster on a
 * subtask), CLAIM_BARRED, ROUTED_TO_OTHER or RESERVED_FOR_OTHER (agent index, until), CLAIM_LIMIT (by, held, limit, stake missing),
 * INSUFFICIENT_BALANCE (balance, bond), CAPACITY.
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
    const code = isReserved(task) ? RESERVED_FOR_OTHER : ROUTED_TO_OTHER;
    return refuse(code, task.routedTo - 1, task.exclusiveUntilSecs);
  }
  const bound = refuseUnbacked(task.budget);
  if (bound != OK) return bound;
  const bond = judgingOf(task).workerBond;
  if (actor().balance < bond) return refuse(INSUFFICIENT_BALANCE, actor().balance, bond);
  if (!hasItemRows(task.lane == LANE_NONE ? 1 : 2)) return refuse(CAPACITY, TABLE_ITEMS);
  if (!commits()) return OK;

  startClaim(task);
  return OK;
}

/**
 * Expires a claim at the end of the delivery time, or of its tries: subtasks closed, task open again (refunded where its poster asked
 * for that, or for its cancellation), bar, failure (protocol 7.1, 7.2). The
 * failure comes last: the row of its record is paid out of the balance, to which the bond went back.
 */
export function expireClaim(task: Task, nowSecs: u64): void {
  const agent = task.claimer - 1;
  const record = beginTaskEvent(
    EVENT_CLAIM_EXPIRED,
    'claim_expired',
    taskIdOf(task),
    OUT_CLAIM_EXPIRED_BYTES,
  );
  store<u32>(record, agent, OUT_CLAIM_EXPIRED_CLAIMER);
  task.escrow += escrowOfChildren(task);
  closeChildren(task, nowSecs);
  cutChildren(task);
  if (task.cancelSecs != 0) cancelAtDeadline(task, RESOLUTION_POSTER_CANCELLED, nowSecs);
  else if (isRefundedInstead(task)) cancelAtDeadline(task, RESOLUTION_EXPIRED, nowSecs);
  else reopen(task, nowSecs);
  recordFailed(agentAt(agent), task.category, nowSecs);
  extendFingerprint(agentAt(agent), eventIdOf(record), task.category, false, 0, 0);
}

// The task is open again, to everybody but the agent that had it.
function reopen(task: Task, nowSecs: u64): void {
  const agent = task.claimer - 1;
  forgetReservation(task);
  task.subtaskCount = 0;
  task.expiresSecs = openUntilSecs(nowSecs);
  task.routedTo = 0;
  moveTo(task, TASK_OPEN);
  addBar(task, agent, BAR_CLAIM);
  task.claimer = 0;
  task.claimedSecs = 0;
  task.claimDeadlineSecs = 0;
}

/** A claim given back after this part of the time for delivery counts as failed (protocol 7.1). */
const FREE_PART: u64 = 4;

/**
 * OP_TASK_RELEASE. Errors: TASK_NOT_FOUND, TASK_STATE (not claimed, notice of its cancellation was given, or a run of its
 * contract is due), NOT_CLAIMER, SUBTASKS_OPEN (a subtask was not cancelled).
 */
export function releaseTask(): i32 {
  const f = frame();
  const row = findTask(fieldAddress(IN_TASK_ID));
  if (row < 0) return refuse(TASK_NOT_FOUND);
  const task = taskAt(<u32>row);
  if (task.status != TASK_CLAIMED || task.cancelSecs != 0) return refuse(TASK_STATE);
  if ((task.flags & TASK_CHECKING) != 0) return refuse(TASK_STATE);
  if (task.claimer != f.actor + 1) return refuse(NOT_CLAIMER);
  if (task.childHead != 0) return refuse(SUBTASKS_OPEN);
  if (!commits()) return OK;

  setResult(RESULT_AGENT, f.actor);
  const isLate = f.nowSecs > task.claimedSecs + <u64>task.deliverySecs / FREE_PART;
  if (isRefundedInstead(task)) cancelTask(task, RESOLUTION_DECLINED, f.nowSecs);
  else reopen(task, f.nowSecs);
  if (!isLate) return OK;
  recordFailed(actor(), task.category, f.nowSecs);
  extendFingerprint(actor(), txid(), task.category, false, 0, 0);
  return OK;
}
