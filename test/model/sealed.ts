// Sealed deliveries in the model (protocol 15.10): what a content key does that came with a request.

import * as abi from '../../assembly/abi.ts';
import { forfeit } from './bonds.ts';
import type { Command } from './command.ts';
import { queueRun } from './contracts.ts';
import { type Refusal, refuse, type Verdict } from './refusal.ts';
import type { ModelAgent, ModelState } from './state.ts';
import { decideDispute, hasDelivered } from './task-ends.ts';
import type { ModelTask } from './task-state.ts';

const isGiven = (c: Command): boolean => (c.flags & abi.OPEN_GIVEN) !== 0;
export const isClosed = ({ flags }: ModelTask): boolean =>
  (flags & abi.TASK_SEALED) !== 0 && (flags & abi.TASK_OPENED) === 0;

/** A key that came has to be the one that was committed to. */
export function keyFault(c: Command, task: ModelTask): Refusal | undefined {
  if (!isGiven(c)) return undefined;
  const matches = (c.flags & abi.OPEN_MATCHES) !== 0 && (task.flags & abi.TASK_SEALED) !== 0;
  return matches ? undefined : refuse(abi.CONTENT_KEY_MISMATCH);
}

/** Of who has to open what is closed. */
export const openingFault = (c: Command, task: ModelTask): Refusal | undefined =>
  isClosed(task) && !isGiven(c) ? refuse(abi.CONTENT_KEY_NEEDED) : keyFault(c, task);

/** The key shows that the box holds nothing. */
export const showsNothing = (c: Command, task: ModelTask): boolean =>
  isGiven(c) && isClosed(task) && (c.flags & abi.OPEN_HOLDS) === 0;

/** The key is public now. True if it opened the delivery. */
export function takeKey(c: Command, task: ModelTask): boolean {
  if (!isGiven(c) || !isClosed(task)) return false;
  if (showsNothing(c, task)) task.flags &= ~abi.TASK_FACTS_HOLD;
  task.flags |= abi.TASK_OPENED;
  return true;
}

/** What an opening brings about in a dispute by itself. */
export function followOpening(s: ModelState, task: ModelTask): boolean {
  if (!hasDelivered(task)) {
    forfeit(s, task, task.workerHeld);
    decideDispute(s, task, 0, abi.RESOLUTION_NOTHING_DELIVERED);
    return true;
  }
  if (task.fuel > 0) queueRun(s, task);
  return task.fuel > 0;
}

export function open(s: ModelState, c: Command, actor: ModelAgent, task: ModelTask | undefined): Verdict {
  if (!task) return refuse(abi.TASK_NOT_FOUND);
  if (task.poster !== actor && task.claimer !== actor) return refuse(abi.NOT_PARTY);
  if (task.status !== abi.TASK_DISPUTED || !isClosed(task)) return refuse(abi.TASK_STATE);
  return (
    openingFault(c, task) ??
    (() => {
      takeKey(c, task);
      followOpening(s, task);
      return [BigInt(actor.index)];
    })
  );
}
