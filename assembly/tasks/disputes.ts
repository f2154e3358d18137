// Disputes: opened by the poster, or at the end of a review that does not pay; who judges them: panels.ts.
// Keeps: the judges are fixed when the dispute opens: not the parties, and, if enough active validators remain, with half of the
// held weight, not the panel members that voted on the submission or their clusters (protocol 4.3, 7.1).

import {
  GROUND_NONE,
  ITEM_DISPUTE,
  NO_QUORUM_POSTER,
  NO_QUORUM_WORKER,
  PARAM_CONTEST_SECS,
  PARAM_DISPUTE_DEADLINE_SECS,
  PARAM_MIN_PARTICIPANTS,
  RESOLUTION_DISPUTE_QUORUM,
  RESOLUTION_NOTHING_DELIVERED,
  SETTLED_EXPIRED,
  SETTLED_REJECTED,
  SETTLED_VERIFIED,
  SHARES,
  TASK_DISPUTED,
  VALIDATOR_ACTIVE,
  VOTE_ADJUSTED,
  VOTE_SETTLED,
} from '../abi';
import { copy32 } from '../lib/bytes';
import { closeTaskItem } from '../settlement/close';
import { barredOf, Item, itemAt, itemRow, markItem, openItem } from '../settlement/items';
import { namedGround } from '../settlement/quorum';
import { removeVotes } from '../settlement/votes';
import { header, param } from '../state/header';
import {
  exclude,
  excludeCluster,
  excludeNobody,
  excludeValidator,
  isExcluded,
} from '../validators/candidates';
import { validatorAt } from '../validators/validators';
import { addActive, beginJudges, endJudges, holdsLeast } from '../validators/weight';
import { forfeitLost, forfeitWorkerBond, notePosterOutcome, payJudges } from './bonds';
import { cancelByDispute, completeTask } from './completion';
import { seatJudges } from './panels';
import { isStructured } from './reserves';
import {
  Delivery,
  deliveryOf,
  disputeEventOf,
  hasDelivered,
  isSubtask,
  judgingOf,
  panelMember,
  runsFirst,
  Task,
  taskAt,
  taskRow,
} from './rows';
import { moveTo } from './status';

// Excludes the parties of the task from judging and from the draw.
function excludeParties(task: Task): void {
  excludeNobody();
  exclude(task.poster);
  exclude(task.claimer - 1);
  if (isSubtask(task)) exclude(taskAt(task.parent - 1).poster);
}

// True when enough of those that are not excluded now are active, and hold half of the held weight: no fewer judge for all.
function leavesEnough(nowSecs: u64): bool {
  let count: u32 = 0;
  beginJudges();
  for (let i: u32 = 0; i < header().validatorCount; i++) {
    const isLeft = !isExcluded(i);
    if (isLeft && validatorAt(i).status == VALIDATOR_ACTIVE) count++;
    addActive(validatorAt(i), isLeft, nowSecs, true);
  }
  endJudges(nowSecs);
  return count >= <u32>param(PARAM_MIN_PARTICIPANTS) && holdsLeast();
}

function hasVotedOnPanel(delivery: Delivery, position: u32): bool {
  return ((delivery.panelVoted >> <u8>position) & 1) != 0;
}

// Excludes the parties, and the panel members that voted, with their clusters or alone; false when too few remain then.
function excludesPanel(task: Task, withClusters: bool, nowSecs: u64): bool {
  const delivery = deliveryOf(task);
  excludeParties(task);
  for (let position: u32 = 0; position < delivery.panelCount; position++) {
    if (!hasVotedOnPanel(delivery, position)) continue;
    if (withClusters) excludeCluster(panelMember(delivery, position));
    else excludeValidator(panelMember(delivery, position));
  }
  return leavesEnough(nowSecs);
}

