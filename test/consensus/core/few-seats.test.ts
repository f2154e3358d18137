// P10: one, two and three seats run the same rules as many.

import { describe, expect, test } from 'vitest';
import { denseRounds, epochLedBy, Pair } from './drawn-dag.ts';

describe('P10: one seat', () => {
  test('a vertex is final by itself', () => {
    const pair = new Pair(epochLedBy('aaaa', [12_500_000_000n]));
    for (let seq = 1; seq <= 40; seq++) {
      expect(pair.add(`a${seq}`)).toEqual([`a${seq}`]);
      expect(pair.round(`a${seq}`)).toBe(seq);
    }
    expect(pair.blocks.every((block) => block.vertices.length === 1)).toBe(true);
  });

  test('T follows its clock at a round of delay, and stands still with it', () => {
    const pair = new Pair(
      epochLedBy('a', [1n]),
      (name) => 1_500_000 + 10 * Math.floor(Number(name.slice(1)) / 5),
    );
    for (let seq = 1; seq <= 60; seq++) pair.add(`a${seq}`);
    const times = pair.blocks.map((block) => block.timeMs);
    expect(times[0]).toBe(1_000_000);
    // The median of a vertex and the one below it is the lower of the two.
    expect(times[20]).toBe(1_500_000 + 10 * Math.floor(20 / 5));
    expect(Math.max(...times)).toBeLessThanOrEqual(1_500_000 + 10 * 12);
  });
});

describe('P10: a quorum alone among others', () => {
  const HEAVY: readonly bigint[] = [667n, 166n, 167n];

  test('commits its own slots by itself; the slots of others wait for votes or blame', () => {
    const pair = new Pair(epochLedBy('aabaaa', HEAVY));
    expect(pair.add('a1')).toEqual(['a1']);
    // Whatever it has in its past is ordered with it.
    expect(pair.add('b1', 'c1 b1', 'a2 c1')).toEqual(['a2']);
    expect(pair.order(1)).toEqual(['b1', 'c1', 'a2']);
    expect(pair.add('b2 a2', 'a3')).toEqual([]);
    expect(pair.slot('a3')).toBe('undecided');
    // Round 3 is led by b, which is late: it is skipped with the second vertex above it, and a4 and a5 follow at once.
    expect([pair.add('a4'), pair.slot('a4')]).toEqual([[], 'commit']);
    expect(pair.add('a5')).toEqual(['a4', 'a5']);
    expect(pair.slot('a3')).toBe('skip');
    expect(pair.order(2)).toEqual(['a3', 'a4']);
  });

  test('a leader that comes in time is certified by it', () => {
    const pair = new Pair(epochLedBy('aabaaa', HEAVY));
    pair.add('a1', 'a2', 'b1 a2');
    expect([pair.round('b1'), pair.add('a3 b1')]).toEqual([3, []]);
    // a4 votes for b1 and decides its own slot, which waits for that of b; a5 certifies b1.
    expect([pair.add('a4'), pair.slot('a4'), pair.slot('b1')]).toEqual([[], 'commit', 'undecided']);
    expect(pair.add('a5')).toEqual(['b1', 'a4', 'a5']);
  });

  test('with too little weight by one unit, or not enough participants, it needs the votes of others', () => {
    for (const [weights, minParticipants] of [
      [[666n, 167n, 167n], 1],
      [[990n, 5n, 5n], 2],
    ] as const) {
      const pair = new Pair(epochLedBy('aaa', weights, minParticipants));
      expect(pair.add('a1', 'b1 a1', 'a2 b1', 'b2 a2')).toEqual([]);
      expect(pair.slot('a1')).toBe('undecided');
    }
  });
});

describe.each([
  ['ab', [5n, 5n]],
  ['abc', [5n, 5n, 5n]],
] as const)('P10: seats %s need all of them', (seats, weights) => {
  test('one absent stops everything, its return goes on', () => {
    const pair = new Pair(epochLedBy('', weights));
    const present = seats.slice(0, -1);
    const absent = seats.slice(-1);
    expect(pair.add(...denseRounds(seats, 1, 6)).length).toBeGreaterThan(0);
    const before = pair.core.maxRound();
    // The others go on for a while: at most one round higher, and no block.
    const alone = denseRounds(present, 7, 20);
    expect(
      pair.add(
        alone[0]!.split(' ')[0]! +
          [...seats]
            .filter((s) => s !== 'a')
            .map((s) => ` ${s}6`)
            .join(''),
      ),
    ).toEqual([]);
    for (let seq = 8; seq <= 20; seq++) expect(pair.add(`a${seq}`)).toEqual([]);
    expect(pair.core.maxRound()).toBe(before + 1);
    const blocks = pair.blocks.length;
    for (const seat of seats.slice(1)) pair.add(`${seat}7 a20`);
    for (let seq = 8; seq <= 14; seq++) {
      for (const seat of seats) {
        const name = seat === 'a' ? `a${seq + 13}` : `${seat}${seq}`;
        const others = [...seats].filter((other) => other !== seat);
        pair.add(
          [name, ...others.map((other) => (other === 'a' ? `a${seq + 12}` : `${other}${seq - 1}`))].join(' '),
        );
      }
    }
    expect(absent.length).toBe(1);
    expect(pair.blocks.length).toBeGreaterThan(blocks);
  });
});
