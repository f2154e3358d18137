// The ends of a delivered task: completed, or cancelled by a lost dispute (protocol 7.1, 7.2).
// Keeps: the submission event of an assured task follows the task if its panel did not decide it; settlements of the
// task's events come before task_settled, those of its subtasks after it, a slash last.

import {
  PAYOUT_HELD,
  RESOLUTION_DISPUTE_QUORUM,
  SETTLED_EXPIRED,
  SETTLED_REJECTED,
  SETTLED_VERIFIED,
  SHARES,
  SLASH_LOST_DISPUTE,
  TASK_COMPLETED,
  VOTE_ADJUSTED,
  VOTE_SETTLED,
} from '../abi';
import { eventIdOf } from '../io/system-event';
import { agentAt } from '../ledger/agents';
import { BP, DISPUTE_SLASH_BP } from '../ledger/rates';
import { mulDiv } from '../lib/u128';
import { extendFingerprint } from '../reputation/fingerprint';
import { recordFailed } from '../reputation/records';
import { closeTaskItem, slash } from '../settlement/close';
import { itemAt } from '../settlement/items';
import { removeVotes } from '../settlement/votes';
import { payTask } from './payout';
import { cancelTask, returnPostersShare } from './refund';
import { isStructured } from './reserves';
import { deliveryOf, isSubtask, Task, taskAt } from './rows';
import { moveTo } from './status';
import { cutChildren } from './subtasks';

/** Settles the submission event if it is still open, by the quorum of its panel or without. */
export function closeSubmission(task: Task, state: u32, reason: u32, byQuorum: bool, nowSecs: u64): void {
  const delivery = deliveryOf(task);
  if (delivery.submissionItem == 0) return;
  const item = itemAt(delivery.submissionItem - 1);
  delivery.submissionItem = 0;
  removeVotes(
    closeTaskItem(
      item,
      state,
      reason,
      byQuorum,
      reason == SETTLED_VERIFIED ? SHARES : 0,
      task.category,
      isStructured(task.reserve),
      nowSecs,
    ),
  );
}

/** Completes a task for RESOLUTION_*: pays it at once with its subtasks; the payout of a subtask is held for its parent. */
export function completeTask(task: Task, resolution: u32, nowSecs: u64): void {
  closeSubmission(task, VOTE_SETTLED, SETTLED_VERIFIED, false, nowSecs);
  task.resolution = <u8>resolution;
  task.endedSecs = nowSecs;
  moveTo(task, TASK_COMPLETED);
  returnPostersShare(task);
  if (isSubtask(task)) {
    task.payout = <u8>PAYOUT_HELD;
    return;
  }
  payTask(task, nowSecs);
  for (let link = task.childHead; link != 0; link = taskAt(link - 1).next) payTask(taskAt(link - 1), nowSecs);
  cutChildren(task);
}

/** Cancels a disputed task against its worker: refund, failure, and a slash when a quorum named a ground for one. */
export function cancelByDispute(task: Task, resolution: u32, isSlashed: bool, nowSecs: u64): void {
  const worker = agentAt(task.claimer - 1);
  const byQuorum = resolution == RESOLUTION_DISPUTE_QUORUM;
  closeSubmission(task, VOTE_ADJUSTED, byQuorum ? SETTLED_REJECTED : SETTLED_EXPIRED, false, nowSecs);
  const record = cancelTask(task, resolution, nowSecs);
  recordFailed(worker, task.category, nowSecs);
  extendFingerprint(worker, eventIdOf(record), task.category, false, 0, 0);
  if (isSlashed) slash(worker, mulDiv(worker.staked, DISPUTE_SLASH_BP, BP), SLASH_LOST_DISPUTE);
}
