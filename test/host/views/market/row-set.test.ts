import { expect, it } from 'vitest';
import { RowSet } from '../../../../host/views/market/row-set.ts';
import { SeededRandom } from '../../../../tools/load/seeded-random.ts';

const rowsOf = (set: RowSet): number[] => {
  const rows: number[] = [];
  set.forEach((row) => {
    rows.push(row);
  });
  return rows.sort((a, b) => a - b);
};

// Far more rows than a set that becomes bits needs, and an index so large that all stay few.
it.each([100, 20_000, 10_000_000])('holds what was added and not removed, of %i rows', (rowsEnd) => {
  const random = new SeededRandom(rowsEnd);
  const set = new RowSet(rowsEnd);
  const model = new Set<number>();
  for (let step = 0; step < 2000; step++) {
    const row = random.below(rowsEnd);
    if (random.below(4) === 0) {
      const gone = model.size > 0 && random.below(2) === 0 ? random.pick([...model]) : row;
      set.remove(gone);
      model.delete(gone);
    } else {
      set.add(row);
      model.add(row);
    }
    expect(set.has(row)).toBe(model.has(row));
  }
  expect(set.count).toBe(model.size);
  expect(rowsOf(set)).toEqual([...model].sort((a, b) => a - b));
});

it.each([10, 5000])('adds a part of a list of %i', (count) => {
  const list = Uint32Array.from({ length: count }, (_, i) => (i * 7919) % 100_000);
  const set = new RowSet(100_000);
  set.add(99_999);
  set.addAll(list, 2, count - 1);
  expect(rowsOf(set)).toEqual([...list.slice(2, count - 1), 99_999].sort((a, b) => a - b));
});

it('accepts rows beyond its initial capacity', () => {
  const set = new RowSet(10);
  for (let row = 0; row < 3000; row += 3) set.add(row);
  expect(set.count).toBe(1000);
  expect([set.has(2997), set.has(2998), set.has(1_000_000)]).toEqual([true, false, false]);
});
