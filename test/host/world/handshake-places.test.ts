// Who gets a place in the handshake, and who loses one.

import { expect, it } from 'vitest';
import {
  HandshakePlaces,
  MAX_HANDSHAKES,
  MAX_HANDSHAKES_PER_ADDRESS,
} from '../../../host/world/handshake-places.ts';

/** Places whose holders are named by their order of arrival. */
function hall() {
  const places = new HandshakePlaces();
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
  return { take, fill, evicted };
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
