import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAmount, formatTokens, parseAmount } from '../../../host/cli/amount.ts';

describe('amounts', () => {
  it.each([
    ['0', 0],
    ['2500000', 2_500_000],
    ['2.5t', 2_500_000],
    ['1000t', 1_000_000_000],
    ['0.000001t', 1],
    ['12.345678t', 12_345_678],
    ['1000000000t', 1e15],
    ['1000000000000000', 1e15],
  ])('%s', (text, micro) => expect(parseAmount(text, '--amount')).toBe(micro));

  it.each([
    '',
    't',
    '.5t',
    '1.t',
    '1.1234567t',
    '-1',
    '1e3',
    '1,5t',
    '1.5',
    '1 t',
    '1T',
    '1000000001t',
    '1000000000000001',
    '0x1',
  ])('refuses "%s"', (text) => expect(() => parseAmount(text, '--amount')).toThrow(/--amount/));

  it('are printed in a form that can be typed', () => {
    expect(formatTokens(2_500_000)).toBe('2.5t');
    expect(formatTokens(1)).toBe('0.000001t');
    expect(formatTokens(0)).toBe('0t');
    expect(formatAmount(12_345_678)).toBe('12345678 (12.345678t)');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e15 }), (micro) => {
        expect(parseAmount(formatTokens(micro), 'x')).toBe(micro);
        expect(parseAmount(String(micro), 'x')).toBe(micro);
      }),
    );
  });
});
