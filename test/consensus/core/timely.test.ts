// How often each seat was in time (consensus 5.11, "Late seats"), and who leads where some are late (5.4); the oracle beside
// the core.

import { describe, expect, test } from 'vitest';
import { denseRounds, EQUAL_4, epochLedBy, Pair } from './drawn-dag.ts';

/** What both say. */
function timelyOf(pair: Pair): number[] {
  const timely = pair.core.timely();
  expect(timely).toEqual(pair.oracle.timely());
  return timely;
}

/** Rounds in which `late` makes its witness, but nobody has it in the round above. */
function roundsWithout(late: string, seats: string, from: number, to: number): string[] {
  const lines: string[] = [];
  for (let n = from; n <= to; n++) {
    for (const seat of seats) {
      const others = [...seats].filter((other) => other !== seat && other !== late);
      lines.push([`${seat}${n}`, ...others.map((other) => `${other}${n - 1}`)].join(' '));
    }
  }
  return lines;
}

describe('a round counts for a seat', () => {
  test('whose witness a quorum of the ordered witnesses above has in its past', () => {
    const pair = new Pair(epochLedBy('', EQUAL_4));
    expect(timelyOf(pair)).toEqual([0, 0, 0, 0]);
    pair.add(...denseRounds('abcd', 1, 12));
    // The newest round whose witnesses are ordered, all four, is one below that of the newest leader.
    const top = pair.blocks.at(-1)!.leaderRound;
    expect(timelyOf(pair)).toEqual([top - 2, top - 2, top - 2, top - 2]);
  });

  test('not where it came later, though its vertices are ordered', () => {
    const pair = new Pair(epochLedBy('', EQUAL_4));
    pair.add(
      ...denseRounds('abcd', 1, 1),
      ...roundsWithout('d', 'abcd', 2, 10),
      ...denseRounds('abc', 11, 16),
    );
    const [a, b, c, d] = timelyOf(pair);
    expect(a).toBeGreaterThan(7);
    expect([b, c, d]).toEqual([a, a, 0]);
  });

  test('with as much weight above it as makes a quorum, not one unit less; and with min_participants', () => {
    // a, b and c see each other; d sees all, and only a and d have it.
    const seen = (number: number): string[] => [
      `a${number} b${number - 1} c${number - 1} d${number - 1}`,
      `b${number} a${number - 1} c${number - 1}`,
      `c${number} a${number - 1} b${number - 1}`,
      `d${number} a${number - 1} b${number - 1} c${number - 1}`,
    ];
    const rounds = (weights: readonly bigint[], minParticipants = 1): number[] => {
      const pair = new Pair(epochLedBy('', weights, minParticipants));
      pair.add(...denseRounds('abcd', 1, 1));
      for (let number = 2; number <= 12; number++) pair.add(...seen(number));
      return timelyOf(pair);
    };
    // The weight of a and d together: 667, 666 of 1,000.
    expect(rounds([607n, 200n, 133n, 60n])[3]).toBeGreaterThan(5);
    expect(rounds([606n, 200n, 134n, 60n])[3]).toBe(0);
    expect(rounds([607n, 200n, 133n, 60n], 3)[3]).toBe(0);
  });

  test('no more by a seat with two ordered witnesses in the round above', () => {
    const forked = (more: readonly string[]): number[] => {
      const pair = new Pair(epochLedBy('', EQUAL_4));
      pair.add(...denseRounds('abcd', 1, 3));
      // In round 4 only a and b, and one branch of c, have d's witness: with c a quorum, without it none.
      pair.add('a4 b3 c3 d3', 'b4 a3 c3 d3', 'c4 b3 d3', 'd4 a3 b3 c3', ...more);
      pair.add('a5 b4 c4 d4', 'b5 a4 c4 d4', 'c5 a4 b4 d4', `d5 a4 b4 ${more.length > 0 ? "c4'" : 'c4'}`);
      pair.add(...denseRounds('abcd', 6, 12));
      return timelyOf(pair);
    };
    const whole = forked([]);
    // Of c, which all others have, one voter less leaves a quorum; of a, b and d as well, unless c was needed.
    expect(forked(["c4'<c3 a3 b3"])).toEqual(whole);
    const needed = (more: readonly string[]): number => {
      const pair = new Pair(epochLedBy('', EQUAL_4));
      pair.add(...denseRounds('abcd', 1, 3));
      pair.add('a4 b3 c3 d3', 'b4 a3 c3', 'c4 b3 d3', 'd4 a3 b3 c3', ...more);
      pair.add('a5 b4 c4 d4', 'b5 a4 c4 d4', 'c5 a4 b4 d4', `d5 a4 b4 ${more.length > 0 ? "c4'" : 'c4'}`);
      pair.add(...denseRounds('abcd', 6, 12));
      return timelyOf(pair)[3]!;
    };
    expect(needed(["c4'<c3 a3 b3"])).toBe(needed([]) - 1);
  });
});

describe('late seats', () => {
  const late = (...seats: number[]) => {
    const config = epochLedBy('', [7n, 8n, 9n, 10n, 11n]);
    return { ...config, seats: config.seats.map((seat, i) => ({ ...seat, isLate: seats.includes(i) })) };
  };

  test('lead no slot, and vote like others', () => {
    const pair = new Pair({ ...late(1, 3), leaders: 3 });
    for (let round = 1; round <= 30; round++) {
      const leaders = pair.core.leadersOf(round);
      expect(leaders).toEqual(pair.oracle.leadersOf(round));
      expect([...leaders].sort()).toEqual([0, 2, 4]);
    }
    // Without the late ones there is no quorum.
    expect(pair.add(...denseRounds('abcde', 1, 8)).length).toBeGreaterThan(9);
  });

  test('leave a seat for each slot of a round, or the epoch does not open', () => {
    expect(() => new Pair({ ...late(1, 3), leaders: 4 })).toThrow(/bad_config/);
    expect(() => new Pair({ ...late(0, 1, 2, 3, 4), leaders: 1 })).toThrow(/bad_config/);
    expect(() => new Pair({ ...late(0, 1, 2, 3), leaders: 1 })).not.toThrow();
  });

  test('come back from a snapshot', () => {
    const { core, oracle } = new Pair({ ...late(1, 3), leaders: 3 });
    expect(core.snapshot()).not.toEqual(new Pair({ ...late(1), leaders: 3 }).core.snapshot());
    expect(oracle.snapshot()).not.toEqual(new Pair({ ...late(1), leaders: 3 }).oracle.snapshot());
  });
});
