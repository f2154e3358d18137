// The image of a task: fixed fields for OUT_TASK and QUERY_TASK (abi.ts, TASK_*).
// Keeps: fields that a status does not have are 0, so that equal tasks have equal images.

import {
  TASK_ASSURANCE_FEE,
  TASK_BASE_FEE,
  TASK_BUDGET,
  TASK_BYTES,
  TASK_CANCEL_AT,
  TASK_CANCELLED,
  TASK_CANCELLED_AT,
  TASK_CLAIM_DEADLINE,
  TASK_CLAIMED_AT,
  TASK_CLAIMER,
  TASK_COMPLETED,
  TASK_COMPLETED_AT,
  TASK_DISPUTE_BOND,
  TASK_DISPUTE_DEADLINE,
  TASK_DISPUTE_EVENT,
  TASK_DISPUTED_AT,
  TASK_ESCROW,
  TASK_EXCLUSIVE_UNTIL,
  TASK_EXPIRES_AT,
  TASK_FLAGS,
  TASK_GENERATION,
  TASK_IS_CONTESTED,
  TASK_LANE,
  TASK_LANE_ASKED,
  TASK_NET,
  TASK_NO_QUORUM,
  TASK_OPEN,
  TASK_OVERALL_BP,
  TASK_PANEL,
  TASK_PANEL_COUNT,
  TASK_PANELS,
  TASK_PARENT,
  TASK_PAYOUT,
  TASK_POSTED_AT,
  TASK_POSTER,
  TASK_REPLAY,
  TASK_RESOLUTION,
  TASK_REVIEW_DEADLINE,
  TASK_ROUTED_TO,
  TASK_SHARE,
  TASK_STATUS,
  TASK_SUBMISSION_EVENT,
  TASK_SUBMITTED_AT,
  TASK_WORKER_BOND,
} from '../abi';
import { baseFee } from '../ledger/money';
import { copy32 } from '../lib/bytes';
import { disputeBond } from './bonds';
import { assurancePart } from './payout';
import {
  deliveryOf,
  disputeEventOf,
  isDelivered,
  isSubtask,
  judgingOf,
  panelMember,
  submissionEventOf,
  Task,
  taskAt,
  taskIdOf,
} from './rows';

// The worker's amount: the payout, or what it would be if the task were completed now.
function netOf(task: Task): u64 {
  if (task.escrow == 0) return task.paid;
  const base = baseFee(task.escrow);
  return task.escrow - base - assurancePart(task, base);
}

function put32(to: usize, field: usize, value: u32): void {
  store<u32>(to + field, value);
}

function put64(to: usize, field: usize, value: u64): void {
  store<u64>(to + field, value);
}

function putState(to: usize, task: Task): void {
  put32(to, TASK_STATUS, task.status);
  put32(to, TASK_FLAGS, task.flags);
  put32(to, TASK_POSTER, task.poster);
  put32(to, TASK_CLAIMER, task.claimer);
  put32(to, TASK_LANE, task.lane);
  put32(to, TASK_LANE_ASKED, task.laneAsked);
  put32(to, TASK_RESOLUTION, task.resolution);
  put32(to, TASK_PAYOUT, task.payout);
  put32(to, TASK_GENERATION, task.generation);
  put32(to, TASK_REPLAY, task.replay);
  put32(to, TASK_ROUTED_TO, task.routedTo);
  put32(to, TASK_OVERALL_BP, task.overallBp);
  put32(to, TASK_NO_QUORUM, judgingOf(task).noQuorum);
  put32(to, TASK_SHARE, judgingOf(task).share);
}

function putTerms(to: usize, task: Task): void {
  put64(to, TASK_BUDGET, task.budget);
  put64(to, TASK_ESCROW, task.escrow);
  put64(to, TASK_ASSURANCE_FEE, task.assuranceFee);
  put64(to, TASK_NET, netOf(task));
  put64(to, TASK_BASE_FEE, task.baseFee);
  put64(to, TASK_POSTED_AT, task.postedSecs);
  put64(to, TASK_EXPIRES_AT, task.status == TASK_OPEN ? task.expiresSecs : 0);
  put64(to, TASK_EXCLUSIVE_UNTIL, task.exclusiveUntilSecs);
  put64(to, TASK_CLAIMED_AT, task.claimedSecs);
  put64(to, TASK_CLAIM_DEADLINE, task.claimDeadlineSecs);
  put64(to, TASK_CANCEL_AT, task.cancelSecs);
  put64(to, TASK_WORKER_BOND, judgingOf(task).workerBond);
  put64(to, TASK_DISPUTE_BOND, disputeBond(task.budget));
  put32(to, TASK_IS_CONTESTED, judgingOf(task).isContested);
  put32(to, TASK_PANELS, judgingOf(task).panels);
  put64(to, TASK_COMPLETED_AT, task.status == TASK_COMPLETED ? task.endedSecs : 0);
  put64(to, TASK_CANCELLED_AT, task.status == TASK_CANCELLED ? task.endedSecs : 0);
}

function putDelivery(to: usize, task: Task): void {
  const delivery = deliveryOf(task);
  put64(to, TASK_SUBMITTED_AT, delivery.submittedSecs);
  put64(to, TASK_REVIEW_DEADLINE, delivery.reviewDeadlineSecs);
  put64(to, TASK_DISPUTED_AT, delivery.disputedSecs);
  put64(to, TASK_DISPUTE_DEADLINE, delivery.disputeDeadlineSecs);
  copy32(to + TASK_SUBMISSION_EVENT, submissionEventOf(delivery));
  copy32(to + TASK_DISPUTE_EVENT, disputeEventOf(delivery));
  put32(to, TASK_PANEL_COUNT, delivery.panelCount);
  for (let position: u32 = 0; position < delivery.panelCount; position++) {
    put32(to, <usize>TASK_PANEL + ((<usize>position) << 2), panelMember(delivery, position));
  }
}

/** Writes TASK_BYTES at the address. */
export function writeImage(to: usize, task: Task): void {
  memory.fill(to, 0, TASK_BYTES);
  memory.copy(to, taskIdOf(task), 16);
  putState(to, task);
  putTerms(to, task);
  if (isSubtask(task)) memory.copy(to + TASK_PARENT, taskIdOf(taskAt(task.parent - 1)), 16);
  if (isDelivered(task)) putDelivery(to, task);
}
