// Deadlines of a task: one transition for each status that has one (protocol 7.1), then the end of its retention.
// Keeps: a firing changes the status or sets a later deadline, so that none repeats itself.

import {
  EVENT_TASK_DISPUTED,
  OUT_REPLAY_CREATED_BYTES,
  OUT_SLASH_BYTES,
  OUT_TASK_CANCELLED_BYTES,
  OUT_TASK_DISPUTED_BYTES,
  OUT_TASK_DISPUTED_DEADLINE,
  OUT_TASK_SETTLED_BYTES,
  PARAM_DISPUTE_DEADLINE_SECS,
  RESOLUTION_EXPIRED,
  RESOLUTION_WINDOW_PASSED,
  SETTLED_NONE,
  SETTLED_REJECTED,
  SETTLED_VERIFIED,
  SETTLEMENT_VOTERS,
  TASK_CLAIMED,
  TASK_DISPUTED,
  TASK_GATES_HOLD,
  TASK_OPEN,
  TASK_SCORE_PASS,
  TASK_SUBMITTED,
  VOTER_BYTES,
} from '../abi';
import { beginTaskEvent, eventIdOf } from '../io/system-event';
import { itemAt, MAX_ASSIGNED } from '../settlement/items';
import { countVotes, isApproved, isRejected } from '../settlement/quorum';
import { header, param } from '../state/header';
import { expireClaim } from './claims';
import { completeTask } from './completion';
import { decideDispute, openDispute } from './disputes';
import { expireOpen } from './refund';
import { endRetention } from './retention';
import { lapseExclusivity } from './routing';
import { deliveryOf, Task, taskIdOf } from './rows';
import { MAX_SUBTASKS } from './subtasks';
import { decidePanel } from './verdicts';

const EVENT_ID: usize = memory.data(32, 8);

/**
 * Space that one step of a task may need in the out buffer: the ends of a parent and of all its subtasks, each
 * with the votes of a dispute, one of them with those of a panel.
 */
export function taskStepBytes(): u32 {
  const item = <u32>SETTLEMENT_VOTERS + header().validatorCount * VOTER_BYTES;
  const ends = <u32>OUT_TASK_SETTLED_BYTES + OUT_TASK_CANCELLED_BYTES + item;
  const panel = <u32>SETTLEMENT_VOTERS + MAX_ASSIGNED * VOTER_BYTES;
  const rest = OUT_TASK_DISPUTED_BYTES + OUT_REPLAY_CREATED_BYTES + OUT_SLASH_BYTES;
  return (1 + <u32>MAX_SUBTASKS) * ends + panel + rest;
}

function fireOpen(task: Task, nowSecs: u64): void {
  const exclusive = task.exclusiveUntilSecs;
  if (exclusive != 0 && exclusive <= task.expiresSecs) lapseExclusivity(task);
  else expireOpen(task, RESOLUTION_EXPIRED, nowSecs);
}

// After a last count of the panel's votes: its verdict, or without one the score's.
function passesReview(task: Task, nowSecs: u64): bool {
  const delivery = deliveryOf(task);
  if (delivery.submissionItem != 0) {
    countVotes(itemAt(delivery.submissionItem - 1), nowSecs);
    if (isApproved()) decidePanel(task, SETTLED_VERIFIED, nowSecs);
    else if (isRejected()) decidePanel(task, SETTLED_REJECTED, nowSecs);
  }
  if (delivery.panelVerdict != SETTLED_NONE) return delivery.panelVerdict == SETTLED_VERIFIED;
  return (task.flags & TASK_SCORE_PASS) != 0;
}

function fireSubmitted(task: Task, nowSecs: u64): void {
  if (passesReview(task, nowSecs)) {
    completeTask(task, RESOLUTION_WINDOW_PASSED, nowSecs);
    return;
  }
  const record = beginTaskEvent(
    EVENT_TASK_DISPUTED,
    'task_disputed',
    taskIdOf(task),
    OUT_TASK_DISPUTED_BYTES,
  );
  store<u64>(record, nowSecs + param(PARAM_DISPUTE_DEADLINE_SECS), OUT_TASK_DISPUTED_DEADLINE);
  memory.copy(EVENT_ID, eventIdOf(record), 32);
  openDispute(task, EVENT_ID, nowSecs);
}

function fireDisputed(task: Task, nowSecs: u64): void {
  countVotes(itemAt(deliveryOf(task).disputeItem - 1), nowSecs);
  if (isApproved()) decideDispute(task, true, true, nowSecs);
  else if (isRejected()) decideDispute(task, false, true, nowSecs);
  else decideDispute(task, (task.flags & TASK_GATES_HOLD) != 0, false, nowSecs);
}

/**
 * Fires the deadline of a task's current status; for a final task, the end of its retention. The caller has checked
 * that taskStepBytes fit.
 */
export function fireTask(task: Task, nowSecs: u64): void {
  const status = task.status;
  if (status == TASK_OPEN) fireOpen(task, nowSecs);
  else if (status == TASK_CLAIMED) expireClaim(task, nowSecs);
  else if (status == TASK_SUBMITTED) fireSubmitted(task, nowSecs);
  else if (status == TASK_DISPUTED) fireDisputed(task, nowSecs);
  else endRetention(task);
}
