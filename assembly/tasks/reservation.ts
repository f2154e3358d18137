// Direct hire: a task that its poster reserved for one agent (protocol 7.1).
// Keeps: an open task with TASK_RESERVED names its agent in routedTo and the end of the reservation in exclusiveUntilSecs, and the
// router does not know it; the flags go when it opens to all. Being named costs the agent nothing and binds it to nothing:
// what it may hold is checked when it claims, as for every task.

import {
  IN_TASK_ID,
  OK,
  RECIPIENT_NOT_FOUND,
  RESERVED_FOR_OTHER,
  RESOLUTION_DECLINED,
  RESOLUTION_EXPIRED,
  RESULT_AGENT,
  SELF_CLAIM,
  TASK_NOT_FOUND,
  TASK_OPEN,
  TASK_RESERVED,
  TASK_RESERVED_OR_REFUND,
  TASK_STATE,
  TERMS_FLAGS,
  TERMS_RESERVED_KEY,
  TERMS_RESERVED_SECS,
} from '../abi';
import { commits, field32, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { findAgent } from '../ledger/agents';
import { daySecs } from '../state/header';
import { cancelAtDeadline, cancelTask } from './refund';
import { keepFor, lapseExclusivity } from './routing';
import { findTask, Task, taskAt, touchTask } from './rows';

const FLAGS: u32 = <u32>TASK_RESERVED | TASK_RESERVED_OR_REFUND;
/** No agent: a parent's poster where there is no parent. */
export const NOBODY: u32 = 0xffffffff;

export function isReserved(task: Task): bool {
  return (task.flags & TASK_RESERVED) != 0;
}

/** True when the terms at `at` reserve the task. */
export function asksToReserve(at: usize): bool {
  return (field32(at + TERMS_FLAGS) & TASK_RESERVED) != 0;
}

/**
 * Whether the task may be reserved as the terms at `at` say: RECIPIENT_NOT_FOUND when there is no such agent, SELF_CLAIM when
 * it could not claim, being the actor or `other`. OK without a reservation.
 */
export function checkReservation(at: usize, other: u32): i32 {
  if (!asksToReserve(at)) return OK;
  const agent = findAgent(fieldAddress(at + TERMS_RESERVED_KEY));
  if (agent < 0) return refuse(RECIPIENT_NOT_FOUND);
  return <u32>agent == frame().actor || <u32>agent == other ? refuse(SELF_CLAIM) : OK;
}

/** Reserves a task that was just opened as the terms at `at` say, which were checked. */
export function beginReservation(task: Task, at: usize): void {
  if (!asksToReserve(at)) return;
  const secs = <u64>field32(at + TERMS_RESERVED_SECS);
  const agent = <u32>findAgent(fieldAddress(at + TERMS_RESERVED_KEY));
  keepFor(task, agent, frame().nowSecs + (secs == 0 ? daySecs() : secs));
  touchTask(task);
}

/** True when the task never opens to all. */
export function isRefundedInstead(task: Task): bool {
  return (task.flags & TASK_RESERVED_OR_REFUND) != 0;
}

/** The task is open to all from now on, as if it had never been reserved. */
export function forgetReservation(task: Task): void {
  task.flags &= ~FLAGS;
}

/** The end of a reservation that was not taken up: refunded or open to all, as its poster chose. */
export function lapseReservation(task: Task, nowSecs: u64): void {
  if (isRefundedInstead(task)) {
    cancelAtDeadline(task, RESOLUTION_EXPIRED, nowSecs);
    return;
  }
  forgetReservation(task);
  lapseExclusivity(task);
}

/**
 * OP_TASK_DECLINE, by the agent that an open task is reserved for: refund, whatever the poster chose for silence. Errors:
 * TASK_NOT_FOUND, TASK_STATE (not open, or not reserved), RESERVED_FOR_OTHER (agent index, until).
 */
export function declineTask(): i32 {
  const row = findTask(fieldAddress(IN_TASK_ID));
  if (row < 0) return refuse(TASK_NOT_FOUND);
  const task = taskAt(<u32>row);
  if (task.status != TASK_OPEN || !isReserved(task)) return refuse(TASK_STATE);
  if (task.routedTo != frame().actor + 1) {
    return refuse(RESERVED_FOR_OTHER, task.routedTo - 1, task.exclusiveUntilSecs);
  }
  if (!commits()) return OK;

  setResult(RESULT_AGENT, frame().actor);
  cancelTask(task, RESOLUTION_DECLINED, frame().nowSecs);
  return OK;
}
