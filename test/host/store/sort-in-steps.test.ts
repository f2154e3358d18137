// Sorting in steps against Array.sort, which is stable.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortInSteps } from '../../../host/store/sort-in-steps.ts';
import { finished } from '../views/finished.ts';

it('equals a stable sort, for any number of rows, ties and runs', () => {
  const lengths = fc.oneof(
    fc.nat(20),
    fc.integer({ min: 500, max: 1100 }),
    fc.integer({ min: 2000, max: 9000 }),
  );
  const spread = fc.constantFrom(1, 2, 50, 100_000);
  fc.assert(
    fc.property(lengths, spread, fc.nat(1000), fc.boolean(), (length, values, factor, isRising) => {
      const value = (row: number): number => (isRising ? row : (row * (2 * factor + 1)) % values);
      const rows = Array.from({ length }, (_, i) => (i * 7919) % 10_007);
      const compare = (a: number, b: number): number => value(a) - value(b);
      const sorted = Uint32Array.from(rows);
      finished(sortInSteps(sorted, compare));
      expect([...sorted]).toEqual([...rows].sort(compare));
    }),
    { numRuns: 120 },
  );
});

it('takes many short steps', () => {
  let compared = 0;
  let most = 0;
  const rows = Uint32Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 100_003);
  const steps = sortInSteps(rows, (a, b) => {
    compared += 1;
    return a - b;
  });
  let before = 0;
  for (const _ of steps) {
    most = Math.max(most, compared - before);
    before = compared;
  }
  expect(most).toBeLessThan(200_000);
  expect([rows[0], rows[50_000], rows[99_999]]).toEqual([0, expect.any(Number), 100_002]);
  expect(rows.every((row, i) => i === 0 || rows[i - 1]! < row)).toBe(true);
});
