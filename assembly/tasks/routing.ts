// Assignment of an open task to an agent: set by the router (or its poster: reservation.ts), checked by claims, and the lapse of exclusivity.
// Keeps: an exclusive assignment ends; after it the router never picks the agent again (protocol 4.4, 6.16).

import { PARAM_ROUTING_EXCLUSIVE_SECS, TASK_EXCLUSIVE, TASK_OPEN } from '../abi';
import { param } from '../state/header';
import { addBar, BAR_ROUTE, hasBarRow } from './bars';
import { noteOpened } from './open-set';
import { Task, touchTask } from './rows';
import { rearm } from './status';

/** Keeps an open task for an agent (index) until then; the caller touches the row. */
export function keepFor(task: Task, agent: u32, untilSecs: u64): void {
  task.routedTo = agent + 1;
  task.exclusiveUntilSecs = untilSecs;
  rearm(task);
}

/**
 * Assigns an open, unassigned task to an agent (index). With TASK_EXCLUSIVE only that agent may claim it for
 * routing_exclusive_secs; where there is no row for the bar of its lapse, the assignment is advisory.
 */
export function assignTask(task: Task, agent: u32, nowSecs: u64): void {
  assert(task.status == TASK_OPEN && task.routedTo == 0, 'only an open, unassigned task can be assigned');
  if ((task.flags & TASK_EXCLUSIVE) != 0 && hasBarRow()) {
    keepFor(task, agent, nowSecs + param(PARAM_ROUTING_EXCLUSIVE_SECS));
  } else task.routedTo = agent + 1;
  touchTask(task);
}

/** Clears the assignment of an open task, for example when its agent left the router. Does not note it as opened. */
export function clearAssignment(task: Task): void {
  if (task.routedTo == 0) return;
  task.routedTo = 0;
  if (task.exclusiveUntilSecs != 0) {
    task.exclusiveUntilSecs = 0;
    rearm(task);
  }
  touchTask(task);
}

/** True while the task is kept for another agent, by the router or by its poster. */
export function isKeptForOther(task: Task, agent: u32, nowSecs: u64): bool {
  return task.exclusiveUntilSecs > nowSecs && task.routedTo != agent + 1;
}

/** Ends the exclusive time of an open task: its agent is barred from routing, and the task is routed again. */
export function lapseExclusivity(task: Task): void {
  const agent = task.routedTo - 1;
  clearAssignment(task);
  addBar(task, agent, BAR_ROUTE);
  noteOpened(task);
}
