// Whole verifications on the builds that assert limb bounds: every way of summing, from one signature to a full load.

import { describe, expect, it } from 'vitest';
import { openEd25519 } from '../../host/crypto/ed25519-wasm.ts';
import { randomBytes } from '../../host/world/system/random.ts';
import { checkedModule } from './checked-build.ts';
import { torsionSignatures, zip215Jobs } from './odd-points.ts';
import { goodJobs, SeededRandom } from './signatures.ts';

const random = new SeededRandom('checked');
const distinct = goodJobs(random, 1024);
const repeated = goodJobs(random, 1024, 16);

describe.each(['checked', 'checked-scalar'])('whole verifications, %s', (target) => {
  const open = () => openEd25519(checkedModule(target), randomBytes);

  // Sizes below and above the crossover to buckets, and one for each of its three windows.
  it.each([2, 20, 149, 151, 500, 1024])('a batch of %i', (size) => {
    expect(
      open()
        .verifyBatch(distinct.slice(0, size))
        .every((verdict) => verdict === 1),
    ).toBe(true);
    expect(
      open()
        .verifyBatch(repeated.slice(0, size))
        .every((verdict) => verdict === 1),
    ).toBe(true);
  });

  it('signatures one by one, edge vectors and torsion among them', () => {
    const door = open();
    const edge = zip215Jobs(random.bytes(8));
    const torsion = torsionSignatures(random, 8).map((signature) => ({ ...edge[0]!, signature }));
    for (const job of [...distinct.slice(0, 30), ...edge, ...torsion]) expect(door.verifyOne(job)).toBe(true);
    expect(door.verifyBatch([...edge, ...torsion]).every((verdict) => verdict === 1)).toBe(true);
  });
});
