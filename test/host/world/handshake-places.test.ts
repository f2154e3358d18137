// Who gets a place in the handshake, and who loses one.

import { expect, it } from 'vitest';
import {
  HANDSHAKES_AT_ONCE,
  HANDSHAKES_PER_SECOND,
  HandshakePlaces,
  MAX_HANDSHAKES,
  MAX_HANDSHAKES_PER_ADDRESS,
} from '../../../host/world/handshake-places.ts';

/** Places whose holders are named by their order of arrival. */
function hall() {
  let nowMs = 7_000;
  const places = new HandshakePlaces({ monotonicMs: () => nowMs });
  const evicted: number[] = [];
  let arrivals = 0;
  const take = (address: string, { isKnown = false, isSilent = true } = {}) => {
    const name = arrivals++;
    const place = places.take(address, isKnown, () => evicted.push(name));
    if (place) place.isSilent = isSilent;
    return place;
  };
  /** One socket from each of `count` networks, which fill places without being the fullest group. */
  const fill = (count: number, as?: Parameters<typeof take>[1]) => {
    for (let i = 0; i < count; i++) take(`10.0.${i}.1`, as);
  };
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  /** Begins handshakes and ends each at once; how many were begun. */
  const begin = (count: number, address: (i: number) => string, isKnown = false): number => {
    let begun = 0;
    for (let i = 0; i < count; i++) {
      const place = take(address(i), { isKnown });
      if (place) begun += 1;
      place?.leave();
    }
    return begun;
  };
  return { take, fill, evicted, pass, begin };
}

it('silent strangers of many addresses never keep a newcomer out', () => {
  const { take, evicted } = hall();
  for (let i = 0; i < 84; i++) expect(take(`192.0.2.${i % 6}`)).toBeDefined();
  expect(take('198.51.100.1')).toBeDefined();
  expect(evicted).toEqual(Array.from({ length: 85 - MAX_HANDSHAKES }, (_, i) => i));
});

it('the fullest network loses its oldest silent socket', () => {
  const { take, fill, evicted } = hall();
  fill(MAX_HANDSHAKES - 3);
  take('192.0.2.1', { isSilent: false });
  take('192.0.2.2');
  take('192.0.2.3');
  expect(take('198.51.100.1')).toBeDefined();
  expect(evicted).toEqual([MAX_HANDSHAKES - 2]);
});

it('IPv6 counts by its /64 network, and IPv4 in IPv6 as IPv4', () => {
  const { take, evicted } = hall();
  for (let i = 0; i < MAX_HANDSHAKES_PER_ADDRESS; i++) take(`2001:db8:0:7::${i + 1}`, { isSilent: false });
  expect(take('2001:db8:0:7::ffff')).toBeUndefined();
  expect(take('2001:db8:0:8::1')).toBeDefined();
  for (let i = 0; i < MAX_HANDSHAKES_PER_ADDRESS; i++) take('192.0.2.1', { isSilent: false });
  expect(take('::ffff:192.0.2.1')).toBeUndefined();
  expect(evicted).toEqual([]);
});

it('an address with 16 sockets loses its own oldest silent one, though there is room', () => {
  const { take, evicted } = hall();
  take('192.0.2.1', { isSilent: false });
  for (let i = 1; i < MAX_HANDSHAKES_PER_ADDRESS; i++) take('192.0.2.1');
  expect(take('192.0.2.1')).toBeDefined();
  expect(evicted).toEqual([1]);
});

it('who has sent a frame gives way to a smaller network only', () => {
  const { take, fill, evicted } = hall();
  const spoken = { isSilent: false };
  fill(MAX_HANDSHAKES - 3, spoken);
  for (let i = 1; i <= 3; i++) take(`192.0.2.${i}`, spoken);
  expect(take('192.0.2.9', spoken)).toBeUndefined();
  expect(take('198.51.100.1', spoken)).toBeDefined();
  expect(evicted).toEqual([MAX_HANDSHAKES - 3]);
  // Both of the fullest network are as many as the newcomer's would be.
  expect(take('198.51.100.2', spoken)).toBeUndefined();
  expect(evicted).toHaveLength(1);
});

it('strangers and known addresses do not take places of each other', () => {
  const { take, fill, evicted } = hall();
  fill(MAX_HANDSHAKES, { isSilent: false });
  expect(take('198.51.100.1')).toBeUndefined();
  expect(take('198.51.100.1', { isKnown: true })).toBeDefined();
  fill(MAX_HANDSHAKES - 1, { isKnown: true, isSilent: false });
  expect(evicted).toEqual([]);
});

it('a place that was left is free, and leaving twice frees one', () => {
  const { take, fill, evicted } = hall();
  const spoken = { isSilent: false };
  const place = take('192.0.2.1', spoken)!;
  fill(MAX_HANDSHAKES - 1, spoken);
  expect(take('198.51.100.1', spoken)).toBeUndefined();
  place.leave();
  place.leave();
  expect(take('198.51.100.1', spoken)).toBeDefined();
  expect(take('203.0.113.1', spoken)).toBeUndefined();
  expect(evicted).toEqual([]);
});

it('a network that begins handshakes without end leaves most of them to others', () => {
  const { begin, pass } = hall();
  const first = begin(10_000, (i) => `192.0.2.${i % 256}`);
  expect(first).toBeLessThan(HANDSHAKES_AT_ONCE / 3);
  expect(begin(50, () => '198.51.100.1')).toBe(50);
  let later = 0;
  const seconds = 120;
  for (let i = 0; i < seconds; i++) {
    later += begin(1_000, () => '192.0.2.1');
    expect(begin(1, () => `203.0.${i}.1`)).toBe(1);
    pass(1_000);
  }
  expect(later / seconds).toBeLessThan(HANDSHAKES_PER_SECOND / 3);
  expect(later).toBeGreaterThan(seconds);
});

it('IPv6 has one network for each /56, of which one customer easily has all', () => {
  const first = hall().begin(10_000, (i) => `2001:db8:1:2a${(i % 256).toString(16).padStart(2, '0')}::1`);
  expect(first).toBeLessThan(HANDSHAKES_AT_ONCE / 3);
  const { take, fill, evicted } = hall();
  fill(MAX_HANDSHAKES - 2);
  take('2001:db8:1:2a00::1');
  take('2001:db8:1:2a01::1');
  expect(take('2001:db8:1:2b00::1')).toBeDefined();
  expect(evicted).toEqual([MAX_HANDSHAKES - 2]);
});

it('all networks together begin no more than the node has time for, and take none from known addresses', () => {
  const { begin, pass } = hall();
  let begun = 0;
  const seconds = 60;
  for (let i = 0; i < seconds; i++) {
    begun += begin(2_000, (n) => `10.${n % 200}.${i}.1`);
    expect(begin(3, () => '192.0.2.1', true)).toBe(3);
    pass(1_000);
  }
  expect(begun).toBeLessThanOrEqual(HANDSHAKES_AT_ONCE + seconds * HANDSHAKES_PER_SECOND);
  expect(begun).toBeGreaterThan(seconds * HANDSHAKES_PER_SECOND - HANDSHAKES_PER_SECOND);
});
