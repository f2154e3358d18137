// What is due fires: open items, tasks, refills of reserves, in order of (deadline, id) (DECISIONS 1.4).
// Keeps: before the transactions of the position; a firing begins only where its worst case fits the out buffer.

import { hasRoom } from '../io/output';
import { closingBytes } from '../settlement/close';
import { expireItem } from '../settlement/deadlines';
import { itemAt } from '../settlement/items';
import { dueTimer, isItemTimer, reserveOfTimer, taskOfTimer } from '../state/timers';
import { fireTask, taskStepBytes } from '../tasks/deadlines';
import { refillReserve } from '../tasks/reserves';
import { taskAt } from '../tasks/rows';
import { PASS_ON_BYTES, passOn } from './routing';

// Fires one timer; false, with nothing done, when the out buffer has no room for it.
function fire(timer: u32, nowSecs: u64): bool {
  if (isItemTimer(timer)) {
    const item = itemAt(timer);
    if (!hasRoom(closingBytes(item.voteCount))) return false;
    expireItem(item, nowSecs);
    return true;
  }
  const task = taskOfTimer(timer);
  if (task < 0) {
    refillReserve(reserveOfTimer(timer), nowSecs);
    return true;
  }
  if (!hasRoom(taskStepBytes() + PASS_ON_BYTES)) return false;
  fireTask(taskAt(<u32>task), nowSecs);
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
