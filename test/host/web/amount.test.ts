// Amounts on the page: exact both ways, up to the limits of the network.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatCount, formatMicro, formatWhole, parseTokens } from '../../../host/web/text/amount.ts';

it.each([
  [0, '0.00'],
  [1, '0.000001'],
  [10_000, '0.01'],
  [1_234_500_000, '1,234.50'],
  [12_345_678, '12.345678'],
  [1_000_000_000_000_000, '1,000,000,000.00'],
  [9_007_199_254_740_991, '9,007,199,254.740991'],
  [-2_500_000, '−2.50'],
  [2n ** 64n - 1n, '18,446,744,073,709.551615'],
])('%s micro-units are %s tokens', (micro, text) => {
  expect(formatMicro(micro)).toBe(text);
});

it('whole tokens are truncated, never rounded up', () => {
  expect(formatWhole(1_999_999_999)).toBe('1,999');
  expect(formatCount(1_234_567)).toBe('1,234,567');
});

it.each(['', '.', '0', '0.000000', '-1', '1e3', '1.2345678', '1,2.5x', 'NaN', '1000000000.000001', '12 5'])(
  '"%s" is not an amount that can be sent',
  (text) => {
    expect(parseTokens(text)).toBeUndefined();
  },
);

it.each(['12,5', '2,50', '1,0000', ',5', '1,', '1,23,456', '1000,000', '0,001', '1.000,5', '1,000.000,5'])(
  'a comma that groups no thousands is not left out: "%s"',
  (text) => {
    expect(parseTokens(text)).toBeUndefined();
  },
);

it('an amount as shown can be typed and means the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_000_000_000 }), (micro) => {
      expect(parseTokens(formatMicro(micro))).toBe(micro);
    }),
  );
  expect(parseTokens(' .5 ')).toBe(500_000);
  expect(parseTokens('7.')).toBe(7_000_000);
});
