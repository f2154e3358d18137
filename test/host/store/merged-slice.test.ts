import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergedSlice } from '../../../host/store/merged-slice.ts';
import { SortedIndex } from '../../../host/store/sorted-index.ts';

const compare = (a: number, b: number): number => (b % 7) - (a % 7) || a - b;

/** Lists of the rows that are drawn for each. */
function listsOf(owners: readonly number[], count: number): SortedIndex[] {
  const lists = Array.from({ length: count }, () => new SortedIndex(compare));
  for (const [row, owner] of owners.entries()) lists[owner % count]!.insert(row);
  return lists;
}

it('equals a slice of all rows in order', () => {
  const drawn = fc.array(fc.nat(7), { maxLength: 3000 });
  fc.assert(
    fc.property(
      drawn,
      fc.integer({ min: 1, max: 5 }),
      fc.nat(3100),
      fc.nat(60),
      (owners, count, offset, rows) => {
        const sorted = owners.map((_, row) => row).sort(compare);
        const found = mergedSlice(listsOf(owners, count), compare, offset, rows);
        expect(found).toEqual(sorted.slice(offset, offset + rows));
      },
    ),
    { numRuns: 200 },
  );
});

it('reads lists of many chunks from any rank on, and leaves them as they were', () => {
  // One in fifty rows is of the second list, as few disputes are among many transfers; a third is empty.
  const lists = listsOf(
    Array.from({ length: 20_000 }, (_, row) => (row % 50 === 0 ? 1 : 0)),
    3,
  );
  const sorted = Array.from({ length: 20_000 }, (_, row) => row).sort(compare);
  for (let offset = 0; offset <= 20_000; offset += 997) {
    expect(mergedSlice(lists, compare, offset, 100)).toEqual(sorted.slice(offset, offset + 100));
  }
  expect(mergedSlice([], compare, 0, 10)).toEqual([]);
});
