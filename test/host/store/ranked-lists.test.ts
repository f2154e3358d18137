import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rangeOf } from '../../../host/store/prefixes.ts';
import { RankedLists } from '../../../host/store/ranked-lists.ts';
import { WriteSet } from '../../../host/store/write-set.ts';

const LIST = '\x03list';

/** Applies changes in groups of `group`, each written before the next one. */
async function applied(
  store: MemoryStore,
  changes: [number, boolean][],
  group: number,
): Promise<RankedLists> {
  const lists = new RankedLists(store);
  for (let at = 0; at < changes.length; at += group) {
    const set = new WriteSet(store);
    for (const [n, isIn] of changes.slice(at, at + group)) lists.change(LIST, n, isIn);
    lists.flush(set);
    await store.write(set.ops());
  }
  return lists;
}

/** Each number goes in when it is out, and out when it is in. */
function toggles(numbers: readonly number[]): { changes: [number, boolean][]; members: number[] } {
  const members = new Set<number>();
  const changes = numbers.map((n): [number, boolean] => {
    const isIn = !members.delete(n);
    if (isIn) members.add(n);
    return [n, isIn];
  });
  return { changes, members: [...members].sort((a, b) => b - a) };
}

describe('ranked lists', () => {
  it('equal a sorted array under random changes, fresh from the store too', async () => {
    // Numbers near each other, over the edges of leaves and nodes, and far up.
    const number = fc.oneof(
      fc.nat(600),
      // Dense enough for bitmaps.
      fc.integer({ min: 8192, max: 8800 }),
      fc.integer({ min: 4090, max: 4100 }),
      fc.integer({ min: 1_048_570, max: 1_048_580 }),
      fc.integer({ min: 4_294_967_290, max: 4_294_967_295 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(number, { maxLength: 3000, size: 'max' }),
        fc.integer({ min: 1, max: 400 }),
        fc.nat(700),
        fc.integer({ min: 1, max: 200 }),
        async (numbers, group, offset, count) => {
          const store = new MemoryStore();
          const { changes, members } = toggles(numbers);
          for (const lists of [await applied(store, changes, group), new RankedLists(store)]) {
            expect(lists.size(LIST)).toBe(members.length);
            expect(lists.page(LIST, offset, count)).toEqual(members.slice(offset, offset + count));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('holds full leaves as bitmaps and goes back', async () => {
    const store = new MemoryStore();
    const all = Array.from({ length: 5000 }, (_, n): [number, boolean] => [n, true]);
    const none = all.map(([n]): [number, boolean] => [n, false]);
    const lists = await applied(store, all, 700);
    expect(lists.size(LIST)).toBe(5000);
    expect(lists.page(LIST, 4998, 10)).toEqual([1, 0]);
    const set = new WriteSet(store);
    for (const [n] of none.slice(0, 4900)) lists.change(LIST, n, false);
    lists.flush(set);
    await store.write(set.ops());
    expect(new RankedLists(store).page(LIST, 98, 3)).toEqual([4901, 4900]);
  });

  it('stores nothing of an empty list', async () => {
    const store = new MemoryStore();
    await applied(
      store,
      [
        [7, true],
        [9000, true],
        [9000, false],
        [7, false],
      ],
      1,
    );
    const left: unknown[] = [];
    for await (const row of store.scan(rangeOf('f'))) left.push(row);
    expect(left).toEqual([]);
  });

  it('keeps lists apart, also where one name is a prefix of the other', async () => {
    const store = new MemoryStore();
    const lists = new RankedLists(store);
    const set = new WriteSet(store);
    lists.change('a', 1, true);
    lists.change('ab', 2, true);
    lists.flush(set);
    await store.write(set.ops());
    const fresh = new RankedLists(store);
    expect([fresh.page('a', 0, 9), fresh.page('ab', 0, 9), fresh.page('abc', 0, 9)]).toEqual([[1], [2], []]);
  });

  it('refuses to put in what is in, or take out what is not', async () => {
    const store = new MemoryStore();
    const lists = await applied(store, [[5, true]], 1);
    expect(() => lists.change(LIST, 5, true)).toThrow('ranked list: ');
    expect(() => lists.change(LIST, 6, false)).toThrow('ranked list: ');
  });
});
