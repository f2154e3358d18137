// Disputes: opened by the poster or after a failed review, judged by all validators that are not parties.
// Keeps: the judges are fixed when the dispute opens: not the parties, and, if enough active validators remain,
// not the panel members that voted on the submission or their clusters (protocol 4.3, 7.1).

import {
  ITEM_DISPUTE,
  PARAM_DISPUTE_DEADLINE_SECS,
  PARAM_MIN_PARTICIPANTS,
  RESOLUTION_DISPUTE_DEADLINE,
  RESOLUTION_DISPUTE_QUORUM,
  SETTLED_EXPIRED,
  SETTLED_REJECTED,
  SETTLED_VERIFIED,
  TASK_DISPUTED,
  VALIDATOR_ACTIVE,
  VOTE_ADJUSTED,
  VOTE_SETTLED,
} from '../abi';
import { copy32 } from '../lib/bytes';
import { closeTaskItem } from '../settlement/close';
import { assignedOf, barredOf, Item, itemAt, itemRow, markItem, openItem } from '../settlement/items';
import { ASSIGNED_NAMES } from '../settlement/opening';
import { removeVotes } from '../settlement/votes';
import { header, param } from '../state/header';
import { drawNames } from '../validators/assignment';
import { exclude, excludeCluster, excludeNobody, isExcluded } from '../validators/candidates';
import { validatorAt } from '../validators/validators';
import { cancelByDispute, completeTask } from './completion';
import { isStructured } from './reserves';
import { Delivery, deliveryOf, disputeEventOf, isSubtask, panelMember, Task, taskAt, taskRow } from './rows';
import { moveTo } from './status';

// Excludes the parties of the task from judging and from the draw.
function excludeParties(task: Task): void {
  excludeNobody();
  exclude(task.poster);
  exclude(task.claimer - 1);
  if (isSubtask(task)) exclude(taskAt(task.parent - 1).poster);
}

// Number of active validators that are not excluded now.
function countJudges(): u32 {
  let count: u32 = 0;
  for (let i: u32 = 0; i < header().validatorCount; i++) {
    if (validatorAt(i).status == VALIDATOR_ACTIVE && !isExcluded(i)) count++;
  }
  return count;
}

function hasVotedOnPanel(delivery: Delivery, position: u32): bool {
  return ((delivery.panelVoted >> <u8>position) & 1) != 0;
}

// Also excludes the panel members that voted, with their clusters, unless too few judges would remain.
function excludePanel(task: Task, item: Item): void {
  const delivery = deliveryOf(task);
  if (delivery.panelVoted == 0) return;
  for (let position: u32 = 0; position < delivery.panelCount; position++) {
    if (hasVotedOnPanel(delivery, position)) excludeCluster(panelMember(delivery, position));
  }
  if (countJudges() < <u32>param(PARAM_MIN_PARTICIPANTS)) {
    excludeParties(task);
    return;
  }
  for (let position: u32 = 0; position < delivery.panelCount; position++) {
    if (!hasVotedOnPanel(delivery, position)) continue;
    store<u16>(barredOf(item) + ((<usize>item.barredCount) << 1), <u16>panelMember(delivery, position));
    item.barredCount++;
  }
}

/** Opens the dispute of a submitted task; `eventId` is the event to vote on. Its item row was reserved. */
export function openDispute(task: Task, eventId: usize, nowSecs: u64): void {
  const delivery = deliveryOf(task);
  copy32(disputeEventOf(delivery), eventId);
  delivery.disputedSecs = nowSecs;
  delivery.disputeDeadlineSecs = nowSecs + param(PARAM_DISPUTE_DEADLINE_SECS);
  if (delivery.submissionItem != 0) {
    itemAt(delivery.submissionItem - 1).isClosed = 1;
    markItem(itemAt(delivery.submissionItem - 1));
  }
  moveTo(task, TASK_DISPUTED);
  const deadlineSecs = delivery.disputeDeadlineSecs;
  const item = openItem(eventId, ITEM_DISPUTE, task.poster, task.poster, task.budget, nowSecs, deadlineSecs);
  item.task = taskRow(task) + 1;
  item.thirdParty = task.claimer;
  if (isSubtask(task)) item.fourthParty = taskAt(task.parent - 1).poster + 1;
  delivery.disputeItem = itemRow(item) + 1;
  excludeParties(task);
  excludePanel(task, item);
  item.assignedCount = <u16>drawNames(eventId, task.category, ASSIGNED_NAMES, assignedOf(item));
}

/** Decides a disputed task, for the worker or for the poster, by quorum or at the deadline. */
export function decideDispute(task: Task, forWorker: bool, byQuorum: bool, nowSecs: u64): void {
  const delivery = deliveryOf(task);
  const item = itemAt(delivery.disputeItem - 1);
  delivery.disputeItem = 0;
  const state = forWorker ? VOTE_SETTLED : VOTE_ADJUSTED;
  let reason: u32 = SETTLED_EXPIRED;
  if (byQuorum) reason = forWorker ? SETTLED_VERIFIED : SETTLED_REJECTED;
  const votes = closeTaskItem(
    item,
    state,
    reason,
    byQuorum,
    task.category,
    isStructured(task.reserve),
    nowSecs,
  );
  const resolution = byQuorum ? RESOLUTION_DISPUTE_QUORUM : RESOLUTION_DISPUTE_DEADLINE;
  if (forWorker) {
    task.voteHead = votes;
    completeTask(task, resolution, nowSecs);
  } else {
    removeVotes(votes);
    cancelByDispute(task, resolution, byQuorum, nowSecs);
  }
}
