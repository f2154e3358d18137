// A few thousand frames of `npm run fuzz-net`, which sends a million.

import { expect, it } from 'vitest';
import { fuzzNet } from '../../tools/fuzz-net/run.ts';
import { testSeed } from './seed.ts';

it('liars at the peer port are cut off, nothing of theirs gets in, honest agents write meanwhile (pitfall D7)', async () => {
  const seed = testSeed();
  const result = await fuzzNet({ frames: 10_000, seed, say: () => {} });
  expect(result.faults, `seed ${seed}`).toEqual([]);
  expect(result.frames).toBeGreaterThanOrEqual(10_000);
  expect([result.cutOff, result.links > 20, result.writes > 4]).toEqual([result.links, true, true]);
});
