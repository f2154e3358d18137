// The course of the votes on a contested dispute: committed, revealed, counted (protocol 15.6 to 15.8).

import * as abi from '../../assembly/abi.ts';
import type { Command } from './command.ts';
import * as figures from './figures.ts';
import { shaHex } from './hashing.ts';
import { missJudging, silentOf } from './panels.ts';
import type { ModelItem, ModelState, ModelValidator } from './state.ts';
import { decideDispute, shareWithoutQuorum } from './task-ends.ts';

/** Rows of the table of votes that one takes which is not revealed. */
export const COMMITTED_ROWS = 3;
const DAY = 86_400;

/** What a vote commits to; `operator`: its agent key, hex64. */
export const commitmentOf = (
  eventId: string,
  operator: string,
  vote: Pick<Command, 'verdict' | 'share' | 'ground' | 'salt'>,
): string =>
  shaHex(
    `vote:${eventId}:${operator}:${vote.verdict ? vote.share || abi.SHARES : 0}:${vote.ground}:${vote.salt}`,
  );

const isSealed = (item: ModelItem, v: ModelValidator): boolean =>
  item.commitments.some((c) => c.validator === v);

export const hasCommitted = (item: ModelItem, v: ModelValidator): boolean =>
  isSealed(item, v) || item.votes.some((vote) => vote.validator === v);

const isComplete = (s: ModelState, item: ModelItem): boolean =>
  s.validators.every((v) => !figures.counts(item, v) || hasCommitted(item, v));

function setTime(item: ModelItem, until: number): void {
  item.deadline = until;
  item.task!.disputeDeadline = until;
}

/** Does a vote that is not revealed count. */
const isCounted = (item: ModelItem): boolean =>
  item.commitments.some(({ validator }) => figures.counts(item, validator));

function beginReveals(s: ModelState, item: ModelItem): void {
  const secs = Math.min(isCounted(item) ? DAY : 60, s.param(abi.PARAM_DISPUTE_DEADLINE_SECS));
  item.isRevealing = true;
  setTime(item, s.now + secs);
}

/** A vote is committed; the results of the command. */
export function commit(s: ModelState, item: ModelItem, v: ModelValidator, hash: string): number[] {
  item.commitments.push({ validator: v, hash, at: s.now });
  item.order.push(v);
  v.lastDuty = s.now;
  const judges = s.validators.filter((x) => figures.counts(item, x)).length;
  if (isComplete(s, item)) beginReveals(s, item);
  const count = item.commitments.length + item.votes.length;
  return [v.agent.index, v.index, count, judges, item.isRevealing ? 1 : 0, item.deadline];
}

/** A vote is revealed: it takes its place in the order of the commitments. */
export function reveal(s: ModelState, item: ModelItem, v: ModelValidator, c: Command, share: number): void {
  item.commitments = item.commitments.filter((x) => x.validator !== v);
  item.votes.push({ validator: v, approve: c.verdict, share, value: 0n, ground: c.ground, at: s.now });
  item.votes.sort((a, b) => item.order.indexOf(a.validator) - item.order.indexOf(b.validator));
  const isLeft = item.commitments.length > 0;
  if (isLeft && !isCounted(item)) setTime(item, Math.min(item.deadline, s.now + 60));
}

/** All that was committed is revealed, or the time is over; SETTLED_*, NONE when all announced judges are asked. */
export function endVotes(s: ModelState, item: ModelItem): number {
  const task = item.task!;
  const isPanel = item.panel === 'seats';
  const t = figures.tally(s, item, s.now);
  let share = figures.decidedShare(t);
  const isNotEnough = isPanel && (share === undefined || (share === 0 && figures.namesGround(t)));
  const silent = isPanel || share === undefined ? silentOf(s, item) : [];
  const missed = [...silent, ...item.commitments.map((c) => c.validator)];
  s.unrevealed += item.commitments.length;
  item.commitments = [];
  if (isPanel) for (const v of missed) missJudging(s, v, task.category);
  if (isNotEnough) {
    Object.assign(item, { panel: 'judges', isRevealing: false });
    item.order = item.votes.map((v) => v.validator);
    if (!isComplete(s, item)) {
      item.deadline = s.now + s.param(abi.PARAM_DISPUTE_DEADLINE_SECS);
      Object.assign(task, { panels: 2, disputeDeadline: item.deadline });
      return abi.SETTLED_NONE;
    }
    share = figures.decidedShare(figures.tally(s, item, s.now));
  }
  if (share === undefined) decideDispute(s, task, shareWithoutQuorum(task), abi.RESOLUTION_DISPUTE_DEADLINE);
  else decideDispute(s, task, share, abi.RESOLUTION_DISPUTE_QUORUM);
  if (!isPanel) for (const v of missed) missJudging(s, v, task.category);
  if (share === undefined) return abi.SETTLED_EXPIRED;
  return share > 0 ? abi.SETTLED_VERIFIED : abi.SETTLED_REJECTED;
}

/** The time of the commitments, or of the reveals, is over. */
export function endVoteTime(s: ModelState, item: ModelItem): void {
  if (!item.isRevealing && item.commitments.length > 0) beginReveals(s, item);
  else endVotes(s, item);
}
