// What others have executed by now: whose word counts, and when it is given up.

import { beforeEach, expect, it } from 'vitest';
import { FreshWord } from '../../../host/net/fresh-word.ts';
import type { HeadMessage } from '../../../host/net/messages.ts';
import type { Peer } from '../../../host/net/peer.ts';
import { HandClock } from '../api/stream-fakes.ts';

/** This node is seat 0. Four seats are a quorum, two include an honest one. */
const isQuorumWith = (seats: readonly number[]): boolean => new Set([0, ...seats]).size >= 4;
const includesHonest = (seats: readonly number[]): boolean => new Set(seats).size >= 2;

interface Fake extends Pick<Peer, 'seat'> {
  head: HeadMessage | undefined;
  pings: number;
}

let clock: HandClock;
let peers: Fake[];
let word: FreshWord;

function peer(seat: number | undefined, order?: number): Fake {
  const head = order === undefined ? undefined : ({ order } as HeadMessage);
  const fake = { seat, head, pings: 0, measure: () => void fake.pings++ };
  return fake;
}
const answer = (fake: Fake): void => word.answered(fake as unknown as Peer);
const isOpen = async (asked: Promise<unknown>): Promise<boolean> =>
  Promise.race([asked.then(() => false), Promise.resolve().then(() => true)]);

beforeEach(() => {
  clock = new HandClock();
  peers = [peer(1, 70), peer(2, 78), peer(3, 77), peer(undefined, 900)];
  word = new FreshWord({ clock, peers: () => peers as unknown as Peer[], isQuorumWith, includesHonest });
});

it('comes from a quorum that answered after the question, and an honest one of them has executed it', async () => {
  const asked = word.ask();
  expect(peers.map(({ pings }) => pings)).toEqual([1, 1, 1, 0]);
  answer(peers[0]!);
  answer(peers[0]!);
  answer(peers[3]!);
  answer(peers[1]!);
  expect(await isOpen(asked)).toBe(true);
  peers[2]!.head = { order: 80 } as HeadMessage;
  answer(peers[2]!);
  expect(await asked).toBe(78);
});

it('is not what was said before: who asks meanwhile has pings of its own', async () => {
  const first = word.ask();
  answer(peers[0]!);
  answer(peers[1]!);
  const second = word.ask();
  answer(peers[2]!);
  expect(await first).toBe(77);
  expect(await isOpen(second)).toBe(true);
  clock.advance(100);
  expect(peers.map(({ pings }) => pings)).toEqual([2, 2, 2, 0]);
  for (const one of peers) answer(one);
  expect(await second).toBe(77);
});

it('is one round of pings for all who ask at once', async () => {
  const asked = [word.ask()];
  for (let i = 0; i < 100; i++) asked.push(word.ask());
  for (const one of peers) answer(one);
  expect(await asked[0]).toBe(77);
  clock.advance(100);
  for (const one of peers) answer(one);
  expect(new Set(await Promise.all(asked)).size).toBe(1);
  expect(peers[0]!.pings).toBe(2);
});

it('is given up after two seconds, and at once where too few are connected', async () => {
  const silent = word.ask();
  answer(peers[1]!);
  clock.advance(1_999);
  expect(await isOpen(silent)).toBe(true);
  clock.advance(1);
  expect(await silent).toBeUndefined();
  clock.advance(100);
  peers = [peer(1, 70), peer(undefined, 900)];
  expect(await word.ask()).toBeUndefined();
  expect(peers[0]!.pings).toBe(0);
});

it('answers who waits when the node stops', async () => {
  const asked = [word.ask(), word.ask()];
  word.stop();
  expect(await Promise.all(asked)).toEqual([undefined, undefined]);
});
