// P10: one, two and three seats run the same rules as many.

import { describe, expect, test } from 'vitest';
import { denseRounds, epochLedBy, Pair } from './drawn-dag.ts';

describe('P10: one seat', () => {
  test('a vertex is final with the second above it, never before', () => {
    const pair = new Pair(epochLedBy('aaaa', [12_500_000_000n]));
    for (let seq = 1; seq <= 40; seq++) {
      expect(pair.add(`a${seq}`)).toEqual(seq > 2 ? [`a${seq - 2}`] : []);
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
