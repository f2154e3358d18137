// Which seats make their witness of a round before there is work in it (consensus 5.13 e).

import { describe, expect, test } from 'vitest';
import { type RoundView, seatsAhead, Writers } from '../../../host/ordering/ahead.ts';

const ROUND = 9;

/** Seats of these weights, of which some lead, present as far as not said otherwise. */
function view(
  weights: readonly number[],
  leaders: readonly number[],
  changes: Partial<RoundView> = {},
): RoundView {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    seats: weights.flatMap((weight, seat) => (weight > 0 ? [seat] : [])),
    isQuorum: (seats) => 1000 * seats.reduce((sum, seat) => sum + weights[seat]!, 0) >= 667 * total,
    leadersOf: (round) => (round === ROUND ? leaders : []),
    newestRound: () => ROUND - 1,
    nextWriter: () => undefined,
    ...changes,
  };
}
const equal = (count: number): number[] => new Array<number>(count).fill(1);

describe('the seats that go ahead', () => {
  test.each([
    ['those that do not lead, then the last leader', equal(4), [2, 0, 3], [1, 3]],
    ['two of three', equal(3), [0, 2], [1, 2]],
    ['four of seven', equal(7), [4, 1, 0, 6, 2], [3, 5, 2, 6]],
    [
      'no quorum by weight: a heavy one that does not lead leaves room for a light one',
      [40, 30, 20, 10],
      [1, 2, 3],
      [0, 3],
    ],
    ['none of no weight', [1, 1, 1, 1, 0], [0, 1, 2], [3, 2]],
  ])('%s', (_, weights, leaders, ahead) => {
    expect(seatsAhead(view(weights, leaders), ROUND)).toEqual(ahead);
  });

  test('are no quorum, and one with any other seat, whatever the weights', () => {
    for (const weights of [
      equal(2),
      equal(5),
      equal(6),
      [5, 1, 1, 1],
      [3, 3, 2, 2, 1],
      [9, 8, 7, 6, 5, 4, 3],
    ]) {
      const one = view(weights, [1, 0]);
      const ahead = seatsAhead(one, ROUND);
      expect(one.isQuorum(ahead)).toBe(false);
      for (const seat of one.seats)
        if (!ahead.includes(seat)) expect(one.isQuorum([...ahead, seat])).toBe(true);
    }
  });

  test('are the likely next writer last: its write completes the round', () => {
    expect(seatsAhead(view(equal(4), [2, 0, 3], { nextWriter: () => 3 }), ROUND)).toEqual([1, 0]);
    // One that does not lead is not waited with: its write is final no earlier.
    expect(seatsAhead(view(equal(4), [2, 0, 1], { nextWriter: () => 3 }), ROUND)).toEqual([3, 1]);
  });

  test('are present: one three rounds below, or without a vertex that may be built on, is not', () => {
    const newestRound = (seat: number): number | undefined =>
      [ROUND - 1, ROUND - 3, ROUND - 2, undefined][seat];
    expect(seatsAhead(view(equal(4), [2, 0, 3], { newestRound }), ROUND)).toEqual([0, 2]);
  });

  test('are none in a new epoch, in a network of more than seven, and where one seat is a quorum alone', () => {
    expect(seatsAhead(view(equal(4), [2, 0, 3], { newestRound: () => undefined }), ROUND)).toEqual([]);
    expect(seatsAhead(view(equal(8), [4, 1, 0, 6, 2]), ROUND)).toEqual([]);
    expect(seatsAhead(view([70, 10, 10, 10], [1]), ROUND)).toEqual([]);
  });
});

test.each([
  ['nobody, while nothing was ordered', [], undefined],
  ['the first one itself', [2], 2],
  ['the same, where a client stays', [1, 3, 3, 3], 3],
  ['the next one, where clients are spread in turn', [0, 1, 2, 3, 0, 1, 2, 3, 0, 1], 2],
  ['who followed the last one most often', [0, 1, 0, 2, 0, 1, 3, 0], 1],
  ['the latest of equals', [0, 1, 0, 2, 3, 0], 2],
  ['itself, where nobody has followed it', [0, 0, 0, 1], 1],
  ['by the newest sixteen', [...[5, 6, 5, 6, 5, 6], ...new Array<number>(13).fill(1), 5, 4, 5], 4],
])('the next writer is %s', (_, seats, next) => {
  const writers = new Writers();
  for (const seat of seats) writers.note(seat);
  expect(writers.next).toBe(next);
});
