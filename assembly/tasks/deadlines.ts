// Deadlines of a task: one transition for each status that has one (protocol 7.1), then the end of its retention.
// Keeps: a firing changes the status or sets a later deadline, so that none repeats itself.

import {
  EVENT_TASK_DISPUTED,
  OUT_REPLAY_CREATED_BYTES,
  OUT_SLASH_BYTES,
  OUT_TASK_CANCELLED_BYTES,
  OUT_TASK_CHECKED_BYTES,
  OUT_TASK_DISPUTED_BYTES,
  OUT_TASK_DISPUTED_DEADLINE,
  OUT_TASK_DISPUTED_IS_DELIVERED,
  OUT_TASK_SETTLED_BYTES,
  PARAM_CONTEST_SECS,
  RESOLUTION_EXPIRED,
  RESOLUTION_POSTER_CANCELLED,
  RESOLUTION_UNREVIEWED,
  RESOLUTION_WINDOW_PASSED,
  SETTLED_EXPIRED,
  SETTLED_NONE,
  SETTLED_REJECTED,
  SETTLED_VERIFIED,
  SETTLEMENT_VOTERS,
  TASK_CLAIMED,
  TASK_DISPUTED,
  TASK_EXTERNAL,
  TASK_OPEN,
  TASK_PAYS_SILENTLY,
  TASK_SUBMITTED,
  VOTE_ADJUSTED,
  VOTER_BYTES,
} from '../abi';
import { beginTaskEvent, eventIdOf } from '../io/system-event';
import { itemAt, MAX_ASSIGNED } from '../settlement/items';
import { countVotes, isApproved, isRejected } from '../settlement/quorum';
import { header, param } from '../state/header';
import { endUncontested } from './answers';
import { expireClaim } from './claims';
import { closeSubmission, completeTask } from './completion';
import { openDispute } from './disputes';
import { cancelAtDeadline } from './refund';
import { isReserved, lapseReservation } from './reservation';
import { endRetention } from './retention';
import { lapseExclusivity } from './routing';
import { deliveryOf, hasDelivered, judgingOf, Task, taskIdOf } from './rows';
import { MAX_SUBTASKS } from './subtasks';
import { decidePanel } from './verdicts';
import { endVoteTime } from './voting';

const EVENT_ID: usize = memory.data(32, 8);

/**
 * Space that one step of a task may need in the out buffer: the ends of a parent and of all its subtasks, each
 * with the votes of a dispute, one of them with those of a panel.
 */
export function taskStepBytes(): u32 {
  const item = <u32>SETTLEMENT_VOTERS + header().validatorCount * VOTER_BYTES;
  const ends = <u32>OUT_TASK_SETTLED_BYTES + OUT_TASK_CANCELLED_BYTES + item;
  const panel = <u32>SETTLEMENT_VOTERS + MAX_ASSIGNED * VOTER_BYTES;
  const rest = OUT_TASK_DISPUTED_BYTES + OUT_REPLAY_CREATED_BYTES + OUT_SLASH_BYTES + OUT_TASK_CHECKED_BYTES;
  return (1 + <u32>MAX_SUBTASKS) * ends + panel + rest;
}

function fireOpen(task: Task, nowSecs: u64): void {
  const exclusive = task.exclusiveUntilSecs;
  if (exclusive != 0 && exclusive <= task.expiresSecs) {
    if (isReserved(task)) lapseReservation(task, nowSecs);
    else lapseExclusivity(task);
  } else cancelAtDeadline(task, RESOLUTION_EXPIRED, nowSecs);
}

// A notice ends no later than the time for delivery, so it decides alone while there is one.
function fireClaimed(task: Task, nowSecs: u64): void {
  if (task.cancelSecs != 0) cancelAtDeadline(task, RESOLUTION_POSTER_CANCELLED, nowSecs);
  else expireClaim(task, nowSecs);
}

// Whether silence pays: something was delivered, and the panel, counted a last time, did not reject it.
function passesReview(task: Task, nowSecs: u64): bool {
  const delivery = deliveryOf(task);
  if (delivery.submissionItem != 0) {
    countVotes(itemAt(delivery.submissionItem - 1), nowSecs);
    if (isApproved()) decidePanel(task, SETTLED_VERIFIED, nowSecs);
    else if (isRejected()) decidePanel(task, SETTLED_REJECTED, nowSecs);
  }
  return hasDelivered(task) && delivery.panelVerdict != SETTLED_REJECTED;
}

// Nobody has seen what was delivered outside: a silent poster pays for it only if it chose so.
function isUnpaidBySilence(task: Task): bool {
  if ((task.flags & TASK_EXTERNAL) == 0 || (task.flags & TASK_PAYS_SILENTLY) != 0) return false;
  return deliveryOf(task).panelVerdict == SETTLED_NONE;
}

function fireSubmitted(task: Task, nowSecs: u64): void {
  const passes = passesReview(task, nowSecs);
  if (isUnpaidBySilence(task)) {
    closeSubmission(task, VOTE_ADJUSTED, SETTLED_EXPIRED, false, nowSecs);
    cancelAtDeadline(task, RESOLUTION_UNREVIEWED, nowSecs);
    return;
  }
  if (passes) {
    completeTask(task, RESOLUTION_WINDOW_PASSED, nowSecs);
    return;
  }
  const record = beginTaskEvent(
    EVENT_TASK_DISPUTED,
    'task_disputed',
    taskIdOf(task),
    OUT_TASK_DISPUTED_BYTES,
  );
  store<u64>(record, nowSecs + param(PARAM_CONTEST_SECS), OUT_TASK_DISPUTED_DEADLINE);
  store<u32>(record, hasDelivered(task) ? 1 : 0, OUT_TASK_DISPUTED_IS_DELIVERED);
  memory.copy(EVENT_ID, eventIdOf(record), 32);
  openDispute(task, EVENT_ID, nowSecs);
}

function fireDisputed(task: Task, nowSecs: u64): void {
  if (judgingOf(task).isContested == 0) {
    endUncontested(task, false, nowSecs);
    return;
  }
  endVoteTime(task, itemAt(deliveryOf(task).disputeItem - 1), nowSecs);
}

/**
 * Fires the deadline of a task's current status; for a final task, the end of its retention. The caller has checked
 * that taskStepBytes fit.
 */
export function fireTask(task: Task, nowSecs: u64): void {
  const status = task.status;
  if (status == TASK_OPEN) fireOpen(task, nowSecs);
  else if (status == TASK_CLAIMED) fireClaimed(task, nowSecs);
  else if (status == TASK_SUBMITTED) fireSubmitted(task, nowSecs);
  else if (status == TASK_DISPUTED) fireDisputed(task, nowSecs);
  else endRetention(task);
}
