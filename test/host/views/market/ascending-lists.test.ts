import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AscendingLists } from '../../../../host/views/market/ascending-lists.ts';

it('gives back what was appended, for lists that grow at the same time', () => {
  const distance = fc.oneof(
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 120, max: 140 }),
    fc.integer({ min: 1, max: 3_000_000 }),
  );
  const step = fc.record({ list: fc.nat(4), distance, times: fc.oneof(fc.constant(1), fc.nat(900)) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const lists = new AscendingLists();
      const model = Array.from({ length: 5 }, (): number[] => []);
      for (const { list, distance, times } of steps) {
        for (let i = 0; i < times; i++) {
          const next = (model[list]!.at(-1) ?? -1) + distance;
          if (next >= 2 ** 31) break;
          lists.push(list, next);
          model[list]!.push(next);
        }
      }
      for (const [list, numbers] of model.entries()) {
        expect(lists.count(list)).toBe(numbers.length);
        expect(Array.from(lists.of(list))).toEqual(numbers);
      }
    }),
  );
});

it('holds a million numbers over many pages', () => {
  const lists = new AscendingLists();
  for (let number = 0; number < 1_000_000; number++) lists.push(number % 3, 2 * number);
  const expected = Array.from({ length: 1_000_000 }, (_, number) => number).filter((n) => n % 3 === 1);
  expect(Array.from(lists.of(1))).toEqual(expected.map((number) => 2 * number));
  expect(Array.from(lists.of(7))).toEqual([]);
});
