// ZIP-215 exactly: the 196 edge vectors (small-order and non-canonical key and R, S = 0, message "Zcash"), and where the
// rule refuses. Source: ZIP 215, "Explicitly Defining and Modifying Ed25519 Validation Rules".

import { describe, expect, it } from 'vitest';
import type { SignatureJob } from '../../host/wire/bytes.ts';
import { BUILDS } from './builds.ts';
import { smallOrderEncodings, torsionSignatures, zip215Jobs } from './odd-points.ts';
import { goodJobs, L, littleEndian, P, referenceVerdict, SeededRandom, toBigInt } from './signatures.ts';

const ZCASH = new TextEncoder().encode('Zcash');

function withS(job: SignatureJob, s: bigint): SignatureJob {
  const signature = job.signature.slice();
  signature.set(littleEndian(s), 32);
  return { ...job, signature };
}

it('knows 14 encodings of small order', () => {
  expect(smallOrderEncodings()).toHaveLength(14);
  expect(zip215Jobs(ZCASH)).toHaveLength(196);
});

describe.each(BUILDS)('ZIP-215, %s', (_, open) => {
  const door = open();

  it('takes all 196 edge vectors, alone and as a batch', () => {
    const jobs = zip215Jobs(ZCASH);
    expect(jobs.map(referenceVerdict)).toEqual(jobs.map(() => 1));
    expect(jobs.map((job) => door.verifyOne(job))).toEqual(jobs.map(() => true));
    expect(Array.from(door.verifyBatch(jobs))).toEqual(jobs.map(() => 1));
  });

  it('tells edge vectors from good and bad signatures beside them', () => {
    const random = new SeededRandom('edge vectors among others');
    const good = goodJobs(random, 100);
    const jobs = zip215Jobs(ZCASH).flatMap((job, i) => {
      const other = good[i % 100]!;
      return i % 3 === 0 ? [job, withS(other, 1n)] : [job, other];
    });
    const expected = zip215Jobs(ZCASH).flatMap((_job, i) => [1, i % 3 === 0 ? 0 : 1]);
    expect(Array.from(door.verifyBatch(jobs))).toEqual(expected);
  });

  it('takes a small-order component in R under any key of small order', () => {
    const random = new SeededRandom('torsion in R');
    const jobs = torsionSignatures(random, 28).map((signature, i) => ({
      publicKey: smallOrderEncodings()[i % 14]!,
      message: random.bytes(20),
      signature,
    }));
    expect(jobs.map(referenceVerdict)).toEqual(jobs.map(() => 1));
    expect(Array.from(door.verifyBatch(jobs))).toEqual(jobs.map(() => 1));
    expect(jobs.every((job) => door.verifyOne(job))).toBe(true);
  });

  it('refuses S from L on, alone and in a batch, though the equation holds', () => {
    const [job] = goodJobs(new SeededRandom('S not below L'), 1);
    const s = toBigInt(job!.signature.subarray(32));
    const raised: SignatureJob[] = [];
    for (let sum = s + L; sum < 2n ** 256n; sum += L) raised.push(withS(job!, sum));
    for (const edge of zip215Jobs(ZCASH).slice(0, 14)) raised.push(withS(edge, L), withS(edge, 8n * L));
    expect(raised.map((bad) => door.verifyOne(bad))).toEqual(raised.map(() => false));
    expect(Array.from(door.verifyBatch([job!, ...raised, job!]))).toEqual([1, ...raised.map(() => 0), 1]);
  });

  it('takes L - 1 as S where the equation holds, and no S beside it', () => {
    const small = smallOrderEncodings()[0]!;
    const job = { publicKey: small, message: ZCASH, signature: new Uint8Array(64) };
    // R = -B, whose encoding differs from B's in the sign bit.
    job.signature.fill(0x66, 0, 32);
    job.signature[0] = 0x58;
    job.signature[31] = 0xe6;
    expect(door.verifyOne(withS(job, L - 1n))).toBe(true);
    expect(door.verifyOne(withS(job, L - 2n))).toBe(false);
    expect(door.verifyOne(withS(job, L))).toBe(false);
  });

  it('refuses a key or R that is no point, wherever it stands', () => {
    const random = new SeededRandom('no point');
    const good = goodJobs(random, 3);
    // y = 2 is no point's; nor is 2 + p, its other spelling.
    for (const y of [2n, 2n + P]) {
      const noPoint = littleEndian(y);
      const signature = good[1]!.signature.slice();
      signature.set(noPoint);
      const bad = [
        { ...good[0]!, publicKey: noPoint },
        { ...good[1]!, signature },
      ];
      expect(bad.map((job) => door.verifyOne(job))).toEqual([false, false]);
      expect(Array.from(door.verifyBatch([bad[0]!, good[2]!, bad[1]!, good[0]!, bad[0]!]))).toEqual([
        0, 1, 0, 1, 0,
      ]);
    }
  });
});
