// What one task contributes to the sums over all tasks.

import type { TaskStateDoc } from '../../store/task-documents.ts';

/** Amounts in micro-units. */
export interface Figures {
  status: string;
  escrow: number;
  isSubtask: boolean;
  /** Held of the worker: all of it from the claim to the end (protocol 15.4). */
  bond: number;
  paid: number;
}

/** Undefined before the core has sent its image. */
export function figuresOf({ core, paid }: TaskStateDoc): Figures | undefined {
  if (!core) return undefined;
  const bond = core.escrow_locked_to === undefined ? 0 : core.worker_bond;
  return { status: core.status, escrow: core.escrow_amount, isSubtask: core.is_subtask, bond, paid };
}
