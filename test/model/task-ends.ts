// How tasks end and what time does to them: the transitions of protocol 7.1 and 7.2 that are not requests.

import * as abi from '../../assembly/abi.ts';
import { drawNames } from './draw.ts';
import { emit, type ModelEvent } from './events.ts';
import * as figures from './figures.ts';
import { countVote, inOneCluster, noteJudges } from './judging.ts';
import { isRetained, retainedUntil } from './retention.ts';
import * as rules from './rules.ts';
import { closeEvent, fail, slash } from './settle.ts';
import type { ModelItem, ModelState, ModelValidator } from './state.ts';
import { payTask, settled } from './task-money.ts';
import type { ModelTask } from './task-state.ts';

export const openUntil = (s: ModelState): number => s.now + 30 * s.param(abi.PARAM_DAY_SECS);

export function deadlineOf(s: ModelState, task: ModelTask): number | undefined {
  switch (task.status) {
    case abi.TASK_OPEN:
      return task.exclusiveUntil === 0 ? task.expires : Math.min(task.exclusiveUntil, task.expires);
    case abi.TASK_CLAIMED:
      return task.claimDeadline;
    case abi.TASK_SUBMITTED:
      return task.reviewDeadline;
    case abi.TASK_DISPUTED:
      return task.disputeDeadline;
    default:
      return isRetained(s, task) && !task.isDue ? retainedUntil(s, task) : undefined;
  }
}

function closeItem(s: ModelState, item: ModelItem, state: number, reason: number, byQuorum: boolean): void {
  closeEvent(s, item, state, reason);
  noteJudges(s, item);
  if (!byQuorum) return;
  const approved = reason === abi.SETTLED_VERIFIED;
  for (const v of item.votes) countVote(s, v.validator, item.task!.category, v.approve === approved);
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
  return settled(s, task, { refund: amount });
}

const held = (task: ModelTask): bigint => task.children.reduce((sum, c) => sum + c.escrow, 0n);

