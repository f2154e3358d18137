// Batches through the bindings: each signature gets its own verdict, whatever else is in the batch, for repeated signers, across
// loads, past the key cache's size, and however the share of bad ones swings.

import { describe, expect, it } from 'vitest';
import { hasSimd } from '../../host/core/simd.ts';
import { openEd25519 } from '../../host/crypto/ed25519-wasm.ts';
import type { SignatureJob } from '../../host/wire/bytes.ts';
import { BUILDS } from './builds.ts';
import { goodJobs, SeededRandom, Signer } from './signatures.ts';

const random = new SeededRandom('batches');
const good = goodJobs(random, 260);

function spoil(job: SignatureJob): SignatureJob {
  const signature = job.signature.slice();
  signature[40]! ^= 4;
  return { ...job, signature };
}

/** `jobs` with the chosen ones spoilt, and the verdicts due. */
function withBad(jobs: readonly SignatureJob[], bad: ReadonlySet<number>): [SignatureJob[], number[]] {
  return [jobs.map((job, i) => (bad.has(i) ? spoil(job) : job)), jobs.map((_, i) => (bad.has(i) ? 0 : 1))];
}

function someOf(count: number, among: number): Set<number> {
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(random.below(among));
  return chosen;
}

describe.each(BUILDS)('batches, %s', (_, open) => {
  it('names exactly the bad ones, for 1 to n of them', () => {
    for (const size of [1, 2, 3, 5, 8, 17, 64]) {
      for (let bad = 0; bad <= size; bad += size > 8 ? 7 : 1) {
        // A new door each time: a remembered share of bad ones would choose another way.
        const [jobs, expected] = withBad(good.slice(0, size), someOf(bad, size));
        expect(Array.from(open().verifyBatch(jobs)), `${bad} of ${size}`).toEqual(expected);
      }
    }
  });

  it('keeps its verdicts while the share of bad ones swings', () => {
    const door = open();
    for (const percent of [0, 50, 50, 0, 0, 0, 0, 1, 10, 100, 5, 0, 2, 30, 0]) {
      const [jobs, expected] = withBad(good, someOf(Math.round((percent * good.length) / 100), good.length));
      expect(Array.from(door.verifyBatch(jobs)), `${percent} %`).toEqual(expected);
    }
  });

  it('merges repeated signers without mixing them up', () => {
    for (const [count, signers] of [
      [64, 1],
      [256, 16],
      [300, 120],
    ] as const) {
      const jobs = goodJobs(random, count, signers);
      const door = open();
      expect(Array.from(door.verifyBatch(jobs))).toEqual(jobs.map(() => 1));
      const [mixed, expected] = withBad(jobs, someOf(2, count));
      expect(Array.from(door.verifyBatch(mixed))).toEqual(expected);
    }
  });

  it('does not let two bad signatures cancel out', () => {
    // One S raised and the other lowered by the same amount: their plain sum is right.
    const [a, b] = goodJobs(random, 2, 1) as [SignatureJob, SignatureJob];
    const shift = (job: SignatureJob, by: number) => {
      const signature = job.signature.slice();
      signature[33]! += by;
      return { ...job, signature };
    };
    const pair = [shift(a, a.signature[33]! < 255 ? 1 : -1), shift(b, b.signature[33]! > 0 ? -1 : 1)];
    expect(Array.from(open().verifyBatch([...good.slice(0, 20), ...pair]))).toEqual([
      ...good.slice(0, 20).map(() => 1),
      0,
      0,
    ]);
  });

  it('takes more jobs, more keys and more bytes than one load holds', () => {
    const door = open();
    const many = Array.from({ length: 2600 }, (_unused, i) => good[i % good.length]!);
    const [jobs, expected] = withBad(many, someOf(3, many.length));
    expect(Array.from(door.verifyBatch(jobs))).toEqual(expected);
    const signer = new Signer(random.bytes(32));
    const long = Array.from({ length: 5 }, (_unused, i) => signer.sign(new Uint8Array(400_000 + i)));
    expect(Array.from(door.verifyBatch([long[0]!, spoil(long[1]!), ...long]))).toEqual([1, 0, 1, 1, 1, 1, 1]);
  });

  it('answers alike whether a key is cached, evicted or no point', () => {
    const door = open();
    const first = door.verifyBatch(good);
    // More distinct keys than the cache keeps, most of them no points: y = 2 + 2^20 i has none for half the i.
    for (let turn = 0; turn < 3; turn++) {
      const junk = Array.from({ length: 1000 }, (_unused, i) => {
        const publicKey = new Uint8Array(32);
        new DataView(publicKey.buffer).setUint32(4, 1 + i + turn * 1000, true);
        return { ...good[0]!, publicKey };
      });
      expect(door.verifyBatch(junk).every((verdict) => verdict === 0)).toBe(true);
    }
    expect(door.verifyBatch(good)).toEqual(first);
    expect(first.every((verdict) => verdict === 1)).toBe(true);
  });

  it('hashes messages of every length around the block borders', () => {
    const signer = new Signer(random.bytes(32));
    const jobs = Array.from({ length: 300 }, (_unused, length) => signer.sign(random.bytes(length)));
    expect(Array.from(open().verifyBatch(jobs))).toEqual(jobs.map(() => 1));
  });

  it('refuses wrong lengths, an empty batch is empty, and a message past 1 MiB throws', () => {
    const door = open();
    const job = good[0]!;
    const odd = [
      { ...job, publicKey: job.publicKey.subarray(1) },
      job,
      { ...job, signature: job.signature.subarray(1) },
    ];
    expect(Array.from(door.verifyBatch(odd))).toEqual([0, 1, 0]);
    expect(odd.map((each) => door.verifyOne(each))).toEqual([false, true, false]);
    expect(door.verifyBatch([])).toHaveLength(0);
    const huge = { ...job, message: new Uint8Array(1_048_577) };
    expect(() => door.verifyOne(huge)).toThrow(RangeError);
    expect(() => door.verifyBatch([job, huge])).toThrow(RangeError);
    const most = new Signer(random.bytes(32)).sign(new Uint8Array(1_048_576));
    expect(door.verifyOne(most)).toBe(true);
  });
});

it('sees that this runtime has SIMD', () => {
  expect(hasSimd()).toBe(true);
});

it('refuses a module of another ABI', () => {
  // (module (func (export "ed25519_abi_version") (result i32) i32.const 99))
  const name = Array.from(new TextEncoder().encode('ed25519_abi_version'));
  const exported = [1, name.length, ...name, 0, 0];
  const other = new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7f, 3, 2, 1, 0],
    ...[7, exported.length, ...exported],
    ...[10, 7, 1, 5, 0, 0x41, 0xe3, 0, 0x0b],
  ]);
  expect(() => openEd25519(new WebAssembly.Module(other), (count) => new Uint8Array(count))).toThrow('ABI');
});
