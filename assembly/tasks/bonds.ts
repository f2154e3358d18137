// Bonds of a task: the worker's, held from the claim to the end, and the poster's, held while its dispute is open
// (protocol 15.4, 15.6).
// Keeps: what is held of a bond is in its owner's escrow, and leaves it once: to the judges, to the treasury, or back. A
// bond never decides who is right; it is so large that no party gains by being wrong on purpose.

import { POOL_TREASURY, SHARES } from '../abi';
import { markWorker, posterRecordOf, workerOf } from '../credit/workers';
import { agentAt } from '../ledger/agents';
import { balanceOf, escrowOf, move, poolOf } from '../ledger/money';
import { BP, TOKEN } from '../ledger/rates';
import { mulDiv } from '../lib/u128';
import { Item } from '../settlement/items';
import { counts, countVotes, tally } from '../settlement/quorum';
import { isSealed, voteAt, voterOf } from '../settlement/votes';
import { operatorOf, validatorAt } from '../validators/validators';
import { Judging, judgingOf, markTask, Task } from './rows';

/** Below this budget one judge is asked, and the bonds are the whole budget: one judge errs, or is bought, most easily. */
const ONE_JUDGE_BELOW: u64 = 10 * TOKEN;
const PANEL_SIZE: u64 = 5;
/** Part of the budget that a dispute puts at stake, at least. */
const BOND_BP: u64 = 2500;
/** Part of the budget that judges are paid, and the most. */
const FEE_BP: u64 = 1000;
const MAX_FEE: u64 = 50 * TOKEN;

/** Judges that a dispute about this budget asks first, and pays for at least. */
export function paidJudges(budget: u64): u64 {
  return budget < ONE_JUDGE_BELOW ? 1 : PANEL_SIZE;
}

/** What a dispute about this budget costs whoever is found wrong: the poster's bond, and the default of the worker's, micro-units. */
export function disputeBond(budget: u64): u64 {
  return max<u64>(mulDiv(budget, BOND_BP, BP), min<u64>(budget, ONE_JUDGE_BELOW));
}

/** What of the bonds the judges of a dispute about this budget are paid together, at most, micro-units. */
export function judgesFee(budget: u64): u64 {
  return min<u64>(MAX_FEE, mulDiv(budget, FEE_BP, BP));
}

/** What is held of both bonds of a task, micro-units. */
export function bondsOf(task: Task): u64 {
  return judgingOf(task).workerHeld + judgingOf(task).posterHeld;
}

/** Takes the worker's bond at the claim, which has checked that its balance has it. */
export function holdWorkerBond(task: Task): void {
  const worker = agentAt(task.claimer - 1);
  const j = judgingOf(task);
  move(balanceOf(worker), escrowOf(worker), j.workerBond);
  j.workerHeld = j.workerBond;
}

/** A dispute by the poster: takes its bond, which it has checked that its balance has, and counts it in its record. */
export function notePosterDispute(task: Task): void {
  const poster = agentAt(task.poster);
  const j = judgingOf(task);
  j.isByPoster = 1;
  posterRecordOf(task.poster).disputes++;
  markWorker(workerOf(task.poster));
  j.posterHeld = disputeBond(task.budget);
  move(balanceOf(poster), escrowOf(poster), j.posterHeld);
  markTask(task);
}

/** Counts the end of a dispute that the poster opened in its record. */
export function notePosterOutcome(task: Task, share: u32): void {
  if (judgingOf(task).isByPoster == 0) return;
  if (share == 0) posterRecordOf(task.poster).won++;
  else if (share == SHARES) posterRecordOf(task.poster).lost++;
  markWorker(workerOf(task.poster));
}

/** Gives back what is still held of both bonds, when the worker has no more to do with the task. */
export function releaseBonds(task: Task): void {
  const j = judgingOf(task);
  const worker = agentAt(task.claimer - 1);
  const poster = agentAt(task.poster);
  move(escrowOf(worker), balanceOf(worker), j.workerHeld);
  move(escrowOf(poster), balanceOf(poster), j.posterHeld);
  j.workerHeld = 0;
  j.posterHeld = 0;
}

/** The worker's bond, less a quarter where the worker said itself that it was wrong, goes to the treasury. */
export function forfeitWorkerBond(task: Task, isWhole: bool): void {
  const j = judgingOf(task);
  const amount = isWhole ? j.workerHeld : j.workerHeld - j.workerHeld / 4;
  move(escrowOf(agentAt(task.claimer - 1)), poolOf(POOL_TREASURY), amount);
  j.workerHeld -= amount;
}

// The worker's part of the judges' pay moves to the poster's bond, out of which they are paid. The worker's part goes by
// the share of the escrow that it did not get; where its bond is too small, the poster's pays.
function joinBonds(task: Task, j: Judging, fee: u64, share: u32): void {
  const part = min<u64>(j.workerHeld, mulDiv(fee, SHARES - share, SHARES));
  move(escrowOf(agentAt(task.claimer - 1)), escrowOf(agentAt(task.poster)), part);
  j.workerHeld -= part;
  j.posterHeld += part;
}

/**
 * Pays the judges whose votes were revealed, each the same, out of the bonds, by the worker's `share` in steps of 10 %. Before the item is
 * closed. What is left of the bonds is released with the status.
 */
export function payJudges(task: Task, item: Item, share: u32, nowSecs: u64): void {
  const j = judgingOf(task);
  countVotes(item, nowSecs);
  const count = tally().participants;
  const fee = judgesFee(task.budget);
  if (count == 0) return;
  let each = fee / max<u64>(count, paidJudges(task.budget));
  joinBonds(task, j, each * count, share);
  // A dispute by the system has no bond of the poster.
  each = min<u64>(each, j.posterHeld / count);
  const poster = agentAt(task.poster);
  for (let link = item.voteHead; link != 0; link = voteAt(link - 1).next) {
    const judge = voterOf(voteAt(link - 1));
    if (isSealed(voteAt(link - 1)) || !counts(item, judge)) continue;
    move(escrowOf(poster), balanceOf(operatorOf(validatorAt(judge))), each);
    j.posterHeld -= each;
  }
}

/**
 * What is left of the bond of whoever judges found wrong in everything goes to the treasury, after payJudges: the worker's
 * with a `share` of 0, the poster's with SHARES. Between them both had a point, and pay the judges only.
 */
export function forfeitLost(task: Task, share: u32): void {
  if (share == 0) forfeitWorkerBond(task, true);
  if (share != SHARES) return;
  const j = judgingOf(task);
  move(escrowOf(agentAt(task.poster)), poolOf(POOL_TREASURY), j.posterHeld);
  j.posterHeld = 0;
}
