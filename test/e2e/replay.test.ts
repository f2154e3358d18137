// The replay test with 2,000 transactions; `npm run replay-test` runs it with 100,000.

import { describe, expect, it } from 'vitest';
import { replayTest } from '../../tools/history/replay.ts';
import { testSeed } from './seed.ts';

describe('a log of 2,000 transactions', () => {
  it('gives one root from genesis, from every snapshot and after a restart', async () => {
    const seed = testSeed();
    const plan = { transactions: 2000, perVertex: 16, snapshotOrders: 20, copies: 2, seed, say: () => {} };
    const { first, rebuilt, faults } = await replayTest(plan);
    expect(faults, `seed ${seed}`).toEqual([]);
    expect(rebuilt.map((r) => r.from)).toEqual(['genesis', 'snapshot', 'snapshot', 'restart']);
    expect(rebuilt[0]!.checkpoints).toBeGreaterThan(0);
    for (const r of rebuilt.slice(1)) expect(r.fromOrder).toBeGreaterThan(0);
    // A log of refusals alone would prove little.
    expect(first.refused).toBeGreaterThan(0);
    expect(first.refused).toBeLessThan(first.transactions / 2);
  });
});
