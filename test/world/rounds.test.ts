// What a run says at its end: a network without faults is live in far less than the bound of rounds, and a run that breaks
// has a fault like any other.

import { expect, it } from 'vitest';
import { type Plan, planOf } from './plan.ts';
import { MAX_ROUNDS, runPlan } from './run.ts';

const QUIET: Plan = {
  ...planOf(1, { seats: 4, faults: 0 }),
  healMs: 20_000,
  strangers: 0,
  latecomers: [],
  deviants: [],
  faults: [],
};

it('nothing struck, so every node has answered a write in half of the rounds that are allowed', async () => {
  const { fault, healedInRounds } = await runPlan(QUIET);
  expect(fault).toBeUndefined();
  expect(healedInRounds).toBeLessThan(MAX_ROUNDS / 2);
});

it('a run that breaks has a fault that says why, and was not live', async () => {
  const none = { kind: 'kill', on: ['n9'], atMs: 1000, forMs: 500, amount: 0 } as const;
  const outcome = await runPlan({ ...QUIET, healMs: 5000, faults: [none] });
  expect(outcome).toMatchObject({ healedInMs: undefined, healedInRounds: undefined });
  expect(outcome.fault).toMatch(/^the run broke: Error: no machine n9/);
});
