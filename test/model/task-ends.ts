// How tasks end and what time does to them: the transitions of protocol 7.1 and 7.2 that are not requests.

import * as abi from '../../assembly/abi.ts';
import { addBar } from './bars.ts';
import { forfeit, forfeitLost, giveBack, notePoster, payJudges } from './bonds.ts';
import { runsFirst } from './contracts.ts';
import { emit, type ModelEvent } from './events.ts';
import * as figures from './figures.ts';
import { countVotes, inOneCluster, noteJudges } from './judging.ts';
import { seatJudges } from './panels.ts';
import { isCrowdedOut, isRetained, retainedUntil } from './retention.ts';
import * as rules from './rules.ts';
import { closeEvent, fail, slash } from './settle.ts';
import type { ModelAgent, ModelItem, ModelState, ModelValidator } from './state.ts';
import { payTask, settled, shared } from './task-money.ts';
import type { ModelTask } from './task-state.ts';
import { endVotes, endVoteTime } from './voting.ts';

export const openUntil = (s: ModelState): number => s.now + 30 * s.param(abi.PARAM_DAY_SECS);

export function deadlineOf(s: ModelState, task: ModelTask): number | undefined {
  switch (task.status) {
    case abi.TASK_OPEN:
      return task.exclusiveUntil === 0 ? task.expires : Math.min(task.exclusiveUntil, task.expires);
    case abi.TASK_CLAIMED:
      if ((task.flags & abi.TASK_CHECKING) !== 0) return undefined;
      return task.cancelAt || task.claimDeadline;
    case abi.TASK_SUBMITTED:
      return task.reviewDeadline;
    case abi.TASK_DISPUTED:
      if ((task.flags & abi.TASK_CHECKING) !== 0) return undefined;
      return task.disputeDeadline;
    default:
      return isRetained(s, task) && !task.isDue ? retainedUntil(s, task) : undefined;
  }
}

function closeItem(
  s: ModelState,
  item: ModelItem,
  state: number,
  reason: number,
  byQuorum: boolean,
  share = reason === abi.SETTLED_VERIFIED ? 10 : 0,
): void {
  item.commitments = [];
  closeEvent(s, item, state, reason);
  noteJudges(s, item);
  if (!byQuorum) return;
  countVotes(s, item, item.task!.category, share);
}

export function closeSubmission(
  s: ModelState,
  task: ModelTask,
  state: number,
  reason: number,
  byQuorum: boolean,
): void {
  if (!task.submission) return;
  const item = task.submission;
  task.submission = undefined;
  closeItem(s, item, state, reason, byQuorum);
}

export function completeTask(s: ModelState, task: ModelTask, resolution: number): void {
  closeSubmission(s, task, abi.VOTE_SETTLED, abi.SETTLED_VERIFIED, false);
  Object.assign(task, { resolution, ended: s.now, status: abi.TASK_COMPLETED });
  giveBack(task);
  const kept = shared(task, task.escrow);
  task.refunded = task.escrow - kept;
  task.escrow = kept;
  if (task.parent) task.parent.escrow += task.refunded;
  else task.poster.balance += task.refunded;
  if (task.parent) {
    task.payout = abi.PAYOUT_HELD;
    return;
  }
  payTask(s, task);
  for (const child of task.children) payTask(s, child);
}

function tellCancelled(s: ModelState, task: ModelTask): void {
  const event = emit(s, abi.EVENT_TASK_CANCELLED, 'task_cancelled', task.id);
  event.task = { id: task.id, resolution: task.resolution };
}

function refunded(s: ModelState, task: ModelTask, amount: bigint): ModelEvent {
  Object.assign(task, { escrow: 0n, payout: abi.PAYOUT_REFUNDED, judges: [] });
  return settled(s, task, { refund: amount + task.refunded });
}

const held = (task: ModelTask): bigint => task.children.reduce((sum, c) => sum + c.escrow, 0n);