function closeChildren(s: ModelState, task: ModelTask): void {
  for (const child of task.children) {
    const amount = child.escrow;
    if (child.status !== abi.TASK_COMPLETED) {
      if (child.dispute) closeItem(s, child.dispute, abi.VOTE_ADJUSTED, abi.SETTLED_EXPIRED, false);
      child.dispute = undefined;
      Object.assign(child, {
        resolution: abi.RESOLUTION_PARENT_CLOSED,
        ended: s.now,
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
  Object.assign(task, { resolution, ended: s.now, status: abi.TASK_CANCELLED });
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

export function openDispute(s: ModelState, task: ModelTask, eventId: string): void {
  const parties = [task.poster, task.claimer!, ...(task.parent ? [task.parent.poster] : [])];
  const active = s.validators.filter((v) => v.status === abi.VALIDATOR_ACTIVE && !parties.includes(v.agent));
  const voted = task.panelVotes.map((v) => v.validator);
  const judged = (v: ModelValidator): boolean => voted.some((judge) => inOneCluster(judge, v));
  const left = active.filter((v) => !judged(v)).length;
  const barred =
    left >= s.param(abi.PARAM_MIN_PARTICIPANTS) ? task.panel.filter((v) => voted.includes(v)) : [];
  const deadline = s.now + s.param(abi.PARAM_DISPUTE_DEADLINE_SECS);
  Object.assign(task, { disputed: s.now, disputeDeadline: deadline, disputeEvent: eventId });
  task.status = abi.TASK_DISPUTED;
  if (task.submission) task.submission.isClosed = true;
  const isOut = (v: ModelValidator): boolean =>
    parties.includes(v.agent) || barred.some((judge) => inOneCluster(judge, v));
  task.dispute = {
    eventId,
    kind: abi.ITEM_DISPUTE,
    agent: task.poster,
    recipient: task.poster,
    parties,
    barred,
    amount: task.budget,
    deadline,
    created: s.now,
    assigned: drawNames(s, eventId, task.category, isOut, 3).map((v) => v.index),
    votes: [],
    task,
    isClosed: false,
  };
  s.items.push(task.dispute);
}

export function decideDispute(s: ModelState, task: ModelTask, forWorker: boolean, byQuorum: boolean): void {
  const item = task.dispute!;
  task.dispute = undefined;
  const weights = figures.tally(s, item, s.now).weights;
  const judges = item.votes.map((v, i) => ({
    validator: v.validator,
    approve: v.approve,
    weight: weights[i]!,
  }));
  const worker = task.claimer!;
  const decided = forWorker ? abi.SETTLED_VERIFIED : abi.SETTLED_REJECTED;
  const reason = byQuorum ? decided : abi.SETTLED_EXPIRED;
  closeItem(s, item, forWorker ? abi.VOTE_SETTLED : abi.VOTE_ADJUSTED, reason, byQuorum);
  const resolution = byQuorum ? abi.RESOLUTION_DISPUTE_QUORUM : abi.RESOLUTION_DISPUTE_DEADLINE;
  if (forWorker) {
    task.judges = judges;
    completeTask(s, task, resolution);
    return;
  }
  closeSubmission(s, task, abi.VOTE_ADJUSTED, reason, false);
  const event = cancelTask(s, task, resolution);
  fail(s, worker, task.category, event.id);
  if (byQuorum) slash(s, worker, rules.mul(worker.staked, 1000n, 10000n), abi.SLASH_LOST_DISPUTE);
}

export function decidePanel(s: ModelState, task: ModelTask, reason: number): void {
  task.panelVerdict = reason;
  const state = reason === abi.SETTLED_VERIFIED ? abi.VOTE_SETTLED : abi.VOTE_ADJUSTED;
  closeSubmission(s, task, state, reason, true);
}

/** A vote on a submission or dispute was cast; `reason` is what the count decides. */
export function applyVote(
  s: ModelState,
  item: ModelItem,
  v: ModelValidator,
  approve: boolean,
  reason: number,
): void {
  const task = item.task!;
  if (item.kind === abi.ITEM_SUBMISSION) task.panelVotes.push({ validator: v, approve });
  if (reason === abi.SETTLED_NONE) return;
  if (item.kind === abi.ITEM_SUBMISSION) decidePanel(s, task, reason);
  else decideDispute(s, task, reason === abi.SETTLED_VERIFIED, true);
}

function expireClaim(s: ModelState, task: ModelTask): void {
  const agent = task.claimer!;
  const event = emit(s, abi.EVENT_CLAIM_EXPIRED, 'claim_expired', task.id);
  event.task = { id: task.id, claimer: agent.index };
  fail(s, agent, task.category, event.id);
  task.escrow += held(task);
  closeChildren(s, task);
  Object.assign(task, { children: [], createdByClaim: 0, expires: openUntil(s), status: abi.TASK_OPEN });
  Object.assign(task, { claimer: undefined, claimed: 0, claimDeadline: 0 });
  task.barred.push(agent);
  task.routed.barred.add(agent.index);
}

function endReview(s: ModelState, task: ModelTask): void {
  if (task.submission) {
    const reason = figures.decision(figures.tally(s, task.submission, s.now));
    if (reason !== abi.SETTLED_NONE) decidePanel(s, task, reason);
  }
  const score = (task.flags & abi.TASK_SCORE_PASS) !== 0;
  const passes = task.panelVerdict === abi.SETTLED_NONE ? score : task.panelVerdict === abi.SETTLED_VERIFIED;
  if (passes) {
    completeTask(s, task, abi.RESOLUTION_WINDOW_PASSED);
    return;
  }
  const event = emit(s, abi.EVENT_TASK_DISPUTED, 'task_disputed', task.id);
  event.task = { id: task.id, deadline: s.now + s.param(abi.PARAM_DISPUTE_DEADLINE_SECS) };
  openDispute(s, task, event.id);
}

function endDispute(s: ModelState, task: ModelTask): void {
  const reason = figures.decision(figures.tally(s, task.dispute!, s.now));
  const byQuorum = reason !== abi.SETTLED_NONE;
  const gates = (task.flags & abi.TASK_GATES_HOLD) !== 0;
  decideDispute(s, task, byQuorum ? reason === abi.SETTLED_VERIFIED : gates, byQuorum);
}

/** The deadline of a task's status has come. */
export function fireTask(s: ModelState, task: ModelTask): void {
  if (task.status === abi.TASK_CLAIMED) expireClaim(s, task);
  else if (task.status === abi.TASK_SUBMITTED) endReview(s, task);
  else if (task.status === abi.TASK_DISPUTED) endDispute(s, task);
  else if (task.status !== abi.TASK_OPEN) task.isDue = true;
  else {
    task.resolution = abi.RESOLUTION_EXPIRED;
    tellCancelled(s, task);
    cancelTask(s, task, abi.RESOLUTION_EXPIRED);
  }
}
