// What the escrows are for, as the lists of tasks and of pending events add it up.
// Keeps: sums that are kept with the lists, so an answer costs nothing that grows with them.

import type { EscrowSums } from '../core/supply-parts.ts';
import type { PendingIndex } from './pending-index.ts';
import type { TaskIndex } from './tasks/task-index.ts';

export function escrowSums(of: {
  tasks: Pick<TaskIndex, 'totals'>;
  pending: Pick<PendingIndex, 'transfersMicro'>;
}): EscrowSums {
  const { escrowed, escrowed_subtasks: subtasks, claim_bonds: claimBonds } = of.tasks.totals;
  return { tasks: escrowed, subtasks, claimBonds, transfers: of.pending.transfersMicro };
}
