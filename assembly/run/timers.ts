// Firing of due timers: open items, tasks, replay jobs, challenges, validators, refills of reserves, expiries of API keys,
// in order of (deadline, id) (protocol 1.4).
// Keeps: they fire before the vertex's transactions; a firing begins only when its largest output fits the out buffer.

import { freeKey } from '../access/keys';
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
  TIMER_KEY,
  TIMER_RESERVE,
  TIMER_TASK,
} from '../state/timers';
import { fireTask, taskStepBytes } from '../tasks/deadlines';
import { refillReserve } from '../tasks/reserves';
import { taskAt } from '../tasks/rows';
import { fireValidator } from '../validators/timers';
import { NOTIFY_ROUTER_BYTES, notifyRouter } from './routing';

// A replay job, a challenge or a validator.
function fireCase(kind: u32, row: u32, nowSecs: u64): bool {
  if (!hasRoom(caseStepBytes())) return false;
  if (kind == TIMER_JOB) expireJob(jobAt(row), nowSecs);
  else if (kind == TIMER_CHALLENGE) expireChallenge(challengeAt(row), nowSecs);
  else fireValidator(row, nowSecs);
  return true;
}

// Fires one timer; false, with nothing done, when its output might not fit the out buffer.
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
  if (kind == TIMER_KEY) {
    freeKey(row);
    return true;
  }
  if (kind != TIMER_TASK) return fireCase(kind, row, nowSecs);
  if (!hasRoom(taskStepBytes() + NOTIFY_ROUTER_BYTES)) return false;
  fireTask(taskAt(row), nowSecs);
  notifyRouter();
  return true;
}

/** Fires due timers. False when the out buffer became full before the last one: call again after draining it. */
export function fireTimers(nowSecs: u64): bool {
  for (let timer = dueTimer(nowSecs); timer >= 0; timer = dueTimer(nowSecs)) {
    if (!fire(<u32>timer, nowSecs)) return false;
  }
  return true;
}
