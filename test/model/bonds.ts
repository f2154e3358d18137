// Bonds of a task: who pays the judges of a dispute (protocol 15.4, 15.6).

import * as abi from '../../assembly/abi.ts';
import * as figures from './figures.ts';
import * as rules from './rules.ts';
import type { ModelItem, ModelState } from './state.ts';
import type { ModelTask } from './task-state.ts';

/** 15.4: a quarter of the budget, and of the first 10 tokens all. */
export function disputeBond(budget: bigint): bigint {
  return rules.max(budget / 4n, rules.min(budget, 10n * rules.TOKEN));
}

export function takeWorkerBond(task: ModelTask): void {
  task.claimer!.balance -= task.workerBond;
  task.workerHeld = task.workerBond;
}

export function takePosterBond(task: ModelTask): void {
  task.isByPoster = true;
  task.poster.posted.disputes++;
  task.posterHeld = disputeBond(task.budget);
  task.poster.balance -= task.posterHeld;
}

/** 15.2: the end of a dispute that the poster opened. */
export function notePoster({ isByPoster, poster }: ModelTask, share: number): void {
  if (!isByPoster) return;
  if (share === 0) poster.posted.won++;
  if (share === 10) poster.posted.lost++;
}

/** What is left of both bonds goes back. */
export function giveBack(task: ModelTask): void {
  if (task.claimer) task.claimer.balance += task.workerHeld;
  task.poster.balance += task.posterHeld;
  Object.assign(task, { workerHeld: 0n, posterHeld: 0n });
}

export function forfeit(s: ModelState, task: ModelTask, amount: bigint): void {
  task.workerHeld -= amount;
  s.pools[abi.POOL_TREASURY]! += amount;
}

export function payJudges(task: ModelTask, item: ModelItem, share: number): void {
  const judges = item.votes.filter((v) => figures.counts(item, v.validator)).map((v) => v.validator);
  if (judges.length === 0) return;
  const count = BigInt(judges.length);
  const places = task.budget < 10n * rules.TOKEN ? 1n : 5n;
  const fee = rules.min(50n * rules.TOKEN, task.budget / 10n);
  const each = fee / rules.max(count, places);
  const ofWorker = rules.min(task.workerHeld, (each * count * BigInt(10 - share)) / 10n);
  const pot = task.posterHeld + ofWorker;
  const paid = rules.min(each, pot / count);
  for (const judge of judges) judge.agent.balance += paid;
  task.workerHeld -= ofWorker;
  task.posterHeld = pot - paid * count;
}

/** 15.6: whoever a quorum found wrong in everything loses what is left of its bond. */
export function forfeitLost(s: ModelState, task: ModelTask, share: number): void {
  if (share === 0) forfeit(s, task, task.workerHeld);
  if (share !== 10) return;
  s.pools[abi.POOL_TREASURY]! += task.posterHeld;
  task.posterHeld = 0n;
}
