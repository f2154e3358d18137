// The seam between tasks/ and router/: after each step the router is notified of tasks that opened or closed.
// Keeps: a step is one command or one timer; it opens or closes at most one top-level task, so the router's output
// for it is bounded. A router command also does the first routing steps that it causes.

import {
  COMMAND_FIELDS,
  OP_ROUTER_AVAILABLE,
  OP_ROUTER_REGISTER,
  OP_ROUTER_REMOVE,
  OUT_TASK_ROUTED_BYTES,
} from '../abi';
import { hasRoom } from '../io/output';
import {
  isAvailability,
  isRegistration,
  registerCapability,
  removeCapability,
  switchAvailability,
} from '../router/operations';
import {
  COMMAND_STEPS,
  hasRoutingLeft,
  runRoutingSteps,
  taskClosed,
  taskOpened,
  VERTEX_STEPS,
} from '../router/routing';
import { clearNotice, openNotice } from '../tasks/open-set';
import { taskAt } from '../tasks/rows';

/** Space in the out buffer that `notifyRouter` may need after a step, besides the step's own. */
export const NOTIFY_ROUTER_BYTES: u32 = OUT_TASK_ROUTED_BYTES;

/** Notifies the router of the task that the last step opened or closed. */
export function notifyRouter(): void {
  const notice = openNotice();
  const closed = notice.closed;
  const opened = notice.opened;
  clearNotice();
  if (closed != 0) taskClosed(taskAt(closed - 1));
  if (opened != 0) taskOpened(taskAt(opened - 1));
}

export function isRouterCommand(opcode: u32): bool {
  return opcode == OP_ROUTER_REGISTER || opcode == OP_ROUTER_REMOVE || opcode == OP_ROUTER_AVAILABLE;
}

/** True when a router command has the length and the ranges of abi.ts. */
export function isRouterRecord(record: usize, opcode: u32, bytes: u32): bool {
  if (opcode == OP_ROUTER_REGISTER) return isRegistration(record, bytes);
  return opcode == OP_ROUTER_REMOVE ? bytes == COMMAND_FIELDS : isAvailability(record, bytes);
}

/** Space that a router command may need besides its outcome. */
export const ROUTER_COMMAND_BYTES: u32 = COMMAND_STEPS * OUT_TASK_ROUTED_BYTES;

/** Executes a router command. */
export function operateRouter(opcode: u32): i32 {
  if (opcode == OP_ROUTER_REGISTER) return registerCapability();
  return opcode == OP_ROUTER_REMOVE ? removeCapability() : switchAvailability();
}

/** After a successful router command: the first steps of the routing it causes. */
export function beginRouting(): void {
  runRoutingSteps(COMMAND_STEPS);
}

/** At the opening of a vertex: the next steps. False, with nothing done, when they might not fit the out buffer. */
export function continueRouting(): bool {
  if (!hasRoutingLeft()) return true;
  if (!hasRoom(VERTEX_STEPS * OUT_TASK_ROUTED_BYTES)) return false;
  runRoutingSteps(VERTEX_STEPS);
  return true;
}
