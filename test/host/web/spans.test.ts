// Spans of a chart over time: everything is in one of them, none is missing between, and they are few.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_SPANS, spanLength, spansOf } from '../../../host/web/chart/spans.ts';

const time = fc.nat(2_000_000_000);

it('hold each thing once, in its time, and are of one length without gaps', () => {
  fc.assert(
    fc.property(fc.array(time, { maxLength: 60 }), fc.array(time, { maxLength: 2 }), (times, ends) => {
      const { length, spans } = spansOf(times, (one) => one, ends);
      expect(spans.length).toBeLessThanOrEqual(MAX_SPANS);
      expect(spans.flatMap(({ of }) => of).sort()).toEqual([...times].sort());
      for (const [i, { from, of }] of spans.entries()) {
        if (i > 0) expect(from).toBe(spans[i - 1]!.from + length);
        for (const one of of) expect(one >= from && one < from + length).toBe(true);
      }
      for (const end of ends) expect(end).toBeLessThan(spans.at(-1)!.from + length);
    }),
  );
});

it.each([
  [0, 60],
  [40 * 60, 60],
  [3600, 300],
  [86_400, 3600],
  [30 * 86_400, 86_400],
  [300 * 86_400, 7 * 86_400],
  [20 * 365 * 86_400, 6 * 28 * 86_400],
])('over %d seconds are %d seconds long', (whole, length) => {
  const from = 28 * 86_400 * 600;
  expect(spanLength(from, from + whole)).toBe(length);
});

it('of nothing are none', () => {
  expect(spansOf([], () => 0).spans).toEqual([]);
});
