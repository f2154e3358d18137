// Three kills of the crash test; `npm run crash-test` makes fifty.

import { describe, expect, it } from 'vitest';
import { crashTest } from '../../tools/crash/run.ts';
import { testSeed } from './seed.ts';

describe('a node killed under signed load', () => {
  it('loses nothing it acknowledged and applies nothing twice, three times over', async () => {
    const seed = testSeed();
    const plan = { kills: 3, seed, writers: 8, loadMs: [200, 700] as const, say: () => {} };
    const result = await crashTest(plan);
    expect(result.faults, `seed ${seed}`).toEqual([]);
    expect(result.kills).toBe(3);
    expect(result.acknowledged).toBeGreaterThan(10);
  });
});
