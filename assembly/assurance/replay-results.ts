// The executor's report on a replay: compared checks, an outcome, or that it cannot be executed
// (protocol 4.8, 7.6).
// Keeps: only the executor of the current attempt may report. The host compares with the baseline, which is text;
// without a baseline no report is accepted.

import {
  IN_REPLAY_CHECKS,
  IN_REPLAY_COMPARED,
  IN_REPLAY_IS_CODE_OR_DATA,
  IN_REPLAY_JOB,
  IN_REPLAY_OUTCOME,
  IN_REPLAY_OUTCOME_JOB,
  IN_REPLAY_TASK,
  INVALID_REQUEST,
  JOB_NOT_FOUND,
  JOB_PENDING,
  NOT_ASSIGNED,
  OK,
  REPLAY_OUTCOME_FAILED,
  RESULT_AGENT,
  RESULT_REPLAY_ACTION,
  RESULT_REPLAY_MISMATCHES,
  RESULT_REPLAY_OUTCOME,
  RESULT_REPLAY_PAID,
  RESULT_REPLAY_SEVERITY_BP,
  RESULT_REPLAY_STATUS,
  RESULT_VALIDATOR,
  TASK_STATE,
  USE_REPLAY_SUBMIT,
} from '../abi';
import { executorOf, findJob, Job, jobAt } from '../cases/jobs';
import { commits, field32, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { isZero } from '../lib/bytes';
import { taskAt, taskIdOf } from '../tasks/rows';
import { noteDuty, validatorAt } from '../validators/validators';
import { reassignJob } from './replay-attempts';
import { completeJob } from './replay-closing';
import { compareChecks, Verdict, verdictOfOutcome } from './replay-verdict';

/** Detail of JOB_NOT_FOUND when only the baseline is missing, so that a host can check before it compares. */
export const NO_BASELINE: u64 = 1;

// Row of the job that the actor is executing, or minus the code that refuses it.
function ownJob(id: usize): i32 {
  const row = findJob(id);
  if (row < 0) return -refuse(JOB_NOT_FOUND);
  const job = jobAt(<u32>row);
  if (job.status != JOB_PENDING) return -refuse(TASK_STATE);
  return validatorAt(executorOf(job)).agent == frame().actor ? row : -refuse(NOT_ASSIGNED);
}

// True when the command names a task other than the job's.
function namesOther(job: Job): bool {
  if (isZero(fieldAddress(IN_REPLAY_TASK), 16)) return false;
  const task = taskAt(job.task - 1);
  return memory.compare(taskIdOf(task), fieldAddress(IN_REPLAY_TASK), 16) != 0;
}

function setResults(job: Job, executor: u32, paid: u64): void {
  setResult(RESULT_AGENT, frame().actor);
  setResult(RESULT_VALIDATOR, executor);
  setResult(RESULT_REPLAY_STATUS, job.status);
  setResult(RESULT_REPLAY_OUTCOME, job.outcome);
  setResult(RESULT_REPLAY_ACTION, job.action);
  setResult(RESULT_REPLAY_SEVERITY_BP, job.severityBp);
  setResult(RESULT_REPLAY_MISMATCHES, job.mismatches);
  setResult(RESULT_REPLAY_PAID, paid);
}

function finish(job: Job, verdict: Verdict): void {
  const nowSecs = frame().nowSecs;
  const executor = executorOf(job);
  noteDuty(validatorAt(executor), nowSecs);
  completeJob(job, verdict, nowSecs);
  setResults(job, executor, job.reward);
}

/**
 * OP_REPLAY_SUBMIT. Errors: INVALID_REQUEST (the job is another task's), JOB_NOT_FOUND, TASK_STATE (not pending),
 * NOT_ASSIGNED (not its executor), and JOB_NOT_FOUND with NO_BASELINE when the host had no baseline to compare with.
 */
export function submitReplay(): i32 {
  const row = findJob(fieldAddress(IN_REPLAY_JOB));
  if (row >= 0 && namesOther(jobAt(<u32>row))) return refuse(INVALID_REQUEST);
  const own = ownJob(fieldAddress(IN_REPLAY_JOB));
  if (own < 0) return -own;
  const checks = field32(IN_REPLAY_CHECKS);
  if (checks == 0) return refuse(JOB_NOT_FOUND, NO_BASELINE);
  if (!commits()) return OK;

  finish(jobAt(<u32>own), compareChecks(fieldAddress(IN_REPLAY_COMPARED), checks));
  return OK;
}

/**
 * OP_REPLAY_OUTCOME. Errors: JOB_NOT_FOUND, TASK_STATE (not pending), NOT_ASSIGNED (not its executor),
 * USE_REPLAY_SUBMIT (completed, in the code or data group).
 */
export function reportReplay(): i32 {
  const own = ownJob(fieldAddress(IN_REPLAY_OUTCOME_JOB));
  if (own < 0) return -own;
  const job = jobAt(<u32>own);
  const outcome = field32(IN_REPLAY_OUTCOME);
  if (outcome != <u32>REPLAY_OUTCOME_FAILED) {
    if (field32(IN_REPLAY_IS_CODE_OR_DATA) != 0) return refuse(USE_REPLAY_SUBMIT);
    if (!commits()) return OK;

    finish(job, verdictOfOutcome(outcome));
    return OK;
  }
  if (!commits()) return OK;

  const executor = executorOf(job);
  reassignJob(job, frame().nowSecs);
  setResults(job, executor, 0);
  return OK;
}
