// From one executor of a replay to the next (DECISIONS 7.6).
// Keeps: at most MOST_ATTEMPTS executors, each once; only a missed deadline counts against one.

import { executorOf, executorsOf, Job, jobIdOf, jobRow, MOST_ATTEMPTS } from '../cases/jobs';
import { stopTimer, TIMER_JOB, timerOf } from '../state/timers';
import { assignJob, drawForAttempt, tellAttempt } from '../tasks/replays';
import { taskAt } from '../tasks/rows';
import { countMiss } from '../validators/calibration';
import { failJob } from './replay-closing';

/** Gives a pending job to another executor, or closes it when there is none. */
export function passOnJob(job: Job, nowSecs: u64): void {
  const task = taskAt(job.task - 1);
  const attempt = job.attempt + 1;
  let executor: i32 = -1;
  if (attempt <= MOST_ATTEMPTS) executor = drawForAttempt(task, jobIdOf(job), attempt, executorsOf(job));
  if (executor < 0) {
    failJob(job, nowSecs);
    return;
  }
  stopTimer(timerOf(TIMER_JOB, jobRow(job)));
  assignJob(job, <u32>executor, attempt, nowSecs);
  tellAttempt(job);
}

/** The deadline of an executor passed. The caller has seen caseStepBytes fit. */
export function expireJob(job: Job, nowSecs: u64): void {
  countMiss(executorOf(job), taskAt(job.task - 1).category);
  passOnJob(job, nowSecs);
}
