// Room for vertices of an epoch that does not run: bounded for each sender and in all, the lowest can always come in.

import { expect, it } from 'vitest';
import { EarlyVertices } from '../../../host/net/early-vertices.ts';

const KIB = 1024;

/** Keeps one with this key, of so many bytes. */
const keep = (early: EarlyVertices, key: string, from: string, lamport: number, length = 100): void =>
  early.keep(key, new Uint8Array(length), from, lamport);
const keysOf = (early: EarlyVertices): string[] => early.take().map(({ key }) => key);

it('gives back what it was given, once, whatever becomes of the buffer', () => {
  const early = new EarlyVertices();
  const buffer = Uint8Array.of(1, 2, 3);
  early.keep('a', buffer, 'x', 5);
  buffer.fill(0);
  early.keep('a', Uint8Array.of(9), 'y', 1);
  expect(early.take()).toEqual([
    { key: 'a', bytes: Uint8Array.of(1, 2, 3), length: 3, from: 'x', height: 5 },
  ]);
  expect(early.take()).toEqual([]);
  // There is room again, for the same one as well.
  keep(early, 'a', 'y', 1);
  expect(keysOf(early)).toEqual(['a']);
});

it('has two thousand of one sender, the lowest ones', () => {
  const early = new EarlyVertices();
  for (let i = 0; i < 2000; i++) keep(early, `high ${i}`, 'x', 1000 + i);
  keep(early, 'too high', 'x', 5000);
  keep(early, 'low', 'x', 1);
  keep(early, 'other', 'y', 9999);
  const keys = new Set(keysOf(early));
  expect(keys.size).toBe(2001);
  expect(['low', 'other', 'high 0', 'high 1998'].every((key) => keys.has(key))).toBe(true);
  expect(['too high', 'high 1999'].some((key) => keys.has(key))).toBe(false);
});

it('has a MiB of one sender, and none that is larger', () => {
  const early = new EarlyVertices();
  for (let i = 0; i < 20; i++) keep(early, `${i}`, 'x', i, 100 * KIB);
  keep(early, 'huge', 'y', 1, 1025 * KIB);
  expect(keysOf(early)).toEqual(Array.from({ length: 10 }, (_, i) => `${i}`));
});

it('has 16 MiB in all, of which a newcomer gets its part from those that have most', () => {
  const early = new EarlyVertices();
  for (let sender = 0; sender < 16; sender++)
    for (let i = 0; i < 8; i++) keep(early, `${sender} ${i}`, `flood ${sender}`, i, 128 * KIB);
  for (let i = 0; i < 4; i++) keep(early, `honest ${i}`, 'honest', 1000 + i, 128 * KIB);
  const kept = early.take();
  expect(kept.reduce((sum, { length }) => sum + length, 0)).toBe(16 * KIB * KIB);
  expect(kept.filter(({ from }) => from === 'honest')).toHaveLength(4);
  // The highest of them went.
  expect(kept.filter(({ height }) => height === 7)).toHaveLength(12);
});

it('has twenty thousand in all', () => {
  const early = new EarlyVertices();
  for (let sender = 0; sender < 11; sender++)
    for (let i = 0; i < 2000; i++) keep(early, `${sender} ${i}`, `flood ${sender}`, i, 10);
  expect(early.take()).toHaveLength(20_000);
});
