import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SortedIndex } from '../../../host/store/sorted-index.ts';

it('equals a sorted array under random inserts, removes and pages', () => {
  const step = fc.record({ row: fc.nat(400), insert: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 2000 }), fc.nat(300), fc.nat(60), (steps, offset, count) => {
      // Rows are ordered by a value that differs from their number, with many ties.
      const compare = (a: number, b: number): number => (b % 7) - (a % 7) || a - b;
      const index = new SortedIndex(compare);
      const model = new Set<number>();
      for (const { row, insert } of steps) {
        if (insert && !model.has(row)) {
          model.add(row);
          index.insert(row);
        } else if (!insert) {
          expect(index.remove(row)).toBe(model.delete(row));
        }
      }
      const sorted = [...model].sort(compare);
      expect(index.size).toBe(sorted.length);
      expect(index.slice(offset, count)).toEqual(sorted.slice(offset, offset + count));
      const filled = new SortedIndex(compare);
      filled.fillSorted(sorted);
      expect(filled.slice(0, filled.size)).toEqual(sorted);
    }),
    { numRuns: 60 },
  );
});

it('splits and joins chunks far beyond one', () => {
  const index = new SortedIndex((a, b) => a - b);
  for (let i = 0; i < 5000; i++) index.insert((i * 7919) % 5000);
  expect(index.slice(2500, 3)).toEqual([2500, 2501, 2502]);
  for (let i = 0; i < 5000; i += 2) expect(index.remove(i)).toBe(true);
  expect(index.size).toBe(2500);
  expect(index.slice(0, 4)).toEqual([1, 3, 5, 7]);
  for (let i = 1; i < 5000; i += 2) index.remove(i);
  expect(index.slice(0, 1)).toEqual([]);
  index.insert(3);
  expect(index.slice(0, 2)).toEqual([3]);
});
