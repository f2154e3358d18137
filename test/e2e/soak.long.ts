// A short soak; `npm run soak` makes thirty minutes of it.

import { describe, expect, it } from 'vitest';
import { soak } from '../../tools/soak/run.ts';
import { testSeed } from './seed.ts';

describe('a network of four under signed load, one node killed after the other', () => {
  it('loses nothing acknowledged and keeps one state', { timeout: 240_000 }, async () => {
    const seed = testSeed();
    const plan = { nodes: 4, seconds: 14, killEverySecs: 4, writers: 8, rate: 40, seed, say: () => {} };
    const result = await soak(plan);
    expect(result.faults, `VWS_SEED=${seed}`).toEqual([]);
    expect(result.kills).toBeGreaterThan(0);
    expect(result.acknowledged).toBeGreaterThan(10);
    expect(result.heights).toBeGreaterThan(0);
    // Too short to say whether memory is flat, but not to see where it is.
    if (process.platform !== 'linux') return;
    // On a slow machine no process gets old enough in these seconds.
    const memory = result.memory[result.spared];
    if (!memory) return;
    const { last, leak } = memory;
    const { resident, heap, used, core, dag, cache, threads, rest } = last;
    for (const bytes of [used, heap - used, core, dag, rest]) expect(bytes).toBeGreaterThan(100_000);
    // With one arena the threads have none of their own.
    for (const bytes of [cache, threads]) expect(bytes).toBeGreaterThanOrEqual(0);
    expect(resident).toBeLessThan(1e9);
    expect(Object.values(leak!).every(Number.isFinite)).toBe(true);
  });
});