function closeChildren(s: ModelState, task: ModelTask): void {
  for (const child of task.children) {
    const amount = child.escrow;
    if (child.status !== abi.TASK_COMPLETED) {
      s.due = s.due.filter((t) => t !== child);
      child.flags &= ~abi.TASK_CHECKING;
      if (child.claimer) child.claimer.balance += child.feeHeld;
      child.feeHeld = 0n;
      if (child.dispute) closeItem(s, child.dispute, abi.VOTE_ADJUSTED, abi.SETTLED_EXPIRED, false);
      child.dispute = undefined;
      giveBack(child);
      Object.assign(child, {
        resolution: abi.RESOLUTION_PARENT_CLOSED,
        ended: s.now,
        cancelAt: 0,
        status: abi.TASK_CANCELLED,
      });
      tellCancelled(s, child);
    }
    refunded(s, child, amount);
  }
}

/** Refund of a task with its subtasks; the event that tells it. */
export function cancelTask(s: ModelState, task: ModelTask, resolution: number): ModelEvent {
  const amount = task.escrow + held(task);
  giveBack(task);
  Object.assign(task, { resolution, ended: s.now, status: abi.TASK_CANCELLED, cancelAt: 0 });
  if (isCrowdedOut(s, task)) task.isDue = true;
  if (task.parent) {
    task.parent.escrow += amount;
    task.parent.children = task.parent.children.filter((c) => c !== task);
  } else {
    task.poster.balance += amount;
  }
  const event = refunded(s, task, amount);
  closeChildren(s, task);
  return event;
}

function cancelAtDeadline(s: ModelState, task: ModelTask, resolution: number): void {
  task.resolution = resolution;
  tellCancelled(s, task);
  cancelTask(s, task, resolution);
}

/** 7.1: nothing came of the reservation: refunded, or open to all. */
export function lapseReservation(s: ModelState, task: ModelTask): void {
  if ((task.flags & abi.TASK_RESERVED_OR_REFUND) !== 0) {
    cancelAtDeadline(s, task, abi.RESOLUTION_EXPIRED);
    return;
  }
  task.flags &= ~abi.TASK_RESERVED;
  addBar(s, task, s.agents[task.routed.routedTo!]!, false);
  task.exclusiveUntil = 0;
  task.routed.routedTo = undefined;
}

export const hasDelivered = (task: ModelTask): boolean => (task.flags & abi.TASK_FACTS_HOLD) !== 0;

/** 4.3: enough may judge when these do not, with half of the held weight. */
function leavesEnough(s: ModelState, parties: ModelAgent[], isOut: (v: ModelValidator) => boolean): boolean {
  const active = s.validators.filter((v) => v.status === abi.VALIDATOR_ACTIVE);
  const left = active.filter((v) => !parties.includes(v.agent) && !isOut(v));
  const isMost = figures.heldBy(s, left, s.now) >= figures.leastTotal(s, s.now, active);
  return left.length >= s.param(abi.PARAM_MIN_PARTICIPANTS) && isMost;
}

export function openDispute(s: ModelState, task: ModelTask, eventId: string): void {
  const parties = [task.poster, task.claimer!, ...(task.parent ? [task.parent.poster] : [])];
  const voted = task.panelVotes.map((v) => v.validator);
  const barsClusters = leavesEnough(s, parties, (v) => voted.some((judge) => inOneCluster(judge, v)));
  const isBarring = barsClusters || leavesEnough(s, parties, (v) => voted.includes(v));
  const barred = isBarring ? task.panel.filter((v) => voted.includes(v)) : [];
  // 15.5: where a contract has passed, its report is the worker's answer. One on a sealed delivery has not run.
  const isContested = runsFirst(task);
  const deadline = s.now + s.param(isContested ? abi.PARAM_DISPUTE_DEADLINE_SECS : abi.PARAM_CONTEST_SECS);
  Object.assign(task, { disputed: s.now, disputeDeadline: deadline, disputeEvent: eventId, isContested });
  task.status = abi.TASK_DISPUTED;
  if (task.submission) task.submission.isClosed = true;
  task.dispute = {
    eventId,
    kind: abi.ITEM_DISPUTE,
    agent: task.poster,
    recipient: task.poster,
    parties,
    barred,
    barsClusters,
    amount: task.budget,
    deadline,
    created: s.now,
    assigned: [],
    votes: [],
    commitments: [],
    order: [],
    isRevealing: false,
    task,
    isClosed: !isContested,
    panel: 'none',
  };
  s.items.push(task.dispute);
  if (hasDelivered(task)) {
    if (isContested) seatJudges(s, task, task.dispute);
    return;
  }
  forfeit(s, task, task.workerHeld);
  decideDispute(s, task, 0, abi.RESOLUTION_NOTHING_DELIVERED);
}

