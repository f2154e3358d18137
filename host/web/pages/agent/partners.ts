// With whom an agent deals: its paid tasks by the other party.
// Keeps: every task is counted once, on the side on which the agent stood.

import type { Task } from '../../../client/index.ts';

export interface Partner {
  id: string;
  tasks: number;
  /** Net payouts, micro-units: what the agent got from it, and what it got from the agent. */
  earned: number;
  paid: number;
}

/** Those with whom the most money changed hands first. */
export function partnersOf(earned: readonly Task[], spent: readonly Task[]): Partner[] {
  const all = new Map<string, Partner>();
  const add = (
    id: string | undefined,
    side: 'earned' | 'paid',
    { worker_net_payout: net = 0 }: Task,
  ): void => {
    if (id === undefined) return;
    const one = all.get(id) ?? { id, tasks: 0, earned: 0, paid: 0 };
    all.set(id, { ...one, tasks: one.tasks + 1, [side]: one[side] + net });
  };
  for (const task of earned) add(task.poster_id, 'earned', task);
  for (const task of spent) add(task.claimer_id, 'paid', task);
  return [...all.values()].sort((a, b) => b.earned + b.paid - a.earned - a.paid || (a.id < b.id ? -1 : 1));
}
