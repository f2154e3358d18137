// Which seats lead nothing in the next epoch (consensus 5.11, "Late seats").

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markLate } from '../../../host/ordering/seats.ts';
import { leadersOfRound } from '../../../host/wire/block.ts';
import { lateSeats } from '../../model/consensus/late.ts';

const KEY = new Uint8Array(32);
const tableOf = (weights: readonly (number | bigint)[]) =>
  weights.map((weight) => ({ key: KEY, weight: BigInt(weight) }));

/** Seats that are late, by number. */
function late(
  weights: readonly (number | bigint)[],
  timely: readonly number[],
  minParticipants = 1,
): number[] {
  const table = markLate(tableOf(weights), minParticipants, timely);
  return table.flatMap(({ isLate }, seat) => (isLate ? [seat] : []));
}

const EQUAL_4 = [9, 9, 9, 9];
const EQUAL_10 = Array<number>(10).fill(9);

describe('late seats', () => {
  it('are those that came in time in less than three quarters of the rounds of the timeliest', () => {
    expect(late(EQUAL_4, [100, 75, 74, 100])).toEqual([2]);
    expect(late(EQUAL_4, [75, 75, 75, 100])).toEqual([]);
    expect(late(EQUAL_10, [100, 99, 98, 97, 2, 96, 95, 94, 40, 0])).toEqual([4, 8, 9]);
  });

  it('are none where nothing was in time, as after an epoch without rounds', () => {
    expect(late(EQUAL_10, Array<number>(10).fill(0))).toEqual([]);
  });

  it('are never so many that the others are no quorum: the timeliest of the rest lead, then the lowest number', () => {
    expect(late(EQUAL_4, [100, 1, 2, 3])).toEqual([1]);
    expect(late(EQUAL_4, [5, 5, 5, 100])).toEqual([2]);
    expect(late(EQUAL_10, [100, 9, 0, 1, 2, 3, 4, 5, 6, 7])).toEqual([2, 3, 4]);
    // By weight, not by heads.
    expect(late([10, 10, 10, 70], [100, 99, 98, 0])).toEqual([]);
    expect(late([10, 10, 10, 70], [0, 0, 0, 100])).toEqual([0, 1, 2]);
    // And min_participants of them.
    expect(late([10, 10, 10, 70], [0, 0, 0, 100], 3)).toEqual([2]);
  });

  it('have weight: what a seat without did counts for nothing, and it is not marked', () => {
    expect(late([9, 0, 9, 9, 9], [50, 100, 50, 50, 50])).toEqual([]);
    expect(late([9, 0, 9, 9, 9], [100, 0, 100, 100, 1])).toEqual([4]);
  });

  it('are as the text says for any weights and counts, and leave a quorum and a leader for each slot', () => {
    const seat = fc.record({
      weight: fc.oneof(fc.constant(0n), fc.constant(10n), fc.bigInt(1n, 10n ** 14n)),
      timely: fc.oneof(fc.nat(8), fc.nat(100_000)),
    });
    const table = fc
      .array(seat, { minLength: 1, maxLength: 10 })
      .filter((all) => all.some((s) => s.weight > 0n));
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 4 }), (seats, most) => {
        const weights = seats.map(({ weight }) => weight);
        const timely = seats.map((s) => s.timely);
        const voters = weights.filter((weight) => weight > 0n).length;
        const minParticipants = Math.min(most, voters);
        const found = late(weights, timely, minParticipants);
        expect(found).toEqual([...lateSeats(weights, minParticipants, timely)].sort((a, b) => a - b));
        const sum = (of: readonly bigint[]): bigint => of.reduce((all, weight) => all + weight, 0n);
        const leading = weights.filter((weight, i) => weight > 0n && !found.includes(i));
        expect(1000n * sum(leading) >= 667n * sum(weights)).toBe(true);
        const marked = markLate(tableOf(weights), minParticipants, timely);
        expect(leadersOfRound(marked, minParticipants)).toBeLessThanOrEqual(leading.length);
      }),
      { numRuns: 400 },
    );
  });
});
