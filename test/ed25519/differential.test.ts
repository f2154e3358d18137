// Random good and mutated signatures: both builds, singly and in batches, give the verdicts of @noble/ed25519.
// VWS_ED25519_SIGNATURES sets how many (default 400), VWS_ED25519_SEED replays a run.

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { BUILDS } from './builds.ts';
import { goodJobs, mutate, referenceVerdict, SeededRandom } from './signatures.ts';

const COUNT = Number(process.env.VWS_ED25519_SIGNATURES ?? 400);
const SEED = process.env.VWS_ED25519_SEED ?? randomUUID();
// Batches of these sizes in turn: below, at and above what one load holds.
const SIZES = [1, 3, 16, 64, 200, 1024, 1500];

it(`agrees with the reference on ${COUNT} signatures, seed ${SEED}`, { timeout: 86_400_000 }, () => {
  const random = new SeededRandom(SEED);
  const doors = BUILDS.map(([name, open]) => ({ name, door: open() }));
  let good = 0;
  for (let done = 0, turn = 0; done < COUNT; turn++) {
    const size = Math.min(COUNT - done, SIZES[turn % SIZES.length]!);
    // Every third batch is all good, or batches would hardly ever pass.
    const badShare = turn % 3 === 0 ? 0 : 1 + random.below(60);
    const jobs = goodJobs(random, size, 1 + random.below(size)).map((job) =>
      random.below(100) < badShare ? mutate(random, job) : job,
    );
    const expected = jobs.map(referenceVerdict);
    good += expected.filter((verdict) => verdict === 1).length;
    for (const { name, door } of doors) {
      expect(Array.from(door.verifyBatch(jobs)), `${name}, batch ${turn}`).toEqual(expected);
      const singles = jobs.map((job) => (door.verifyOne(job) ? 1 : 0));
      expect(singles, `${name}, singles ${turn}`).toEqual(expected);
    }
    done += size;
  }
  expect(good).toBeGreaterThan(COUNT / 4);
});
