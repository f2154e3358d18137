// Lengths of frames on a socket, however the bytes are cut.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FrameGuard } from '../../../host/world/system/frame-guard.ts';

const MOST = 4 * 1024 * 1024 + 17;

const head = (length: number): Uint8Array =>
  Uint8Array.of(length & 0xff, (length >> 8) & 0xff, (length >> 16) & 0xff);

function framesOf(lengths: readonly number[]): Uint8Array {
  return Buffer.concat(lengths.flatMap((length) => [head(length), new Uint8Array(length).fill(0xff)]));
}

const opened = (): FrameGuard => {
  const guard = new FrameGuard();
  guard.isOpen = true;
  return guard;
};

/** Index of the piece that the guard refuses, -1 for none. */
function refusedAt(guard: FrameGuard, bytes: Uint8Array, cuts: readonly number[]): number {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1))), bytes.length].sort((a, b) => a - b);
  let at = 0;
  for (const [i, end] of ends.entries()) {
    if (!guard.take(bytes.subarray(at, end))) return i;
    at = end;
  }
  return -1;
}

it('takes frames within the limit and refuses one beyond it, wherever the stream is cut', () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 1024 }), { maxLength: 8 });
  fc.assert(
    fc.property(lengths, fc.array(fc.nat(), { maxLength: 12 }), fc.boolean(), (sizes, cuts, isOpen) => {
      const guard = isOpen ? opened() : new FrameGuard();
      expect(refusedAt(guard, framesOf(sizes), cuts)).toBe(-1);
      const long = isOpen ? MOST + 1 : 1025;
      expect(guard.take(head(long).subarray(0, 2))).toBe(true);
      expect(guard.take(head(long).subarray(2))).toBe(false);
    }),
    { numRuns: 300 },
  );
});

it('frames before the handshake are small, those of peers reach 4 MiB plus encryption', () => {
  expect(new FrameGuard().take(head(1024))).toBe(true);
  expect(new FrameGuard().take(head(1025))).toBe(false);
  expect(opened().take(head(MOST))).toBe(true);
  expect(opened().take(head(MOST + 1))).toBe(false);
  expect(opened().take(head(0xff_ffff))).toBe(false);
});

it('a length announced before the end of the handshake must be small', () => {
  const guard = new FrameGuard();
  expect(guard.take(framesOf([32, 48]))).toBe(true);
  guard.isOpen = true;
  expect(guard.take(framesOf([100_000]))).toBe(true);
});
