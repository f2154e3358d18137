// Routing: a task that opens is assigned to the best agent at once; a waiting one when one of its labels is woken.
// Keeps: subtasks are never routed, and no task is routed to its poster or a barred agent; a task whose exclusive
// time lapsed waits for the next registration under its labels (the only occasion by protocol 4.5).
// Unbounded work is done in steps, a limited number for each command and each vertex.

import {
  EVENT_TASK_ROUTED,
  OUT_TASK_ROUTED_AGENT,
  OUT_TASK_ROUTED_BYTES,
  OUT_TASK_ROUTED_IS_NEWCOMER,
  OUT_TASK_ROUTED_REASON,
  OUT_TASK_ROUTED_SCORE_BP,
  ROUTE_BEST_MATCH,
  ROUTE_NEWCOMER,
} from '../abi';
import { beginTaskEvent } from '../io/system-event';
import { agentAt } from '../ledger/agents';
import { nowSecs } from '../state/header';
import { assignTask, clearAssignment } from '../tasks/routing';
import { Task, taskAt, taskIdOf, taskRow } from '../tasks/rows';
import { Capability, capabilityAt, freeCapability, markCapability } from './capabilities';
import { figures, HOLDER_NONE, holderOf, markFigures, numberOf } from './header';
import { beginAssignment, beginWaiting, forget, oldestAssignment } from './open-tasks';
import { isNewcomer, NEWCOMER_TURN, SMALL_BUDGET } from './score';
import { findBest, findNewcomer, search } from './search';
import { hasWakes, nextWoken } from './wakes';

/** Maximum of steps after a command, and at the opening of a vertex. */
export const COMMAND_STEPS: u32 = 16;
export const VERTEX_STEPS: u32 = 256;

/** Events about routes of one task, at most: what is posted once must not be written about without end. */
const MAX_ANNOUNCEMENTS: u32 = 8;

// Tells of a route, unless it is the one that the last event told of: whoever leaves the router and comes back has the same
// tasks again, and writes nothing. protocol 6.16.
function announce(task: Task, reason: u32): void {
  const best = search().best;
  if (task.announcedTo == best + 1 || task.announcements == MAX_ANNOUNCEMENTS) return;
  task.announcedTo = best + 1;
  task.announcements++;
  const record = beginTaskEvent(EVENT_TASK_ROUTED, 'task_routed', taskIdOf(task), OUT_TASK_ROUTED_BYTES);
  store<u32>(record, best, OUT_TASK_ROUTED_AGENT);
  store<u32>(record, <u32>search().bestScore, OUT_TASK_ROUTED_SCORE_BP);
  store<u32>(record, isNewcomer(agentAt(best)) ? 1 : 0, OUT_TASK_ROUTED_IS_NEWCOMER);
  store<u32>(record, reason, OUT_TASK_ROUTED_REASON);
}

// Assigns an open task that is in neither tree, and announces it. False when there is no candidate.
function routeNow(task: Task): bool {
  const f = figures();
  const isSmall = task.budget <= SMALL_BUDGET;
  const isNewcomersTurn = isSmall && (f.smallRoutings + 1) % NEWCOMER_TURN == 0;
  const isNewcomers = isNewcomersTurn && findNewcomer(task);
  if (!isNewcomers && !findBest(task)) return false;
  assignTask(task, search().best, nowSecs());
  f.routed++;
  if (isSmall) f.smallRoutings++;
  if (isNewcomers) f.newcomerRoutes++;
  markFigures();
  announce(task, isNewcomers ? ROUTE_NEWCOMER : ROUTE_BEST_MATCH);
  return true;
}

/** A top-level task opened, again or for the first time, or its exclusive time lapsed. Emits at most OUT_TASK_ROUTED_BYTES. */
export function taskOpened(task: Task): void {
  const isLapsed = holderOf(taskRow(task)) != HOLDER_NONE;
  forget(task);
  if (!isLapsed && routeNow(task)) beginAssignment(task);
  else beginWaiting(task);
}

/** A top-level task is no longer open. */
export function taskClosed(task: Task): void {
  forget(task);
}

function tryWoken(task: Task): void {
  if (!routeNow(task)) return;
  forget(task);
  beginAssignment(task);
}

/** Adds a removed capability to the queue of those whose assignments are being cleared. */
export function beginClearing(capability: Capability, row: u32): void {
  const f = figures();
  capability.isClearing = 1;
  capability.nextClearing = 0;
  capability.clearTo = f.number;
  markCapability(capability);
  if (f.clearHead == 0) {
    f.clearHead = row + 1;
  } else {
    capabilityAt(f.clearTail - 1).nextClearing = row + 1;
    markCapability(capabilityAt(f.clearTail - 1));
  }
  f.clearTail = row + 1;
  markFigures();
}

function endClearing(capability: Capability): void {
  const f = figures();
  f.clearHead = capability.nextClearing;
  if (f.clearHead == 0) f.clearTail = 0;
  markFigures();
  capability.isClearing = 0;
  capability.nextClearing = 0;
  capability.clearTo = 0;
  markCapability(capability);
  if (capability.isRemoved != 0) freeCapability(capability);
}

// Clears the oldest assignment of the first removed capability, or removes that one from the queue.
function clearOne(): void {
  const capability = capabilityAt(figures().clearHead - 1);
  const row = oldestAssignment(capability.owner - 1);
  if (row < 0 || numberOf(taskAt(<u32>row)) > capability.clearTo) {
    endClearing(capability);
    return;
  }
  const task = taskAt(<u32>row);
  forget(task);
  clearAssignment(task);
  beginWaiting(task);
}

/** Does up to `limit` pending steps; each emits at most OUT_TASK_ROUTED_BYTES. */
export function runRoutingSteps(limit: u32): void {
  for (let step: u32 = 0; step < limit; step++) {
    if (figures().clearHead != 0) {
      clearOne();
      continue;
    }
    if (!hasWakes()) return;
    const row = nextWoken();
    if (row >= 0) tryWoken(taskAt(<u32>row));
  }
}

/** True while steps are pending. */
export function hasRoutingLeft(): bool {
  return figures().clearHead != 0 || hasWakes();
}
