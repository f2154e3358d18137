// More seats that deviate than consensus tolerates stop the network, and the world's watch says so.

import { expect, it } from 'vitest';
import { planOf } from './plan.ts';
import { runPlan } from './run.ts';

it('two silent seats of four stop the network, which is noticed', async () => {
  const { fault } = await runPlan({
    ...planOf(1, { seats: 4, faults: 0 }),
    healMs: 30_000,
    strangers: 0,
    latecomers: [],
    deviants: [2, 3].map((seat) => ({ seat, how: 'silent' as const })),
    faults: [],
  });
  expect(fault).toMatch(/^not live 240 s after the heal: n0 .*no_quorum/);
});
