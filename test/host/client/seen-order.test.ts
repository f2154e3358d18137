// What a client asks of reads, and how it gets rid of an order that a lying node gave.

import { expect, it } from 'vitest';
import { SeenOrder } from '../../../host/client/seen-order.ts';

it('begins with a write of the own, then follows reads too, never back', () => {
  const seen = new SeenOrder();
  seen.read(5);
  expect(seen.newest).toBeUndefined();
  seen.wrote(10);
  seen.wrote(undefined);
  seen.wrote(8);
  seen.read(12);
  seen.read(11);
  expect(seen.newest).toBe(12);
});

it('a read moves it by at most 10,000', () => {
  const seen = new SeenOrder();
  seen.wrote(10);
  seen.read(10_011);
  expect(seen.newest).toBe(10);
  seen.read(10_010);
  expect(seen.newest).toBe(10_010);
});

it('an absurd order is dropped when a node that keeps up is far below it', () => {
  const seen = new SeenOrder();
  seen.wrote(10 ** 14);
  seen.refused({ isBehind: true }, 50);
  seen.refused({ isBehind: false }, undefined);
  expect(seen.newest).toBe(10 ** 14);
  seen.refused({ isBehind: false }, 50);
  expect(seen.newest).toBeUndefined();
  seen.wrote(10_050);
  seen.refused({ isBehind: false }, 50);
  expect(seen.newest).toBe(10_050);
  seen.forget();
  expect(seen.newest).toBeUndefined();
});
