// The seal before an epoch is found by halving, in few reads, also where the node has dropped the beginning.

import { expect, it } from 'vitest';
import { epochsOf, firstOf } from '../../../host/web/dag/seal-search.ts';

/** Epochs of 1,000 order numbers; nothing below `kept`. */
function log(last: number, kept = 1) {
  let reads = 0;
  const epochAt = async (order: number): Promise<number | undefined> => {
    reads++;
    return order < kept || order > last ? undefined : Math.floor((order - 1) / 1000);
  };
  return { epochAt, reads: () => reads };
}

it('finds the first of an epoch', async () => {
  const { epochAt, reads } = log(1_000_000);
  expect(await firstOf(epochAt, 3, 1, 1_000_000)).toBe(3001);
  expect(await firstOf(epochAt, 0, 1, 1_000_000)).toBe(1);
  expect(await firstOf(epochAt, 999, 1, 1_000_000)).toBe(999_001);
  expect(reads()).toBeLessThan(70);
});

it('finds none that is not there yet, and what is left of a log whose beginning was dropped', async () => {
  expect(await firstOf(log(5000).epochAt, 5, 1, 5000)).toBeUndefined();
  expect(await firstOf(log(5000, 2500).epochAt, 1, 1, 5000)).toBe(2500);
});

it('names the epochs of a section', () => {
  expect(epochsOf([{ epoch: 4 }, { epoch: 3 }, { epoch: 4 }])).toEqual([3, 4]);
});
