// How many keys are remembered for what they did wrong, and which of them give way to others (protocol 12.8).

import { expect, it } from 'vitest';
import { BanList } from '../../../host/net/ban-list.ts';
import { FakeClock } from '../one-node/harness.ts';

const SEAT = 'seat';
const make = () => {
  const clock = new FakeClock();
  return { clock, list: new BanList(clock, (key) => key.startsWith(SEAT)) };
};

it('remembers a bounded number of keys, whatever comes', () => {
  const { list } = make();
  for (let i = 0; i < 60_000; i++) {
    list.blame(`faulty ${i}`, 50);
    list.ban(`banned ${i}`);
    list.ban(`${SEAT} ${i}`);
  }
  // 10,000 with faults, 49,800 banned ones, and 10,000 banned ones that have a price.
  expect(list.size).toBe(69_800);
});

it('forgets bans that have ended', async () => {
  const { clock, list } = make();
  for (let i = 0; i < 1000; i++) list.ban(`banned ${i}`);
  await clock.advance(10 * 60_000);
  list.ban('another');
  expect(list.size).toBe(1);
});

it('lets the oldest faults go, not those of who was blamed again', () => {
  const { list } = make();
  list.blame('first', 10);
  list.blame('second', 60);
  list.blame('first', 50);
  for (let i = 0; i < 9999; i++) list.blame(`new ${i}`, 50);
  expect([list.blame('first', 40), list.blame('second', 40)]).toEqual([true, false]);
});
