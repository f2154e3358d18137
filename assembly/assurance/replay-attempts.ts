// Handing a replay from one executor to the next (protocol 7.6).
// Keeps: at most MAX_ATTEMPTS executors, each once; only a missed deadline counts against one.

import { executorOf, executorsOf, Job, jobIdOf, jobRow, MAX_ATTEMPTS } from '../cases/jobs';
import { stopTimer, TIMER_JOB, timerOf } from '../state/timers';
import { assignJob, drawForAttempt, emitReplayCreated } from '../tasks/replays';
import { taskAt } from '../tasks/rows';
import { countMiss } from '../validators/calibration';
import { failJob } from './replay-closing';

/** Gives a pending job to another executor, or closes it when there is none. */
export function reassignJob(job: Job, nowSecs: u64): void {
  const task = taskAt(job.task - 1);
  const attempt = job.attempt + 1;
  let executor: i32 = -1;
  if (attempt <= MAX_ATTEMPTS) executor = drawForAttempt(task, jobIdOf(job), attempt, executorsOf(job));
  if (executor < 0) {
    failJob(job, nowSecs);
    return;
  }
  stopTimer(timerOf(TIMER_JOB, jobRow(job)));
  assignJob(job, <u32>executor, attempt, nowSecs);
  emitReplayCreated(job);
}

/** The deadline of an executor passed. The caller has checked that caseStepBytes fit. */
export function expireJob(job: Job, nowSecs: u64): void {
  countMiss(executorOf(job), taskAt(job.task - 1).category);
  reassignJob(job, nowSecs);
}
