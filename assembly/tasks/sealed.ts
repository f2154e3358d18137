// Sealed deliveries, which a dispute opens (protocol 15.10).
// Keeps: a key counts only if it is the one that was committed to, which the host finds out, as it does whether the stored
// box opens by it; a delivery is opened once. A box that its own key does not open was no delivery.

import {
  CONTENT_KEY_MISMATCH,
  CONTENT_KEY_NEEDED,
  IN_OPEN_FLAGS,
  IN_TASK_ID,
  NOT_PARTY,
  OK,
  OPEN_GIVEN,
  OPEN_HOLDS,
  OPEN_MATCHES,
  RESOLUTION_NOTHING_DELIVERED,
  RESULT_AGENT,
  TASK_DISPUTED,
  TASK_FACTS_HOLD,
  TASK_NOT_FOUND,
  TASK_OPENED,
  TASK_SEALED,
  TASK_STATE,
} from '../abi';
import { commits, field32, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { forfeitWorkerBond } from './bonds';
import { decideDispute } from './disputes';
import { queueRun } from './due-runs';
import { contractOf, findTask, hasDelivered, Task, taskAt, touchTask } from './rows';

function isKeyGiven(): bool {
  return (field32(IN_OPEN_FLAGS) & OPEN_GIVEN) != 0;
}

/** True when only its parties can read what was delivered. */
export function isClosed(task: Task): bool {
  return (task.flags & TASK_SEALED) != 0 && (task.flags & TASK_OPENED) == 0;
}

/** Why the key of the command, if one came with it, does not fit the task: OK or CONTENT_KEY_MISMATCH. */
export function keyFault(task: Task): i32 {
  if (!isKeyGiven()) return OK;
  const isSealed = (task.flags & TASK_SEALED) != 0;
  return isSealed && (field32(IN_OPEN_FLAGS) & OPEN_MATCHES) != 0 ? OK : CONTENT_KEY_MISMATCH;
}

/** As keyFault; besides CONTENT_KEY_NEEDED where the delivery stays closed without one. */
export function openingFault(task: Task): i32 {
  return isClosed(task) && !isKeyGiven() ? CONTENT_KEY_NEEDED : keyFault(task);
}

/** True when the key of the command, which fits, shows that nothing was delivered. */
export function showsNothing(task: Task): bool {
  return isKeyGiven() && isClosed(task) && (field32(IN_OPEN_FLAGS) & OPEN_HOLDS) == 0;
}

/** Takes the key of the command, which fits: what was delivered is public from now on. */
export function takeKey(task: Task): void {
  if (!isKeyGiven() || !isClosed(task)) return;
  if (showsNothing(task)) task.flags &= ~TASK_FACTS_HOLD;
  task.flags |= TASK_OPENED;
  touchTask(task);
}

/**
 * What follows for a disputed task whose delivery was opened by this command: refund where it holds nothing, the run of its
 * contract where it has one. False: nothing follows.
 */
export function followOpening(task: Task, nowSecs: u64): bool {
  if (!hasDelivered(task)) {
    forfeitWorkerBond(task, true);
    decideDispute(task, 0, RESOLUTION_NOTHING_DELIVERED, nowSecs);
    return true;
  }
  if (contractOf(task).fuel == 0) return false;
  queueRun(task);
  return true;
}

/** OP_TASK_OPEN. Errors: TASK_NOT_FOUND, NOT_PARTY, TASK_STATE (not disputed, not sealed, or opened), CONTENT_KEY_MISMATCH. */
export function openDelivery(): i32 {
  const row = findTask(fieldAddress(IN_TASK_ID));
  if (row < 0) return refuse(TASK_NOT_FOUND);
  const task = taskAt(<u32>row);
  const actor = frame().actor;
  if (task.poster != actor && task.claimer != actor + 1) return refuse(NOT_PARTY);
  if (task.status != TASK_DISPUTED || !isClosed(task)) return refuse(TASK_STATE);
  const fault = openingFault(task);
  if (fault != OK) return refuse(fault);
  if (!commits()) return OK;

  setResult(RESULT_AGENT, actor);
  takeKey(task);
  followOpening(task, frame().nowSecs);
  return OK;
}
