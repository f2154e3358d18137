import { describe, expect, it } from 'vitest';
import { DemoFault, Report, tokens } from '../../tools/demo-report.ts';

describe('the demo report', () => {
  it('writes micro-units as tokens to the last digit', () => {
    expect(tokens(12_345_678)).toBe('12.345678');
    expect(tokens(0)).toBe('0.000000');
    expect(tokens(1)).toBe('0.000001');
    expect(tokens(-1_500_000)).toBe('-1.500000');
    expect(tokens(1e15)).toBe('1,000,000,000.000000');
  });

  it('stops at a figure that is off by one micro-unit, naming both', () => {
    const lines: string[] = [];
    const report = new Report((line) => lines.push(line));
    report.checked('fee', 12_345, 12_345);
    expect(() => report.checked('fee', 12_346, 12_345)).toThrow(DemoFault);
    expect(() => report.checked('fee', 12_346, 12_345)).toThrow(/12346 .* 12345 .*off by 1\)/);
    expect(() => report.expect('status', 'pending', 'settled')).toThrow(DemoFault);
    expect(report.checkCount).toBe(1);
    expect(lines).toHaveLength(1);
  });

  it('aligns its figures', () => {
    const lines: string[] = [];
    const report = new Report((line) => lines.push(line));
    report.figure('a', 1);
    report.figure('longer label', 1e15);
    expect(lines[0]?.length).toBe(lines[1]?.length);
  });
});
