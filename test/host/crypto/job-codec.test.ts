import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packJobs, unpackJobs } from '../../../host/crypto/job-codec.ts';

const bytes = (n: number) => fc.uint8Array({ minLength: n, maxLength: n });
const job = fc.record({
  publicKey: bytes(32),
  signature: bytes(64),
  message: fc.uint8Array({ maxLength: 200 }),
});

test('jobs come back as they went', () => {
  fc.assert(
    fc.property(fc.array(job), (jobs) => {
      const packed = packJobs(jobs);
      expect(unpackJobs(packed)).toEqual(jobs);
      expect(packed.byteLength).toBe(packed.buffer.byteLength); // its own buffer, so it can be transferred
    }),
  );
});

test('a cut or prolonged buffer is a fault of the program', () => {
  const packed = packJobs([
    { publicKey: new Uint8Array(32), signature: new Uint8Array(64), message: new Uint8Array(5) },
  ]);
  expect(() => unpackJobs(packed.subarray(1))).toThrow();
  expect(() => unpackJobs(packed.subarray(0, -1))).toThrow();
  expect(() => unpackJobs(Buffer.concat([packed, Buffer.alloc(1)]))).toThrow();
});
