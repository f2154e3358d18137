// Assignment of an open task to an agent: what the router sets, what claims ask, and the lapse of exclusivity.
// Keeps: an exclusive assignment has an end, at which the agent is passed over for good (DECISIONS 4.4, 6.16);
// it holds the promise of a bar row until then.

import { PARAM_ROUTING_EXCLUSIVE_SECS, TASK_EXCLUSIVE, TASK_OPEN } from '../abi';
import { header, param } from '../state/header';
import { addBar, BAR_ROUTE, hasBarRow } from './bars';
import { noteOpened } from './open-set';
import { Task, touchTask } from './rows';
import { rearm } from './status';

/**
 * Assigns an open, unassigned task to an agent (index). With TASK_EXCLUSIVE only that agent may claim it for
 * routing_exclusive_secs; when no row is left for the bar that the lapse would need, the assignment is advisory.
 */
export function assignTask(task: Task, agent: u32, nowSecs: u64): void {
  assert(task.status == TASK_OPEN && task.routedTo == 0, 'only an open task without route is assigned');
  task.routedTo = agent + 1;
  if ((task.flags & TASK_EXCLUSIVE) != 0 && hasBarRow()) {
    task.exclusiveUntilSecs = nowSecs + param(PARAM_ROUTING_EXCLUSIVE_SECS);
    header().barsReserved++;
    rearm(task);
  }
  touchTask(task);
}

/** Takes back the assignment of an open task, as when its agent left the router. Does not note it as opened. */
export function clearAssignment(task: Task): void {
  if (task.routedTo == 0) return;
  task.routedTo = 0;
  if (task.exclusiveUntilSecs != 0) {
    task.exclusiveUntilSecs = 0;
    header().barsReserved--;
    rearm(task);
  }
  touchTask(task);
}

/** True when the task is kept for another agent than this one now. */
export function isKeptForOther(task: Task, agent: u32, nowSecs: u64): bool {
  return task.exclusiveUntilSecs > nowSecs && task.routedTo != agent + 1;
}

/** The exclusive time of an open task is over: its agent is passed over from now on, the task is to be routed anew. */
export function lapseExclusivity(task: Task): void {
  const agent = task.routedTo - 1;
  clearAssignment(task);
  addBar(task, agent, BAR_ROUTE);
  noteOpened(task);
}
