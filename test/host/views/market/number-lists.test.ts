import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NumberLists } from '../../../../host/views/market/number-lists.ts';
import { Relation } from '../../../../host/views/market/relation.ts';

const KEYS = 6;
const key = fc.nat(KEYS - 1);

it('equal arrays under random opens, pushes, pops and clears', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('open' as const), key, count: fc.nat(70) }),
    fc.record({ do: fc.constant('push' as const), key, count: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ do: fc.constant('pop' as const), key, count: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ do: fc.constant('clear' as const), key, count: fc.constant(0) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const lists = new NumberLists();
      const model = Array.from({ length: KEYS }, (): number[] => []);
      let next = 1;
      for (const { do: what, key, count } of steps) {
        const list = model[key]!;
        if (what === 'open' && list.length === 0) {
          lists.open(key, count);
          for (let i = 0; i < count; i++) {
            list.push(next);
            lists.set(key, i, next++);
          }
        } else if (what === 'push') {
          for (let i = 0; i < count; i++) {
            expect(lists.push(key, next)).toBe(list.length);
            list.push(next++);
          }
        } else if (what === 'pop') {
          for (let i = 0; i < count && list.length > 0; i++) expect(lists.pop(key)).toBe(list.pop());
        } else if (what === 'clear') {
          lists.clear(key);
          list.length = 0;
        }
        for (const [k, expected] of model.entries()) expect([...lists.of(k)]).toEqual(expected);
      }
    }),
  );
});

it('a relation maps rows to terms and terms to rows under random changes', () => {
  const terms = fc.uniqueArray(fc.nat(12), { maxLength: 10 });
  fc.assert(
    fc.property(fc.array(fc.record({ row: fc.nat(8), terms }), { maxLength: 60 }), (steps) => {
      const relation = new Relation();
      const model = new Map<number, number[]>();
      const rowsOf = (term: number): number[] =>
        [...model].filter(([, held]) => held.includes(term)).map(([row]) => row);
      for (const { row, terms } of steps) {
        const before = model.get(row);
        if (before) {
          model.delete(row);
          const gone = before.filter((term) => rowsOf(term).length === 0);
          expect(relation.remove(row).sort((a, b) => a - b)).toEqual(gone.sort((a, b) => a - b));
        } else {
          model.set(
            row,
            [...terms].sort((a, b) => a - b),
          );
          relation.add(row, Uint32Array.from(terms));
        }
        for (let r = 0; r <= 8; r++) expect([...relation.termsOf(r)]).toEqual(model.get(r) ?? []);
        for (let t = 0; t <= 12; t++) {
          expect([...relation.rowsOf(t)].sort((a, b) => a - b)).toEqual(rowsOf(t).sort((a, b) => a - b));
        }
      }
    }),
  );
});
