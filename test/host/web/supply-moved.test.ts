// What moved between the parts of the supply: of one supply, what shrank and what grew are the same.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SupplyParts, Trend } from '../../../host/client/index.ts';
import { beforeOf, moved, PART_NAMES } from '../../../host/web/data/supply.ts';

const SUPPLY = 10 ** 15;
/** A supply that is cut into its parts at these places. */
const cutAt = (places: readonly number[]): SupplyParts => {
  const ends = [...places].sort((a, b) => a - b);
  const all = [0, ...ends, SUPPLY];
  return Object.fromEntries(
    PART_NAMES.map((part, i) => [part, all[i + 1]! - all[i]!]),
  ) as unknown as SupplyParts;
};
const supply = fc
  .array(fc.integer({ min: 0, max: SUPPLY }), {
    minLength: PART_NAMES.length - 1,
    maxLength: PART_NAMES.length - 1,
  })
  .map(cutAt);

it('has the same on both sides, largest first', () => {
  fc.assert(
    fc.property(supply, supply, (before, now) => {
      const { from, to } = moved(before, now);
      const sum = (of: typeof from): bigint => of.reduce((all, { amount }) => all + amount, 0n);
      expect(sum(from)).toBe(sum(to));
      for (const side of [from, to])
        for (const [i, { amount }] of side.entries()) {
          expect(amount > 0n).toBe(true);
          if (i > 0) expect(amount <= side[i - 1]!.amount).toBe(true);
        }
    }),
  );
  const same = cutAt(PART_NAMES.slice(1).map((_, i) => i));
  expect(moved(same, same)).toEqual({ from: [], to: [] });
});

it('compares with the oldest record that has every part, and with none where only that of now has', () => {
  const whole = Object.fromEntries(PART_NAMES.map((part) => [part, 1]));
  const { held: _, ...old } = whole;
  const trend = (...parts: object[]): Trend =>
    ({ step_seconds: 60, samples: parts.map((of, i) => ({ time: i * 60, parts: of })) }) as unknown as Trend;
  expect(beforeOf(trend(old, whole, whole), 'hour')).toEqual({ parts: whole, time: 120, span: 'hour' });
  expect(beforeOf(trend(old, whole), 'day')).toBeUndefined();
  expect(beforeOf(trend(), 'day')).toBeUndefined();
});
