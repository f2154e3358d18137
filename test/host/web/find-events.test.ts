// Events by time in lists of any length: all of a time, nothing else, in few reads.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventRow } from '../../../host/client/index.ts';
import { eventsWithin, type ReadPage } from '../../../host/web/data/find-events.ts';

/** `times`: newest first. */
function listOf(times: readonly number[]): { read: ReadPage; reads: () => number } {
  const rows = times.map((timestamp, i) => ({ timestamp, seq: times.length - i }) as unknown as EventRow);
  let reads = 0;
  const read: ReadPage = async (page, size) => {
    reads++;
    return { rows: rows.slice((page - 1) * size, page * size), total: rows.length };
  };
  return { read, reads: () => reads };
}

it('are found, wherever in the list they are', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(3000), { maxLength: 2000, size: 'max' }),
      fc.nat(3000),
      fc.nat(20),
      async (some, from, length) => {
        const times = [...some].sort((a, b) => b - a);
        const { read, reads } = listOf(times);
        const found = (await eventsWithin(read, from, from + length)).map(({ timestamp }) => timestamp);
        expect(found).toEqual(times.filter((time) => time >= from && time <= from + length));
        expect(reads()).toBeLessThanOrEqual(9);
      },
    ),
  );
});

it('of a long time are its newest, no more than three pages', async () => {
  const { read, reads } = listOf(Array.from({ length: 5000 }, () => 7));
  expect(await eventsWithin(read, 7, 7)).toHaveLength(300);
  expect(reads()).toBe(3);
});
