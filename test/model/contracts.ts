// Contracts in the model: the queue of due runs and what a run's outcome does (protocol 14.9, 14.10).

import * as abi from '../../assembly/abi.ts';
import { forfeit } from './bonds.ts';
import { emit } from './events.ts';
import { refuse, type Verdict } from './refusal.ts';
import * as rules from './rules.ts';
import type { ModelAgent, ModelState } from './state.ts';
import { completeTask, contest, decideDispute, expireClaim } from './task-ends.ts';
import type { ModelTask } from './task-state.ts';

const MAX_BLOCK_FUEL = 100_000_000;
const MAX_TRIES = 3;

export interface RunOutcome {
  isPassed: boolean;
  scoreBp: number;
  check: number;
}

/** 14.10 */
export const runFee = (s: ModelState, fuel: number): bigint =>
  rules.mul(BigInt(s.param(abi.PARAM_FUEL_PRICE)), BigInt(fuel), 1_000_000n);

/** 15.10: a contract runs on a sealed delivery when that is opened. */
export const runsFirst = ({ fuel, flags }: { fuel: number; flags: number }): boolean =>
  fuel > 0 && (flags & abi.TASK_ENCRYPTED) === 0;

export const isChecking = (task: ModelTask): boolean => (task.flags & abi.TASK_CHECKING) !== 0;

/** 14.10: the worker has the fee, or the poster has paid for the run. */
export const isRunPaid = (s: ModelState, task: ModelTask): boolean =>
  task.claimer!.balance >= runFee(s, task.fuel) ||
  (!task.isPaidRunSpent && (task.flags & abi.TASK_SEEDED) === 0);

export function queueRun(s: ModelState, task: ModelTask): void {
  const fee = runFee(s, task.fuel);
  if (task.claimer!.balance < fee) task.isPaidRunSpent = true;
  else {
    task.claimer!.balance -= fee;
    task.feeHeld = fee;
  }
  task.flags |= abi.TASK_CHECKING;
  task.runs++;
  s.due.push(task);
}

/** The run that comes next in the open block. */
export function dueRun(s: ModelState): ModelTask | undefined {
  const [task] = s.due;
  if (!task || (s.blockFuel > 0 && s.blockFuel + task.fuel > MAX_BLOCK_FUEL)) return undefined;
  return task;
}

/** The result of a claimed task is there. */
export function acceptResult(s: ModelState, task: ModelTask): void {
  const reviewDeadline = s.now + task.reviewSecs;
  Object.assign(task, { submitted: s.now, cancelAt: 0, reviewDeadline, status: abi.TASK_SUBMITTED });
}

export function endRun(s: ModelState, { isPassed, scoreBp, check }: RunOutcome): void {
  const task = s.due.shift()!;
  const worker = task.claimer!;
  s.blockFuel += task.fuel;
  task.flags &= ~abi.TASK_CHECKING;
  if (!isPassed) task.tries++;
  const event = emit(s, abi.EVENT_TASK_CHECKED, 'task_checked', task.id);
  worker.balance += task.feeHeld;
  const fee = isPassed ? 0n : task.feeHeld;
  task.feeHeld = 0n;
  const shown = { passed: isPassed ? 1 : 0, check, scoreBp, tries: task.tries, fee };
  event.task = { id: task.id, ...shown, claimer: worker.index, run: task.runs };
  if (!isPassed) {
    s.payFee(worker, fee);
    if (task.status === abi.TASK_DISPUTED) {
      forfeit(s, task, task.workerHeld);
      decideDispute(s, task, 0, abi.RESOLUTION_CONTRACT);
    } else if (task.tries >= MAX_TRIES) expireClaim(s, task);
    return;
  }
  task.overallBp = scoreBp;
  if (task.status === abi.TASK_DISPUTED) {
    contest(s, task);
    return;
  }
  task.flags |= abi.TASK_FACTS_HOLD;
  acceptResult(s, task);
  if ((task.flags & abi.TASK_ON_PASS) !== 0) completeTask(s, task, abi.RESOLUTION_CONTRACT);
}

/** The row of a program costs a deposit that nobody gets back. */
export function publish(s: ModelState, actor: ModelAgent): Verdict {
  const fee = BigInt(s.param(abi.PARAM_ROW_DEPOSIT));
  if (actor.balance < fee) return refuse(abi.INSUFFICIENT_BALANCE, actor.balance, fee);
  return () => {
    s.payFee(actor, fee);
    return [BigInt(actor.index)];
  };
}
