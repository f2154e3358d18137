// What is due fires: open items, tasks, replay jobs, challenges, validators, refills of reserves, in order of (deadline, id) (DECISIONS 1.4).
// Keeps: before the transactions of the position; a firing begins only where its worst case fits the out buffer.

import { expireChallenge } from '../assurance/challenge-votes';
import { expireJob } from '../assurance/replay-attempts';
import { caseStepBytes } from '../assurance/room';
import { challengeAt } from '../cases/challenges';
import { jobAt } from '../cases/jobs';
import { hasRoom } from '../io/output';
import { closingBytes, expireItem } from '../settlement/close';
import { itemAt } from '../settlement/items';
import {
  dueTimer,
  kindOfTimer,
  rowOfTimer,
  TIMER_CHALLENGE,
  TIMER_ITEM,
  TIMER_JOB,
  TIMER_RESERVE,
  TIMER_TASK,
} from '../state/timers';
import { fireTask, taskStepBytes } from '../tasks/deadlines';
import { refillReserve } from '../tasks/reserves';
import { taskAt } from '../tasks/rows';
import { fireValidator } from '../validators/timers';
import { PASS_ON_BYTES, passOn } from './routing';

// A replay job, a challenge or a validator.
function fireCase(kind: u32, row: u32, nowSecs: u64): bool {
  if (!hasRoom(caseStepBytes())) return false;
  if (kind == TIMER_JOB) expireJob(jobAt(row), nowSecs);
  else if (kind == TIMER_CHALLENGE) expireChallenge(challengeAt(row), nowSecs);
  else fireValidator(row, nowSecs);
  return true;
}

// Fires one timer; false, with nothing done, when the out buffer has no room for it.
function fire(timer: u32, nowSecs: u64): bool {
  const kind = kindOfTimer(timer);
  const row = rowOfTimer(timer);
  if (kind == TIMER_ITEM) {
    const item = itemAt(row);
    if (!hasRoom(closingBytes(item.voteCount))) return false;
    expireItem(item, nowSecs);
    return true;
  }
  if (kind == TIMER_RESERVE) {
    refillReserve(row, nowSecs);
    return true;
  }
  if (kind != TIMER_TASK) return fireCase(kind, row, nowSecs);
  if (!hasRoom(taskStepBytes() + PASS_ON_BYTES)) return false;
  fireTask(taskAt(row), nowSecs);
  passOn();
  return true;
}

/** Fires what is due. False when the out buffer filled up before all was fired: call again after draining. */
export function fireTimers(nowSecs: u64): bool {
  for (let timer = dueTimer(nowSecs); timer >= 0; timer = dueTimer(nowSecs)) {
    if (!fire(<u32>timer, nowSecs)) return false;
  }
  return true;
}