// Bars the panel members that voted, with their clusters, else without them, unless too few judges would remain.
function barPanel(task: Task, item: Item, nowSecs: u64): void {
  const delivery = deliveryOf(task);
  if (delivery.panelVoted == 0) return;
  item.barsClusters = excludesPanel(task, true, nowSecs) ? 1 : 0;
  if (item.barsClusters == 0 && !excludesPanel(task, false, nowSecs)) return;
  for (let position: u32 = 0; position < delivery.panelCount; position++) {
    if (!hasVotedOnPanel(delivery, position)) continue;
    store<u16>(barredOf(item) + ((<usize>item.barredCount) << 1), <u16>panelMember(delivery, position));
    item.barredCount++;
  }
}

/**
 * Opens the dispute of a submitted task, which waits for the worker's answer (answers.ts) unless its contract passed; `eventId` is the event to vote
 * on. Its item row was reserved; the poster's bond, if it disputes, is held. Where nothing was
 * delivered there is nothing to judge: the task is cancelled at once.
 */
export function openDispute(task: Task, eventId: usize, nowSecs: u64): void {
  const delivery = deliveryOf(task);
  copy32(disputeEventOf(delivery), eventId);
  delivery.disputedSecs = nowSecs;
  // Where a contract has passed, its report is the worker's answer.
  const isContested = runsFirst(task);
  const answerParam = isContested ? PARAM_DISPUTE_DEADLINE_SECS : PARAM_CONTEST_SECS;
  delivery.disputeDeadlineSecs = nowSecs + param(answerParam);
  judgingOf(task).isContested = isContested ? 1 : 0;
  if (delivery.submissionItem != 0) {
    itemAt(delivery.submissionItem - 1).isClosed = 1;
    markItem(itemAt(delivery.submissionItem - 1));
  }
  moveTo(task, TASK_DISPUTED);
  const deadlineSecs = delivery.disputeDeadlineSecs;
  const item = openItem(eventId, ITEM_DISPUTE, task.poster, task.poster, task.budget, nowSecs, deadlineSecs);
  item.task = taskRow(task) + 1;
  item.isClosed = isContested ? 0 : 1;
  item.thirdParty = task.claimer;
  if (isSubtask(task)) item.fourthParty = taskAt(task.parent - 1).poster + 1;
  delivery.disputeItem = itemRow(item) + 1;
  barPanel(task, item, nowSecs);
  if (!hasDelivered(task)) {
    forfeitWorkerBond(task, true);
    decideDispute(task, 0, RESOLUTION_NOTHING_DELIVERED, nowSecs);
    return;
  }
  if (isContested) seatJudges(task, item, nowSecs);
}

/** The worker's share, in steps of 10 %, where nobody decided: what the task fixed at its creation. */
export function shareWithoutQuorum(task: Task): u32 {
  const rule = <u32>judgingOf(task).noQuorum;
  if (rule == NO_QUORUM_WORKER) return SHARES;
  return rule == NO_QUORUM_POSTER ? 0 : SHARES / 2;
}

/**
 * Decides a disputed task for RESOLUTION_*: the worker gets `share` of the escrow in steps of 10 %. With 0 the task is
 * cancelled, else it is completed.
 */
export function decideDispute(task: Task, share: u32, resolution: u32, nowSecs: u64): void {
  const delivery = deliveryOf(task);
  const item = itemAt(delivery.disputeItem - 1);
  const byQuorum = resolution == RESOLUTION_DISPUTE_QUORUM;
  delivery.disputeItem = 0;
  payJudges(task, item, share, nowSecs);
  if (byQuorum) forfeitLost(task, share);
  // Of the votes that payJudges counted.
  const isSlashed = byQuorum && share == 0 && namedGround() != GROUND_NONE;
  notePosterOutcome(task, share);
  judgingOf(task).share = <u8>share;
  let reason: u32 = SETTLED_EXPIRED;
  if (byQuorum) reason = share != 0 ? SETTLED_VERIFIED : SETTLED_REJECTED;
  const votes = closeTaskItem(
    item,
    share != 0 ? VOTE_SETTLED : VOTE_ADJUSTED,
    reason,
    byQuorum,
    share,
    task.category,
    isStructured(task.reserve),
    nowSecs,
  );
  if (share != 0) {
    task.voteHead = votes;
    completeTask(task, resolution, nowSecs);
  } else {
    removeVotes(votes);
    cancelByDispute(task, resolution, isSlashed, nowSecs);
  }
}
