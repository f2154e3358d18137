// The queue of submissions that wait for the run of their contract, first come, first served (protocol 14.9).
// Keeps: a task is in the queue exactly while it has TASK_CHECKING; it is claimed then, or disputed with its sealed delivery
// opened, and has no timer. A block ends
// runs until the next one does not fit its fuel; the first one always fits, so the queue never stands still. Every node makes
// the run, so somebody pays before: the worker's fee is in its escrow while the run is due, or the run is that of the poster.

import { PARAM_FUEL_PRICE, TASK_CHECKING, TASK_SEEDED } from '../abi';
import { agentAt } from '../ledger/agents';
import { balanceOf, escrowOf, move } from '../ledger/money';
import { mulDiv } from '../lib/u128';
import { header, param } from '../state/header';
import { startTimer, stopTimer, TIMER_TASK, timerOf } from '../state/timers';
import { contractOf, Task, taskAt, taskRow, touchTask } from './rows';
import { deadlineOf } from './status';

/** protocol 14.9: fuel of the runs of a block, beyond its first. */
export const MAX_BLOCK_FUEL: u32 = 100000000;
/** Fuel of a contract: all its checks together. */
export const MAX_CONTRACT_FUEL: u32 = 200000000;
const FUEL_UNIT: u64 = 1000000;

/** What one run of a contract costs, micro-units. */
export function runFee(fuel: u32): u64 {
  return mulDiv(param(PARAM_FUEL_PRICE), fuel, FUEL_UNIT);
}

function hasFee(task: Task): bool {
  return agentAt(task.claimer - 1).balance >= runFee(contractOf(task).fuel);
}

/**
 * True when the next run is paid for: by its worker, or by what the poster paid at the creation, if no run was made for it and
 * no check has a seed, which nobody can try before.
 */
export function isRunPaid(task: Task): bool {
  return hasFee(task) || (contractOf(task).isPaidRunSpent == 0 && (task.flags & TASK_SEEDED) == 0);
}

// What the run costs if it fails cannot leave while it is due.
function holdFee(task: Task): void {
  const contract = contractOf(task);
  if (!hasFee(task)) {
    contract.isPaidRunSpent = 1;
    return;
  }
  const worker = agentAt(task.claimer - 1);
  move(balanceOf(worker), escrowOf(worker), runFee(contract.fuel));
  contract.isFeeHeld = 1;
}

/** What is held of the worker's fee for the run that is due, micro-units. */
export function heldFee(task: Task): u64 {
  const contract = contractOf(task);
  return contract.isFeeHeld != 0 ? runFee(contract.fuel) : 0;
}

function returnFee(task: Task): void {
  if (contractOf(task).isFeeHeld == 0) return;
  const worker = agentAt(task.claimer - 1);
  move(escrowOf(worker), balanceOf(worker), heldFee(task));
  contractOf(task).isFeeHeld = 0;
}

/** Row of the task whose run comes next in the open block, or -1. */
export function dueRun(): i32 {
  const h = header();
  if (h.dueHead == 0) return -1;
  const fuel = contractOf(taskAt(h.dueHead - 1)).fuel;
  const fits = h.blockFuel == 0 || <u64>h.blockFuel + fuel <= MAX_BLOCK_FUEL;
  return fits ? <i32>(h.dueHead - 1) : -1;
}

/** Puts a task at the end of the queue, and holds its worker's fee, or else spends the run of the poster. */
export function queueRun(task: Task): void {
  const h = header();
  const contract = contractOf(task);
  holdFee(task);
  stopTimer(timerOf(TIMER_TASK, taskRow(task)));
  task.flags |= TASK_CHECKING;
  contract.runs++;
  contract.previousDue = h.dueTail;
  contract.nextDue = 0;
  if (h.dueTail == 0) h.dueHead = taskRow(task) + 1;
  else {
    contractOf(taskAt(h.dueTail - 1)).nextDue = taskRow(task) + 1;
    touchTask(taskAt(h.dueTail - 1));
  }
  h.dueTail = taskRow(task) + 1;
  h.dueCount++;
  touchTask(task);
}

/** Takes a task out of the queue: its deadline is what it was, and the fee goes back. */
export function leaveQueue(task: Task): void {
  const h = header();
  const contract = contractOf(task);
  const before = contract.previousDue;
  const after = contract.nextDue;
  if (before == 0) h.dueHead = after;
  else {
    contractOf(taskAt(before - 1)).nextDue = after;
    touchTask(taskAt(before - 1));
  }
  if (after == 0) h.dueTail = before;
  else {
    contractOf(taskAt(after - 1)).previousDue = before;
    touchTask(taskAt(after - 1));
  }
  contract.previousDue = 0;
  contract.nextDue = 0;
  h.dueCount--;
  returnFee(task);
  task.flags &= ~TASK_CHECKING;
  startTimer(timerOf(TIMER_TASK, taskRow(task)), deadlineOf(task));
  touchTask(task);
}
