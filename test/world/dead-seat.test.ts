// Random runs in which a seat dies and loses its weight (consensus 5.11): for good, and until after it was removed.

import { expect, it } from 'vitest';
import { isForGood } from './faults.ts';
import { planOf } from './plan.ts';
import { runPlan } from './run.ts';

it.each([
  ['for good', 116, 1],
  ['and comes back', 128, 0],
])('a seat that dies %s is removed, and no obstacle to the others: seed %i', async (_, seed, forGood) => {
  const plan = planOf(seed);
  expect(plan.faults.filter(isForGood).length).toBe(forGood);
  const { fault, struck, compared } = await runPlan(plan);
  expect(fault).toBeUndefined();
  expect([...struck.keys()]).toContain('dead_seat');
  // The model has removed it at the same place.
  expect(compared).toBeGreaterThan(0);
});