/** 15.5: the judges may vote. */
export function contest(s: ModelState, task: ModelTask): void {
  const deadline = s.now + s.param(abi.PARAM_DISPUTE_DEADLINE_SECS);
  Object.assign(task, { isContested: true, disputeDeadline: deadline });
  Object.assign(task.dispute!, { isClosed: false, deadline, created: s.now });
  seatJudges(s, task, task.dispute!);
}

/** 15.5: conceding costs three quarters of the bond, silence the whole. */
export function concede(s: ModelState, task: ModelTask, hasAnswered: boolean): void {
  forfeit(s, task, hasAnswered ? task.workerHeld - task.workerHeld / 4n : task.workerHeld);
  decideDispute(s, task, 0, abi.RESOLUTION_CONCEDED);
}

/** 15.6: the worker gets `share` tenths; with none the task is cancelled. */
export function decideDispute(s: ModelState, task: ModelTask, share: number, resolution: number): void {
  const item = task.dispute!;
  task.dispute = undefined;
  payJudges(task, item, share);
  const byQuorum = resolution === abi.RESOLUTION_DISPUTE_QUORUM;
  if (byQuorum) forfeitLost(s, task, share);
  notePoster(task, share);
  task.share = share;
  const count = figures.tally(s, item, s.now);
  const { weights } = count;
  const judges = item.votes.map((v, i) => ({
    validator: v.validator,
    approve: v.approve,
    share: v.share,
    weight: weights[i]!,
  }));
  const worker = task.claimer!;
  const decided = share > 0 ? abi.SETTLED_VERIFIED : abi.SETTLED_REJECTED;
  const reason = byQuorum ? decided : abi.SETTLED_EXPIRED;
  closeItem(s, item, share > 0 ? abi.VOTE_SETTLED : abi.VOTE_ADJUSTED, reason, byQuorum, share);
  if (share > 0) {
    task.judges = judges;
    completeTask(s, task, resolution);
    return;
  }
  closeSubmission(s, task, abi.VOTE_ADJUSTED, reason, false);
  const event = cancelTask(s, task, resolution);
  fail(s, worker, task.category, event.id);
  if (byQuorum && figures.namesGround(count))
    slash(s, worker, rules.mul(worker.staked, 1000n, 10000n), abi.SLASH_LOST_DISPUTE);
}

export function decidePanel(s: ModelState, task: ModelTask, reason: number): void {
  task.panelVerdict = reason;
  const state = reason === abi.SETTLED_VERIFIED ? abi.VOTE_SETTLED : abi.VOTE_ADJUSTED;
  closeSubmission(s, task, state, reason, true);
}

/** A vote on a submission was cast; `reason` is what the count decides. */
export function applyPanelVote(
  s: ModelState,
  item: ModelItem,
  v: ModelValidator,
  approve: boolean,
  reason: number,
): void {
  item.task!.panelVotes.push({ validator: v, approve });
  if (reason !== abi.SETTLED_NONE) decidePanel(s, item.task!, reason);
}

/** A vote on a dispute was revealed: the last one ends the votes. Status and reason, as the command's results. */
export function applyReveal(s: ModelState, item: ModelItem): [status: number, reason: number] {
  const task = item.task!;
  const reason = item.commitments.length > 0 ? abi.SETTLED_NONE : endVotes(s, item);
  if (reason === abi.SETTLED_NONE) return [abi.VOTE_PENDING, reason];
  return [task.share > 0 ? abi.VOTE_SETTLED : abi.VOTE_ADJUSTED, reason];
}

