// How long a final task stays in the core: as long as its verdict may be challenged (protocol 4.7).
// Keeps: an assured task stays TASK_RETENTION_DAYS after its end, and longer while a case of it is open (a challenge,
// a pending replay); its panel, its dispute's votes and its cases stay and leave with it. One that was cancelled has cost
// nothing, so it stays for canaries only while half of the table is free.

import { LANE_NONE, PARAM_CANARY_RATE_BP, TASK_CANCELLED, TASK_COMPLETED, TASK_RETENTION_DAYS } from '../abi';
import { challengeAt, touchChallenge } from '../cases/challenges';
import { jobAt, touchJob } from '../cases/jobs';
import { capacity, daySecs, header, param, TASKS } from '../state/header';
import { stopTimer, TIMER_TASK, timerOf } from '../state/timers';
import { isDelivered, Task, taskRow, touchTask } from './rows';

/** True when the task is final and retained: completed, or delivered, as a canary may score its votes (protocol 7.7). */
export function isRetained(task: Task): bool {
  if (task.lane == LANE_NONE) return false;
  if (task.status == TASK_COMPLETED) return true;
  return task.status == TASK_CANCELLED && isDelivered(task) && param(PARAM_CANARY_RATE_BP) != 0;
}

/** Second from which a retained task may no longer be challenged. */
export function retainedUntilSecs(task: Task): u64 {
  return task.endedSecs + <u64>TASK_RETENTION_DAYS * daySecs();
}

/** True when a final task without a pending payout need not stay any longer. */
export function mayLeave(task: Task): bool {
  return !isRetained(task) || (task.isReleased != 0 && task.openCases == 0);
}

// The last images of its cases are written at the end of the block, too.
function touchCases(task: Task): void {
  for (let link = task.challengeHead; link != 0; link = challengeAt(link - 1).next) {
    touchChallenge(challengeAt(link - 1));
  }
  if (task.job != 0) touchJob(jobAt(task.job - 1));
}

/** Ends the retention of a task: it leaves at the end of the block in which no case of it is open. */
export function endRetention(task: Task): void {
  stopTimer(timerOf(TIMER_TASK, taskRow(task)));
  task.isReleased = 1;
  touchTask(task);
  if (mayLeave(task)) touchCases(task);
}

/** Lets a task that was just cancelled go at once where it would stay, and more than half of the table is used. */
export function releaseIfCrowded(task: Task): void {
  if (isRetained(task) && <u64>header().tasksLive * 2 > capacity(TASKS)) endRetention(task);
}

/** Counts a challenge or replay of the task that opens. */
export function openCase(task: Task): void {
  task.openCases++;
  touchTask(task);
}

/** Counts a challenge or replay that ends. */
export function closeCase(task: Task): void {
  task.openCases--;
  touchTask(task);
  if (mayLeave(task)) touchCases(task);
}
