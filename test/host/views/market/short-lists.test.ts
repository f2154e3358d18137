import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GramSets } from '../../../../host/views/market/gram-sets.ts';
import { FEW, ShortLists } from '../../../../host/views/market/short-lists.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('has the rows of each key, whatever was added and removed in between', () => {
  const key = fc.oneof(fc.nat(20), fc.nat(5000), fc.integer({ min: -300, max: -1 }));
  const step = fc.record({ key, row: fc.nat(40), isAdded: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 800 }), fc.nat(), (steps, seed) => {
      const lists = new ShortLists(seed);
      const model = new Map<number, Set<number>>();
      for (const { key, row, isAdded } of steps) {
        const rows = model.get(key) ?? new Set();
        model.set(key, rows);
        if (!isAdded) {
          lists.remove(key, row);
          rows.delete(row);
        } else if (lists.add(key, row)) rows.add(row);
        else expect([rows.size, rows.has(row)]).toEqual([FEW, false]);
      }
      for (const [key, rows] of model) expect(lists.of(key).sort()).toEqual([...rows].sort());
      expect(lists.size).toBe([...model.values()].filter(({ size }) => size > 0).length);
      for (const key of model.keys()) lists.take(key);
      expect(lists.size).toBe(0);
    }),
  );
});

it('a pair of characters is found in few documents and in many, while it comes and goes', () => {
  const grams = new GramSets(7);
  for (const rows of [3, FEW, FEW + 1, 3 * FEW]) {
    for (let row = 0; row < rows; row++) grams.add(row, 'xyxy');
    expect([grams.rowsWith('xy').count, grams.rowsWith('x').count, grams.rowsWith('xx').count]).toEqual([
      rows,
      rows,
      0,
    ]);
    for (let row = 0; row < rows; row++) grams.remove(row, 'xyxy');
    expect(grams.rowsWith('xy').count).toBe(0);
  }
});

it('a text with thousands of pairs of its own takes little memory', () => {
  const grams = new GramSets(1);
  let state = 1;
  const character = (): string => {
    state = (Math.imul(state, 0x343fd) + 0x269ec3) >>> 0;
    return String.fromCharCode(0x4e00 + ((state >>> 16) % 20_000));
  };
  const texts = Array.from({ length: 40 }, () => Array.from({ length: 5000 }, character).join(''));
  const used = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  for (const [row, text] of texts.entries()) grams.add(row, text);
  // On the heap: a set for each pair were 40 MB.
  expect(used() - before).toBeLessThan(20e6);
  expect(grams.rowsWith(texts[9]!.slice(0, 2)).has(9)).toBe(true);
});
