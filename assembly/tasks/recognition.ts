// The value that a completed assured task generated: held, recognised, denied (DECISIONS 6.13, 7.5, 7.6).
// Keeps: a value counts exactly while its task says so: at its worker, in the total, and in the sum of 30 days as far
// as that reaches back. Moves no tokens.

import { GENERATION_DENIED, GENERATION_HELD, GENERATION_RECOGNIZED, TASK_GENERATION_ELIGIBLE } from '../abi';
import { agentAt, touchAgent } from '../ledger/agents';
import { BP } from '../ledger/rates';
import { addCapped, mulDiv } from '../lib/u128';
import { recordGenerated, withdrawGenerated } from '../reputation/generated';
import { Task, touchTask } from './rows';

function isEligible(task: Task): bool {
  return (task.flags & TASK_GENERATION_ELIGIBLE) != 0;
}

function valueOfWork(task: Task): u64 {
  return mulDiv(task.budget, task.overallBp, BP);
}

/** Holds the value of an eligible task until its replay is over. */
export function holdValue(task: Task): void {
  if (!isEligible(task)) return;
  task.generation = <u8>GENERATION_HELD;
  touchTask(task);
}

/** Recognises the value of an eligible task now. */
export function recognizeValue(task: Task, nowSecs: u64): void {
  if (!isEligible(task)) return;
  const worker = agentAt(task.claimer - 1);
  worker.generated = addCapped(worker.generated, valueOfWork(task));
  touchAgent(worker);
  recordGenerated(valueOfWork(task));
  task.generation = <u8>GENERATION_RECOGNIZED;
  task.recognizedSecs = nowSecs;
  touchTask(task);
}

/** Denies the value of an eligible task; what was recognised is taken back. */
export function denyValue(task: Task): void {
  if (!isEligible(task)) return;
  if (task.generation == GENERATION_RECOGNIZED) {
    const worker = agentAt(task.claimer - 1);
    worker.generated -= min<u64>(worker.generated, valueOfWork(task));
    touchAgent(worker);
    withdrawGenerated(valueOfWork(task), task.recognizedSecs);
    task.recognizedSecs = 0;
  }
  task.generation = <u8>GENERATION_DENIED;
  touchTask(task);
}