export function expireClaim(s: ModelState, task: ModelTask): void {
  const agent = task.claimer!;
  const event = emit(s, abi.EVENT_CLAIM_EXPIRED, 'claim_expired', task.id);
  event.task = { id: task.id, claimer: agent.index };
  task.escrow += held(task);
  closeChildren(s, task);
  if (task.cancelAt !== 0 || (task.flags & abi.TASK_RESERVED_OR_REFUND) !== 0) {
    task.children = [];
    cancelAtDeadline(s, task, task.cancelAt !== 0 ? abi.RESOLUTION_POSTER_CANCELLED : abi.RESOLUTION_EXPIRED);
  } else reopen(s, task);
  fail(s, agent, task.category, event.id);
}

/** Open again to everybody but the agent that had it. */
export function reopen(s: ModelState, task: ModelTask): void {
  const agent = task.claimer!;
  giveBack(task);
  task.flags &= ~(abi.TASK_RESERVED | abi.TASK_RESERVED_OR_REFUND);
  task.routed.routedTo = undefined;
  Object.assign(task, { children: [], createdByClaim: 0, expires: openUntil(s), status: abi.TASK_OPEN });
  Object.assign(task, { claimer: undefined, claimed: 0, claimDeadline: 0 });
  addBar(s, task, agent, true);
}

function endReview(s: ModelState, task: ModelTask): void {
  if (task.submission) {
    const reason = figures.decision(figures.tally(s, task.submission, s.now));
    if (reason !== abi.SETTLED_NONE) decidePanel(s, task, reason);
  }
  const isExternal = (task.flags & abi.TASK_EXTERNAL) !== 0;
  const paysSilently = (task.flags & abi.TASK_PAYS_SILENTLY) !== 0;
  if (isExternal && !paysSilently && task.panelVerdict === abi.SETTLED_NONE) {
    closeSubmission(s, task, abi.VOTE_ADJUSTED, abi.SETTLED_EXPIRED, false);
    cancelAtDeadline(s, task, abi.RESOLUTION_UNREVIEWED);
    return;
  }
  if (hasDelivered(task) && task.panelVerdict !== abi.SETTLED_REJECTED) {
    completeTask(s, task, abi.RESOLUTION_WINDOW_PASSED);
    return;
  }
  const event = emit(s, abi.EVENT_TASK_DISPUTED, 'task_disputed', task.id);
  event.task = {
    id: task.id,
    deadline: s.now + s.param(abi.PARAM_CONTEST_SECS),
    delivered: hasDelivered(task) ? 1 : 0,
  };
  openDispute(s, task, event.id);
}

const WITHOUT_QUORUM: Record<number, number> = {
  [abi.NO_QUORUM_SPLIT]: 5,
  [abi.NO_QUORUM_WORKER]: 10,
  [abi.NO_QUORUM_POSTER]: 0,
};

/** 15.6: the worker's tenths where nobody decided. */
export const shareWithoutQuorum = (task: ModelTask): number => WITHOUT_QUORUM[task.noQuorum]!;

function endDispute(s: ModelState, task: ModelTask): void {
  if (!task.isContested) {
    concede(s, task, false);
    return;
  }
  endVoteTime(s, task.dispute!);
}

/** The deadline of a task's status has come. */
export function fireTask(s: ModelState, task: ModelTask): void {
  if (task.status === abi.TASK_CLAIMED && task.cancelAt === 0) expireClaim(s, task);
  else if (task.status === abi.TASK_SUBMITTED) endReview(s, task);
  else if (task.status === abi.TASK_DISPUTED) endDispute(s, task);
  else if (task.status !== abi.TASK_OPEN && task.status !== abi.TASK_CLAIMED) task.isDue = true;
  else {
    const isOpen = task.status === abi.TASK_OPEN;
    cancelAtDeadline(s, task, isOpen ? abi.RESOLUTION_EXPIRED : abi.RESOLUTION_POSTER_CANCELLED);
  }
}
