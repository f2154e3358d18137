// How long a task that ended stays in the core: as long as its verdict may be called into question (DECISIONS 4.7).
// Keeps: an assured task stays TASK_RETENTION_DAYS after its end, and longer while a case of it is open (a challenge,
// a pending replay); its panel, its dispute's votes and its cases stay and leave with it.

import { LANE_NONE, PARAM_CANARY_RATE_BP, TASK_CANCELLED, TASK_COMPLETED, TASK_RETENTION_DAYS } from '../abi';
import { challengeAt, touchChallenge } from '../cases/challenges';
import { jobAt, touchJob } from '../cases/jobs';
import { daySecs, param } from '../state/header';
import { stopTimer, TIMER_TASK, timerOf } from '../state/timers';
import { isDelivered, Task, taskRow, touchTask } from './rows';

/** True when the task is final and stays for a while: completed, or a delivery whose votes a canary may score (7.7). */
export function isRetained(task: Task): bool {
  if (task.lane == LANE_NONE) return false;
  if (task.status == TASK_COMPLETED) return true;
  return task.status == TASK_CANCELLED && isDelivered(task) && param(PARAM_CANARY_RATE_BP) != 0;
}

/** Second from which a retained task may not be challenged any more. */
export function retainedUntilSecs(task: Task): u64 {
  return task.endedSecs + <u64>TASK_RETENTION_DAYS * daySecs();
}

/** True when nothing keeps a final task any longer that has no payout before it. */
export function isLetGo(task: Task): bool {
  return !isRetained(task) || (task.isReleased != 0 && task.openCases == 0);
}

// The block's end tells the last image of each case as well.
function touchCases(task: Task): void {
  for (let link = task.challengeHead; link != 0; link = challengeAt(link - 1).next) {
    touchChallenge(challengeAt(link - 1));
  }
  if (task.job != 0) touchJob(jobAt(task.job - 1));
}

/** The timer of a retained task: it leaves at the block's end, or with its last case. */
export function endRetention(task: Task): void {
  stopTimer(timerOf(TIMER_TASK, taskRow(task)));
  task.isReleased = 1;
  touchTask(task);
  if (isLetGo(task)) touchCases(task);
}

/** Counts a challenge or a replay of the task that began. */
export function openCase(task: Task): void {
  task.openCases++;
  touchTask(task);
}

/** Counts one that came to its end. */
export function closeCase(task: Task): void {
  task.openCases--;
  touchTask(task);
  if (isLetGo(task)) touchCases(task);
}
