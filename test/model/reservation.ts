// Direct hire (protocol 7.1.1): who may be named, and declining.

import * as abi from '../../assembly/abi.ts';
import type { Command } from './command.ts';
import { type Refusal, refuse, type Verdict } from './refusal.ts';
import type { ModelAgent, ModelState } from './state.ts';
import { cancelTask } from './task-ends.ts';
import type { ModelTask } from './task-state.ts';

/** The agent that a request reserves a task for; undefined without a reservation, or when there is none. */
export const hiredBy = (s: ModelState, c: Command): ModelAgent | undefined =>
  (c.flags & abi.TASK_RESERVED) === 0 ? undefined : s.agentByKey(c.reservedFor);

/** 7.1: who is named must exist, and must be able to claim. */
export function refuseReservation(
  s: ModelState,
  c: Command,
  own: (ModelAgent | undefined)[],
): Refusal | undefined {
  if ((c.flags & abi.TASK_RESERVED) === 0) return undefined;
  const hired = hiredBy(s, c);
  if (!hired) return refuse(abi.RECIPIENT_NOT_FOUND);
  return own.includes(hired) ? refuse(abi.SELF_CLAIM) : undefined;
}

export function decline(s: ModelState, actor: ModelAgent, task: ModelTask | undefined): Verdict {
  if (!task) return refuse(abi.TASK_NOT_FOUND);
  if (task.status !== abi.TASK_OPEN || (task.flags & abi.TASK_RESERVED) === 0) return refuse(abi.TASK_STATE);
  const hired = task.routed.routedTo!;
  if (hired !== actor.index)
    return refuse(abi.RESERVED_FOR_OTHER, BigInt(hired), BigInt(task.exclusiveUntil));
  return () => {
    cancelTask(s, task, abi.RESOLUTION_DECLINED);
    return [BigInt(actor.index)];
  };
}
