import { expect, test } from 'vitest';
import { referenceVerifyMany } from '../../../host/crypto/reference-verify.ts';
import { fromHex, toHex, utf8 } from '../../../host/wire/bytes.ts';
import { NON_CANONICAL_KEYS, SMALL_ORDER_KEYS } from '../wire/vectors.ts';

// ZIP-215's published set: each of 14 encodings of small-order points as key and as R, with S = 0.
test('the 196 edge vectors of ZIP-215 are all good', () => {
  const points = [...SMALL_ORDER_KEYS, ...NON_CANONICAL_KEYS];
  const jobs = points.flatMap((key) =>
    points.map((r) => ({
      publicKey: fromHex(key)!,
      message: utf8('Zcash'),
      signature: fromHex(r + '00'.repeat(32))!,
    })),
  );
  expect(jobs.length).toBe(196);
  expect(toHex(referenceVerifyMany(jobs))).toBe('01'.repeat(196));
});
