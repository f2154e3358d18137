// Attempts to be connected: spread, further apart the more fail, none to oneself, and names that are resolved again.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { Dialer, type DialerOptions } from '../../../host/net/dialer.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import type { Link } from '../../../host/world/transport.ts';
import { FakeClock, START_MS, settle } from '../one-node/harness.ts';
import { MemoryNet, MemoryTransport } from './memory-transport.ts';

const lookup = vi.fn<(host: string) => Promise<string[]>>();
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const key = (n: number) => keyPairFromSeed(new Uint8Array(32).fill(n));
const [OWN, OTHER] = [key(1), key(2)];
const ADDRESS = { host: 'other', port: 8337 };

let clock: FakeClock;
let net: MemoryNet;
let own: MemoryTransport;
let links: Link[];
let dialer: Dialer;

function start(o: Partial<DialerOptions>): void {
  dialer = new Dialer({
    transport: own,
    clock,
    log: quiet as never,
    peers: [],
    discover: undefined,
    lookup,
    ownKey: OWN.publicKeyHex,
    isConnected: (hex) => links.some((link) => toHex(link.peerKey) === hex),
    random: () => 0.5,
    onLink: (link) => links.push(link),
    ...o,
  });
  dialer.start();
}

beforeEach(() => {
  clock = new FakeClock();
  net = new MemoryNet();
  own = new MemoryTransport(net, OWN);
  links = [];
});
afterEach(() => dialer.stop());

const listen = (n: number, host: string): Promise<number> =>
  new MemoryTransport(net, key(n)).listen(host, 8337);

/** Times of attempts, in ms since the start, until `maxMs`. */
async function attempts(maxMs: number): Promise<number[]> {
  const times = own.dialed.map(() => 0);
  for (let ms = 0; ms < maxMs; ms += 250) {
    const before = own.dialed.length;
    await clock.advance(250);
    for (let i = before; i < own.dialed.length; i++) times.push(clock.ms - START_MS);
  }
  return times;
}

it('the pauses double up to half a minute, and are short again once it was connected', async () => {
  start({ peers: [ADDRESS] });
  await settle();
  const times = await attempts(200_000);
  const pauses = times.slice(1).map((time, i) => time - times[i]!);
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000, 30_000]);
  await listen(2, 'other');
  await attempts(60_000);
  expect(links).toHaveLength(1);
  const count = own.dialed.length;
  links.length = 0;
  await attempts(1000);
  expect(own.dialed.length).toBe(count + 1);
});

it('says once that nobody answers at an address, and again when it was connected in between', async () => {
  const warned: unknown[] = [];
  const log = { ...quiet, warn: (...words: unknown[]) => warned.push(words) };
  start({ peers: [ADDRESS], log: log as never });
  await settle();
  // Nodes that are started together wait for each other some seconds.
  await attempts(10_000);
  expect(warned).toEqual([]);
  await attempts(200_000);
  expect(warned).toEqual([
    [
      { address: 'other:8337', reason: expect.any(String) },
      expect.stringContaining('no node answers at this address of a peer'),
    ],
  ]);
  await listen(2, 'other');
  await attempts(60_000);
  expect(links).toHaveLength(1);
  expect(warned).toHaveLength(1);
  net.listeners.clear();
  links.length = 0;
  await attempts(200_000);
  expect(warned).toHaveLength(2);
});

it('connected addresses are not dialed', async () => {
  await listen(2, 'other');
  start({ peers: [ADDRESS, ADDRESS] });
  await settle();
  await attempts(120_000);
  expect([own.dialed.length, links.length]).toEqual([1, 1]);
});

it('a peer that sends every link away is asked ever less', async () => {
  await listen(2, 'other');
  start({ peers: [ADDRESS], isConnected: () => false });
  await settle();
  await attempts(300_000);
  expect(own.dialed.length).toBeLessThan(16);
});

it('attempts of many nodes spread by a quarter to each side', async () => {
  for (const [random, first] of [
    [0, 750],
    [0.999_999, 1250],
  ] as const) {
    dialer?.stop();
    clock = new FakeClock();
    own = new MemoryTransport(net, OWN);
    start({ peers: [{ host: 'nobody', port: 1 }], random: () => random });
    await settle();
    expect((await attempts(1500))[1]).toBe(first);
  }
});

it('an address of the node itself is recognised and no link is kept', async () => {
  const self = new MemoryTransport(net, OWN);
  await self.listen('self', 8337);
  start({ peers: [{ host: 'self', port: 8337 }] });
  await settle();
  await attempts(60_000);
  expect(links).toEqual([]);
  expect(own.links.every(({ closedFor }) => closedFor === 'this is the node itself')).toBe(true);
  expect(own.dialed.length).toBeLessThan(5);
});

it('a name is resolved every 30 s: new addresses are dialed, known ones once, a failure changes nothing', async () => {
  await listen(2, '10.0.0.2');
  await listen(3, '10.0.0.3');
  lookup.mockResolvedValueOnce(['10.0.0.2']);
  lookup.mockRejectedValueOnce(new Error('ENOTFOUND'));
  lookup.mockResolvedValue(['10.0.0.2', '10.0.0.3']);
  start({ discover: { host: 'peers.example', port: 8337 } });
  await settle();
  expect(own.dialed).toEqual(['10.0.0.2:8337']);
  await clock.advance(30_000);
  expect(own.dialed).toEqual(['10.0.0.2:8337']);
  await clock.advance(30_000);
  expect(own.dialed).toEqual(['10.0.0.2:8337', '10.0.0.3:8337']);
  expect(links.map((link) => toHex(link.peerKey))).toEqual([OTHER.publicKeyHex, key(3).publicKeyHex]);
  expect(lookup).toHaveBeenCalledWith('peers.example');
});

it('an address that the name no longer resolves to is forgotten, and dialed anew when it returns', async () => {
  const resolves = (...all: string[]): void => {
    lookup.mockResolvedValue(all);
  };
  const dialedSince = async (ms: number): Promise<string[]> => {
    const before = own.dialed.length;
    await attempts(ms);
    return [...new Set(own.dialed.slice(before))].sort();
  };
  resolves('10.0.0.2', '10.0.0.3', 'other');
  start({ peers: [ADDRESS], discover: { host: 'peers.example', port: 8337 } });
  expect(await dialedSince(31_000)).toEqual(['10.0.0.2:8337', '10.0.0.3:8337', 'other:8337']);
  resolves('10.0.0.3');
  await attempts(30_000);
  expect(await dialedSince(120_000)).toEqual(['10.0.0.3:8337', 'other:8337']);
  resolves('10.0.0.2');
  await attempts(30_000);
  expect(await dialedSince(120_000)).toEqual(['10.0.0.2:8337', 'other:8337']);
});

it('nothing is dialed after the stop, and a link that comes then is closed', async () => {
  await listen(2, 'other');
  start({ peers: [ADDRESS] });
  dialer.stop();
  await settle();
  expect(links).toEqual([]);
  expect(own.links[0]!.closedFor).toBe('the node is stopping');
  await attempts(60_000);
  expect(own.dialed).toHaveLength(1);
});
