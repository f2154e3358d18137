import { expect, it } from 'vitest';
import { isFlat, memoryFigures } from '../../../tools/soak/memory.ts';

/** A sample a second for ten minutes; the process was started anew every minute. */
const run = (megabytes: (second: number) => number) =>
  Array.from({ length: 600 }, (_, second) => ({
    atMs: second * 1000,
    ageMs: (second % 60) * 1000,
    isRestarted: second >= 60,
    bytes: megabytes(second) * 1e6,
  }));

it('a line through the samples gives the growth; young processes do not count', () => {
  const figures = memoryFigures(run((second) => (second % 60 < 8 ? 10_000 : 200 + second / 60)))!;
  expect(figures.slopeMbPerMinute).toBeCloseTo(1, 6);
  // The first minute is that of the process on an empty folder, and no measure for the others.
  expect(figures.firstMb).toBeCloseTo(202.5, 0);
  expect(figures.lastMb).toBeCloseTo(208.5, 0);
  expect(figures.mostMb).toBeLessThan(211);
  expect(isFlat(figures)).toBe(true);
});

it('a leak is told from what a state needs', () => {
  expect(isFlat(memoryFigures(run((second) => 200 + second))!)).toBe(false);
  expect(isFlat(memoryFigures(run(() => 200))!)).toBe(true);
  expect(isFlat(memoryFigures(run((second) => (second < 60 ? 100 : 400)))!)).toBe(true);
  expect(memoryFigures(run(() => 200).slice(0, 8))).toBeUndefined();
});
