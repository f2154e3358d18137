// How many rows of a page are read: bounded by what they hold, not by how many there are.

import { expect, it } from 'vitest';
import { firstRows } from '../../../host/store/first-rows.ts';

const keys = Array.from({ length: 200 }, (_, i) => Uint8Array.of(i));

/** Reads rows of these lengths; counts what was read. */
function read(lengthOf: (i: number) => number) {
  const count = { rows: 0, bytes: 0 };
  const rows = firstRows(keys, (some) =>
    some.map(([i]) => {
      count.rows += 1;
      count.bytes += lengthOf(i!);
      return new Uint8Array(lengthOf(i!));
    }),
  );
  return { ...count, got: rows.length };
}

it('short rows are read all', () => {
  expect(read(() => 5_000)).toMatchObject({ rows: 200, got: 200 });
});

it.each([
  [48_000, 21],
  [65_536, 16],
  [600_000, 1],
  [3_000_000, 1],
])('of rows of %i bytes %i are taken, and little more is read', (bytes, got) => {
  const found = read(() => bytes);
  expect(found.got).toBe(got);
  expect(found.rows).toBeLessThanOrEqual(16 * Math.ceil((got + 1) / 16));
});

it('a long row behind short ones is left for the next page', () => {
  expect(read((i) => (i < 50 ? 100 : 2_000_000)).got).toBe(50);
});

it('rows that are missing count nothing and keep their place', () => {
  expect(firstRows(keys, (some) => some.map(() => undefined))).toHaveLength(200);
});
