// Budgets and charges for tests, with time that moves when told.

import { type Charge, CostBudget, type CostRefusal, type Lane } from '../../../host/api/cost-budget.ts';
import { ServiceError } from '../../../host/errors.ts';

export interface Budgeted {
  budget: CostBudget;
  /** `idleMs`: processor time less the time that passed. */
  time: { ms: number; idleMs: number };
  /** By whom requests were refused, in order. */
  refusals: CostRefusal[];
  /** Everything that was charged. */
  cost: { ms: number };
}

export function openBudget(lane: Lane = 'read', enabled = true, maxKeys?: number): Budgeted {
  const time = { ms: 5_000, idleMs: 0 };
  const cost = { ms: 0 };
  const refusals: CostRefusal[] = [];
  const budget = new CostBudget({
    lane,
    enabled,
    monotonicMs: () => time.ms,
    cpuMs: () => time.ms + time.idleMs,
    onRefusal: (_, by) => refusals.push(by),
    onCost: (_, ms) => {
      cost.ms += ms;
    },
    ...(maxKeys === undefined ? {} : { maxKeys }),
  });
  return { budget, time, refusals, cost };
}

/** A charge without limits, of an address. */
export const freeCharge = (address: string): Charge => openBudget('page', false).budget.open(address, 0);

/** Retry-After of a refusal for cost, undefined when the call passes. */
export function refusedFor(take: () => unknown): number | undefined {
  try {
    take();
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'rate_limited') throw error;
    return Number(error.headers['Retry-After']);
  }
}
