// Who judged a task: the members of its panel and the voters of its dispute (protocol 6.9, 6.12, 7.6).
// Keeps: whoever approved on the panel or in a dispute that was decided for the worker voted for completion,
// votes in probation included. Reads the panel's bits and the retained votes, so it only works while these exist.

import { RESOLUTION_DISPUTE_QUORUM, SETTLED_VERIFIED, VALIDATOR_PROBATION } from '../abi';
import { agrees, isApproval, voteAt, voterOf } from '../settlement/votes';
import { header } from '../state/header';
import { exclude, excludeNobody, excludeValidator, isExcludedValidator } from '../validators/candidates';
import { isClustered } from '../validators/clusters';
import { countApproval, validatorAt } from '../validators/validators';
import { deliveryOf, isDelivered, judgingOf, markTask, panelMember, Task } from './rows';

/** True when the panel member at a position voted for completion. */
export function hasApproved(task: Task, position: u32): bool {
  return ((deliveryOf(task).panelApproved >> <u8>position) & 1) != 0;
}

/** Records the vote of a panel member; an approval counts for the validator's stake lock until the task leaves. */
export function notePanelVote(task: Task, validator: u32, approves: bool): void {
  const delivery = deliveryOf(task);
  for (let position: u32 = 0; position < delivery.panelCount; position++) {
    if (panelMember(delivery, position) != validator) continue;
    delivery.panelVoted |= 1 << (<u8>position);
    if (approves) delivery.panelApproved |= 1 << (<u8>position);
  }
  if (approves) countApproval(validator, 1);
  markTask(task);
}

/** Stops counting the approvals of a task that leaves. */
export function releaseApprovers(task: Task): void {
  if (!isDelivered(task)) return;
  const delivery = deliveryOf(task);
  for (let position: u32 = 0; position < delivery.panelCount; position++) {
    if (hasApproved(task, position)) countApproval(panelMember(delivery, position), -1);
  }
}

/** True when the validator (index) approved as a member of the panel. */
export function approvedOnPanel(task: Task, validator: u32): bool {
  const delivery = deliveryOf(task);
  for (let position: u32 = 0; position < delivery.panelCount; position++) {
    if (panelMember(delivery, position) == validator && hasApproved(task, position)) return true;
  }
  return false;
}

/** True when the validator (index) approved in the dispute. O(votes). */
export function approvedInDispute(task: Task, validator: u32): bool {
  for (let link = task.voteHead; link != 0; link = voteAt(link - 1).next) {
    if (voterOf(voteAt(link - 1)) == validator) return isApproval(voteAt(link - 1));
  }
  return false;
}

/** True when the validator (index) voted for completion. */
export function isVerifier(task: Task, validator: u32): bool {
  return approvedOnPanel(task, validator) || approvedInDispute(task, validator);
}

/** True when the validator approved on the panel, whose quorum approved too. */
export function wasRightOnPanel(task: Task, validator: u32): bool {
  return deliveryOf(task).panelVerdict == SETTLED_VERIFIED && approvedOnPanel(task, validator);
}

/** True when the validator approved in the dispute, whose quorum agreed with it. O(votes). */
export function wasRightInDispute(task: Task, validator: u32): bool {
  if (task.resolution != RESOLUTION_DISPUTE_QUORUM) return false;
  for (let link = task.voteHead; link != 0; link = voteAt(link - 1).next) {
    const vote = voteAt(link - 1);
    if (voterOf(vote) == validator) return isApproval(vote) && agrees(vote.share, judgingOf(task).share);
  }
  return false;
}

/** True when one of those who voted for completion is in a cluster. */
export function hasClusteredVerifier(task: Task): bool {
  const delivery = deliveryOf(task);
  for (let position: u32 = 0; position < delivery.panelCount; position++) {
    if (hasApproved(task, position) && isClustered(panelMember(delivery, position))) return true;
  }
  for (let link = task.voteHead; link != 0; link = voteAt(link - 1).next) {
    const vote = voteAt(link - 1);
    if (isApproval(vote) && isClustered(voterOf(vote))) return true;
  }
  return false;
}

/** True when a member of the panel is in probation now. */
export function hasProbationMember(task: Task): bool {
  const delivery = deliveryOf(task);
  for (let position: u32 = 0; position < delivery.panelCount; position++) {
    if (validatorAt(panelMember(delivery, position)).status == VALIDATOR_PROBATION) return true;
  }
  return false;
}

// A cluster is named after one of its members, which represents it while clusters are collected.
function excludeWithName(validator: u32): void {
  excludeValidator(validator);
  if (isClustered(validator)) excludeValidator(validatorAt(validator).cluster - 1);
}

/**
 * Excludes the parties of the task, all who judged it either way, and their clusters from the next draw.
 * O(validators).
 */
export function excludeJudges(task: Task): void {
  const delivery = deliveryOf(task);
  excludeNobody();
  exclude(task.poster);
  exclude(task.claimer - 1);
  for (let position: u32 = 0; position < delivery.panelCount; position++) {
    if (((delivery.panelVoted >> <u8>position) & 1) != 0) excludeWithName(panelMember(delivery, position));
  }
  for (let link = task.voteHead; link != 0; link = voteAt(link - 1).next) {
    excludeWithName(voterOf(voteAt(link - 1)));
  }
  for (let index: u32 = 0; index < header().validatorCount; index++) {
    if (isClustered(index) && isExcludedValidator(validatorAt(index).cluster - 1)) excludeValidator(index);
  }
}
