// The end of a run of a contract: payment, review, or a failed try (protocol 14.9).
// A sealed delivery has its run in its dispute (protocol 15.10): a pass contests, a failure ends it.
// Keeps: a run that passes costs the worker nothing, one that fails what was held of it (due-runs.ts); the third failure of a
// claim ends it. A pass counts for nobody who judges.

import {
  EVENT_TASK_CHECKED,
  IN_RUN_CHECK,
  IN_RUN_PASSED,
  IN_RUN_SCORE_BP,
  IN_RUN_TASK,
  OUT_TASK_CHECKED_BYTES,
  OUT_TASK_CHECKED_CHECK,
  OUT_TASK_CHECKED_CLAIMER,
  OUT_TASK_CHECKED_FEE,
  OUT_TASK_CHECKED_PASSED,
  OUT_TASK_CHECKED_RUN,
  OUT_TASK_CHECKED_SCORE_BP,
  OUT_TASK_CHECKED_TRIES,
  RESOLUTION_CONTRACT,
  TASK_DISPUTED,
  TASK_FACTS_HOLD,
  TASK_ON_PASS,
} from '../abi';
import { beginTaskEvent } from '../io/system-event';
import { agentAt } from '../ledger/agents';
import { payFee } from '../ledger/row-price';
import { header } from '../state/header';
import { contest } from './answers';
import { forfeitWorkerBond } from './bonds';
import { expireClaim } from './claims';
import { completeTask } from './completion';
import { decideDispute } from './disputes';
import { dueRun, heldFee, leaveQueue } from './due-runs';
import { contractOf, findTask, Task, taskAt, taskIdOf, touchTask } from './rows';
import { acceptResult } from './submission';

/** Failed runs after which a claim ends. */
const MAX_TRIES: u32 = 3;

function emitChecked(task: Task, record: usize, fee: u64): void {
  const out = beginTaskEvent(EVENT_TASK_CHECKED, 'task_checked', taskIdOf(task), OUT_TASK_CHECKED_BYTES);
  store<u32>(out, load<u32>(record, IN_RUN_PASSED), OUT_TASK_CHECKED_PASSED);
  store<u32>(out, load<u32>(record, IN_RUN_CHECK), OUT_TASK_CHECKED_CHECK);
  store<u32>(out, load<u32>(record, IN_RUN_SCORE_BP), OUT_TASK_CHECKED_SCORE_BP);
  store<u32>(out, contractOf(task).tries, OUT_TASK_CHECKED_TRIES);
  store<u64>(out, fee, OUT_TASK_CHECKED_FEE);
  store<u32>(out, task.claimer - 1, OUT_TASK_CHECKED_CLAIMER);
  store<u32>(out, contractOf(task).runs, OUT_TASK_CHECKED_RUN);
}

function pass(task: Task, record: usize, nowSecs: u64): void {
  emitChecked(task, record, 0);
  task.overallBp = <u16>load<u32>(record, IN_RUN_SCORE_BP);
  task.flags |= TASK_FACTS_HOLD;
  acceptResult(task, nowSecs);
  if ((task.flags & TASK_ON_PASS) != 0) completeTask(task, RESOLUTION_CONTRACT, nowSecs);
}

// Counts a failed try and takes its fee, which was given back when the run left the queue.
function countFailure(task: Task, record: usize, fee: u64): void {
  contractOf(task).tries++;
  emitChecked(task, record, fee);
  if (fee != 0) payFee(agentAt(task.claimer - 1), fee);
}

function fail(task: Task, record: usize, fee: u64, nowSecs: u64): void {
  countFailure(task, record, fee);
  touchTask(task);
  if (contractOf(task).tries >= MAX_TRIES) expireClaim(task, nowSecs);
}

// What was sealed is open, and the contract has said what it is worth.
function answerDispute(task: Task, record: usize, fee: u64, nowSecs: u64): void {
  if (load<u32>(record, IN_RUN_PASSED) == 1) {
    emitChecked(task, record, 0);
    task.overallBp = <u16>load<u32>(record, IN_RUN_SCORE_BP);
    contest(task, nowSecs);
    return;
  }
  countFailure(task, record, fee);
  forfeitWorkerBond(task, true);
  decideDispute(task, 0, RESOLUTION_CONTRACT, nowSecs);
}

/** True when the record names the run that is due. */
export function isDueRun(record: usize): bool {
  const row = dueRun();
  return row >= 0 && row == findTask(record + IN_RUN_TASK);
}

/** OP_RUN_END for the run that is due. */
export function endRun(record: usize, nowSecs: u64): void {
  const task = taskAt(<u32>dueRun());
  const fee = heldFee(task);
  header().blockFuel += contractOf(task).fuel;
  leaveQueue(task);
  if (task.status == TASK_DISPUTED) answerDispute(task, record, fee, nowSecs);
  else if (load<u32>(record, IN_RUN_PASSED) == 1) pass(task, record, nowSecs);
  else fail(task, record, fee, nowSecs);
}
