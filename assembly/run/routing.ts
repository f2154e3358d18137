// The seam between tasks/ and router/: after each step the router hears what opened and what closed.
// Keeps: a step is one command or one timer; it changes the place of at most one top-level task, so what the router
// tells because of it is bounded. Commands of the router go on with what they set in motion.

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
  routeOnwards,
  taskClosed,
  taskOpened,
  VERTEX_STEPS,
} from '../router/routing';
import { clearNotice, openNotice } from '../tasks/open-set';
import { taskAt } from '../tasks/rows';

/** Room in the out buffer that `passOn` may need after a step, besides the step's own. */
export const PASS_ON_BYTES: u32 = OUT_TASK_ROUTED_BYTES;

/** Tells the router what the last step opened or closed. */
export function passOn(): void {
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

/** True when a command of the router has the length and the ranges of abi.ts. */
export function isRouterRecord(record: usize, opcode: u32, bytes: u32): bool {
  if (opcode == OP_ROUTER_REGISTER) return isRegistration(record, bytes);
  return opcode == OP_ROUTER_REMOVE ? bytes == COMMAND_FIELDS : isAvailability(record, bytes);
}

/** Room that a command of the router may need besides its outcome. */
export const ROUTER_COMMAND_BYTES: u32 = COMMAND_STEPS * OUT_TASK_ROUTED_BYTES;

/** Executes a command of the router up to its line, and beyond. */
export function operateRouter(opcode: u32): i32 {
  if (opcode == OP_ROUTER_REGISTER) return registerCapability();
  return opcode == OP_ROUTER_REMOVE ? removeCapability() : switchAvailability();
}

/** After a successful command of the router: the first steps of what it set in motion. */
export function beginRouting(): void {
  routeOnwards(COMMAND_STEPS);
}

/** At the opening of a vertex: the next steps. False, with nothing done, when the out buffer has no room for them. */
export function goOnRouting(): bool {
  if (!hasRoutingLeft()) return true;
  if (!hasRoom(VERTEX_STEPS * OUT_TASK_ROUTED_BYTES)) return false;
  routeOnwards(VERTEX_STEPS);
  return true;
}
