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
/** Newest seq of each seat here; seats whose work is not all executed. */
let here: number[];
let unsettled: Set<number>;

/** Each seat has signed its first vertex when it tells this. */
function headOf(seat: number | undefined, order: number, seq = 1): HeadMessage {
  const seqs = [0, 0, 0, 0];
  if (seat !== undefined) seqs[seat] = seq;
  return { order, seqs } as HeadMessage;
}

function peer(seat: number | undefined, order?: number): Fake {
  const head = order === undefined ? undefined : headOf(seat, order);
  const fake = { seat, head, pings: 0, measure: () => void fake.pings++ };
  return fake;
}
const answer = (fake: Fake): void => word.answered(fake as unknown as Peer);
const isOpen = async (asked: Promise<unknown>): Promise<boolean> =>
  Promise.race([asked.then(() => false), Promise.resolve().then(() => true)]);

beforeEach(() => {
  clock = new HandClock();
  peers = [peer(1, 70), peer(2, 78), peer(3, 77), peer(undefined, 900)];
  here = [1, 1, 1, 1];
  unsettled = new Set();
  const settled = (seat: number) => () => !unsettled.has(seat);
  word = new FreshWord({
    ...{ clock, isQuorumWith, includesHonest },
    peers: () => peers as unknown as Peer[],
    own: () => settled(0),
    settling: (seat, { seqs }) => (here[seat]! >= seqs[seat]! ? settled(seat) : undefined),
  });
});

it('comes from a quorum that answered after the question, and an honest one of them has executed it', async () => {
  const asked = word.ask();
  expect(peers.map(({ pings }) => pings)).toEqual([1, 1, 1, 0]);
  answer(peers[0]!);
  answer(peers[0]!);
  answer(peers[3]!);
  answer(peers[1]!);
  expect(await isOpen(asked)).toBe(true);
  peers[2]!.head = headOf(3, 80);
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

it('is asked less often the more are asked: refusals cost no node more than a twentieth of its time', async () => {
  peers = Array.from({ length: 49 }, (_, i) => peer(1 + i, 70));
  here = peers.map(() => 1).concat(1);
  for (let ms = 0; ms < 1000; ms += 5) {
    void word.ask();
    for (const one of peers) answer(one);
    clock.advance(5);
  }
  expect(peers[0]!.pings).toBeGreaterThan(3);
  expect(peers[0]!.pings).toBeLessThan(7);
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

it('comes once all that a quorum had signed is here, and the work below it is executed', async () => {
  peers[0]!.head = headOf(1, 70, 2);
  unsettled = new Set([0, 3]);
  const asked = word.ask();
  for (const one of peers) answer(one);
  // What it signs later is not waited for.
  peers[0]!.head = headOf(1, 70, 9);
  here[1] = 2;
  word.progressed();
  expect(await isOpen(asked)).toBe(true);
  unsettled = new Set([0]);
  word.progressed();
  expect(await isOpen(asked)).toBe(true);
  unsettled.clear();
  word.progressed();
  expect(await asked).toBe(77);
});

it('does not hang on a seat that claims what nobody has, or builds on what is never ordered', async () => {
  const small = (seats: readonly number[]): boolean => new Set([0, ...seats]).size >= 3;
  word = new FreshWord({
    ...{ clock, isQuorumWith: small, includesHonest },
    peers: () => peers as unknown as Peer[],
    own: () => () => true,
    settling: (seat) => (seat === 1 ? undefined : () => true),
  });
  const asked = word.ask();
  answer(peers[0]!);
  answer(peers[1]!);
  expect(await isOpen(asked)).toBe(true);
  answer(peers[2]!);
  expect(await asked).toBe(77);
});

it('waits two seconds more for what was told, and is given up then', async () => {
  unsettled = new Set([0]);
  const asked = word.ask();
  clock.advance(1_500);
  for (const one of peers) answer(one);
  clock.advance(1_999);
  expect(await isOpen(asked)).toBe(true);
  clock.advance(1);
  expect(await asked).toBeUndefined();
});

it('answers who waits when the node stops, and who asks later', async () => {
  const asked = [word.ask(), word.ask()];
  word.stop();
  expect(await Promise.all(asked)).toEqual([undefined, undefined]);
  const late = word.ask();
  clock.advance(10_000);
  expect(await isOpen(late)).toBe(false);
  expect(await late).toBeUndefined();
});
