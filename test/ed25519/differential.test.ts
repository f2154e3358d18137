// Random good and mutated signatures: both builds, singly and in batches, give the verdicts of @noble/ed25519.
// VWS_ED25519_SIGNATURES sets how many (default 400), VWS_ED25519_SEED replays a run.

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { SignatureJob } from '../../host/wire/bytes.ts';
import { BUILDS } from './builds.ts';
import { smallOrderEncodings, torsionSignatures } from './odd-points.ts';
import { goodJobs, mutate, referenceVerdict, SeededRandom } from './signatures.ts';

const COUNT = Number(process.env.VWS_ED25519_SIGNATURES ?? 400);
const SEED = process.env.VWS_ED25519_SEED ?? randomUUID();
// Batches of these sizes in turn: below, at and above what one load holds.
const SIZES = [1, 3, 16, 64, 200, 1024, 1500];

it(`agrees with the reference on ${COUNT} signatures, seed ${SEED}`, { timeout: 86_400_000 }, () => {
  const random = new SeededRandom(SEED);
  const odd = smallOrderEncodings();
  const torsion = torsionSignatures(random, 16);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  /** Odd points in place of the key, of R, or of both with an S that may fit. */
  const twist = (job: SignatureJob): SignatureJob => {
    const signature = job.signature.slice();
    const place = random.below(4);
    if (place === 0) return { ...job, publicKey: pick(odd) };
    if (place === 1) return { ...job, publicKey: pick(odd), signature: pick(torsion) };
    signature.set(pick(odd));
    if (place === 2) return { ...job, signature };
    signature.fill(0, 32);
    return { ...job, publicKey: pick(odd), signature };
  };
  const doors = BUILDS.map(([name, open]) => ({ name, door: open() }));
  let good = 0;
  for (let done = 0, turn = 0; done < COUNT; turn++) {
    const size = Math.min(COUNT - done, SIZES[turn % SIZES.length]!);
    // Every third batch is all good, or batches would hardly ever pass.
    const badShare = turn % 3 === 0 ? 0 : 1 + random.below(60);
    const jobs = goodJobs(random, size, 1 + random.below(size)).map((job) =>
      random.below(100) >= badShare ? job : random.below(8) === 0 ? twist(job) : mutate(random, job),
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
