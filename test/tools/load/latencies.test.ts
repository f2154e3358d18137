import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Latencies } from '../../../tools/load/latencies.ts';

describe('latencies', () => {
  it('gives quantiles within 1.6 percent of the exact ones', () => {
    const values = fc.array(fc.integer({ min: 0, max: 60_000_000 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(values, fc.double({ min: 0.01, max: 1, noNaN: true }), (us, q) => {
        const found = new Latencies();
        for (const value of us) found.record(value / 1000);
        const sorted = [...us].sort((a, b) => a - b);
        const exact = sorted[Math.max(1, Math.ceil(q * us.length)) - 1]! / 1000;
        expect(Math.abs(found.quantileMs(q) - exact)).toBeLessThanOrEqual(exact * 0.016 + 1e-9);
      }),
    );
  });

  it('are exact to the microsecond when short', () => {
    const found = new Latencies();
    for (let us = 0; us < 128; us++) found.record(us / 1000);
    expect(found.medianMs).toBeCloseTo(0.063, 9);
    expect(found.quantileMs(1)).toBeCloseTo(0.127, 9);
  });

  it('merge as if recorded in one place', () => {
    const [a, b, all] = [new Latencies(), new Latencies(), new Latencies()];
    for (let i = 0; i < 1000; i++) {
      (i % 3 === 0 ? a : b).record(i / 7);
      all.record(i / 7);
    }
    a.merge(b);
    expect(a.count).toBe(1000);
    for (const q of [0.01, 0.5, 0.99]) expect(a.quantileMs(q)).toBe(all.quantileMs(q));
  });

  it('have no quantile without values', () => {
    expect(new Latencies().p99Ms).toBeNaN();
  });
});
