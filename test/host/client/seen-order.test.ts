// What a client asks of reads, and how it gets rid of an order that a lying node gave.

import { expect, it } from 'vitest';
import { SeenOrder } from '../../../host/client/seen-order.ts';

it('begins with a write of the own, then follows reads too, never back', () => {
  const seen = new SeenOrder();
  seen.read(5, 1000);
  expect(seen.newest).toBeUndefined();
  seen.wrote(10, 1000);
  seen.wrote(undefined, 1000);
  seen.wrote(8, 1000);
  seen.read(12, 1000);
  seen.read(11, 1000);
  expect(seen.newest).toBe(12);
});

it('a read moves it by at most 10,000', () => {
  const seen = new SeenOrder();
  seen.wrote(10, 1000);
  seen.read(10_011, 1000);
  expect(seen.newest).toBe(10);
  seen.read(10_010, 1000);
  expect(seen.newest).toBe(10_010);
});

it('an absurd order is dropped when a node that keeps up is far below it', () => {
  const seen = new SeenOrder();
  seen.wrote(10 ** 14, 1000);
  seen.refused({ isBehind: true }, { order: 50 });
  seen.refused({ isBehind: false }, {});
  expect(seen.newest).toBe(10 ** 14);
  seen.refused({ isBehind: false }, { order: 50 });
  expect(seen.newest).toBeUndefined();
  seen.wrote(10_050, 1000);
  seen.refused({ isBehind: false }, { order: 50 });
  expect(seen.newest).toBe(10_050);
  seen.forget();
  expect(seen.newest).toBeUndefined();
});

const LOST = { order: 60, consensus_time: 1500 };
const behind = (order: number, lost: object | undefined) =>
  ({ order, ...(lost ? { writes_may_be_lost: lost } : {}) }) as Record<string, unknown>;

it('a history that was cut after the newest order was seen is told once, and the order is dropped', () => {
  const seen = new SeenOrder();
  seen.wrote(100, 1400);
  expect(seen.refused({ isBehind: false }, behind(70, undefined))).toBeUndefined();
  expect(seen.newest).toBe(100);
  expect(seen.refused({ isBehind: true }, behind(70, LOST))).toEqual(LOST);
  expect(seen.newest).toBeUndefined();
  // What is written afterwards, at a node that the next one is behind of, is no other loss.
  seen.wrote(90, 1510);
  expect(seen.refused({ isBehind: false }, behind(80, LOST))).toBeUndefined();
  expect(seen.newest).toBe(90);
  // A later one is.
  const later = { order: 85, consensus_time: 1520 };
  expect(seen.refused({ isBehind: false }, behind(86, later))).toEqual(later);
});

it('a loss of long ago says nothing about what was seen since; clocks differ by a minute at most', () => {
  const seen = new SeenOrder();
  seen.wrote(100, 1561);
  expect(seen.refused({ isBehind: false }, behind(70, LOST))).toBeUndefined();
  expect(seen.newest).toBe(100);
  const slow = new SeenOrder();
  slow.wrote(100, 1559);
  expect(slow.refused({ isBehind: false }, behind(70, LOST))).toEqual(LOST);
});

it('the time is that of the newest order, not of the last answer', () => {
  const seen = new SeenOrder();
  seen.wrote(100, 1000);
  seen.read(90, 9000);
  expect(seen.refused({ isBehind: false }, behind(70, LOST))).toEqual(LOST);
});

it('nothing seen, nothing lost; and a malformed member is none', () => {
  const seen = new SeenOrder();
  expect(seen.refused({ isBehind: false }, behind(70, LOST))).toBeUndefined();
  seen.wrote(100, 1000);
  for (const odd of [{}, { order: 1 }, { order: '1', consensus_time: 2 }, 'x'] as object[])
    expect(seen.refused({ isBehind: false }, behind(70, odd))).toBeUndefined();
});
