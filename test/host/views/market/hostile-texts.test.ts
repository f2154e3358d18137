// Texts and queries that were chosen to cost much: each is compared with harmless ones of the same length, in processor time of
// the same run, since a search runs to its end on the main thread.

import { beforeAll, expect, it } from 'vitest';
import { TextIndex } from '../../../../host/views/market/text-index.ts';
import { joinFields } from '../../../../host/views/market/text-tokens.ts';
import { SeededRandom } from '../../../../tools/load/seeded-random.ts';

/** Bytes of a description at most (protocol 4.6). */
const LONGEST = 5_000;
/** What the longest query may hold. */
const QUERY = 2_400;
/** How much dearer than a harmless one: what was compared place by place was some hundred times dearer. */
const MOST = 12;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

const random = new SeededRandom(5);
const word = (length: number): string =>
  Array.from({ length }, () => ALPHABET[random.below(ALPHABET.length)]).join('');
const numbered = (i: number): string => String(i).padStart(4, '0');

/** Processor time, ms: the least of some runs, since the machine does other things too. */
function cpuMs(work: (run: number) => void): number {
  const times = [0, 1, 2].map((run) => {
    const before = process.cpuUsage();
    work(run);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

function indexOf(textOf: (i: number) => string, rows: number): TextIndex {
  const index = new TextIndex(7);
  for (let row = 0; row < rows; row++) index.add(row, joinFields(['own', textOf(row)]));
  return index;
}

/** `queryOf`: another one in each run, since what was found is kept. */
const searching =
  (index: TextIndex, queryOf: (run: number) => string, found: number) =>
  (run: number): void =>
    expect(index.containing(queryOf(run)).count).toBe(found);

beforeAll(() => {
  // Compiled before anything is timed.
  const index = indexOf((i) => word(500) + i, 60);
  for (let i = 0; i < 300; i++) index.containing(`${word(3)} ${word(3)} ${i}`);
});

it('a query that nearly matches at every place costs no more than one that matches nowhere near', () => {
  const rows = 60;
  const hostile = indexOf((i) => `aab${'a'.repeat(LONGEST - 10)}${numbered(i)}`, rows);
  const harmless = indexOf((i) => `aab${word(LONGEST - 10)}${numbered(i)}`, rows);
  const plain = cpuMs(searching(harmless, (run) => `${'0'.repeat(QUERY + run)}aab`, 0));
  const dear = cpuMs(searching(hostile, (run) => `${'a'.repeat(QUERY + run)}b`, 0));
  expect(dear).toBeLessThan(MOST * (plain + 2));
});

it('nor does one whose thousands of trigrams are all in the same texts', () => {
  const shared = word(LONGEST - 10);
  const rows = 600;
  const index = indexOf((i) => shared + numbered(i), rows);
  // Both read all texts to their end.
  const few = cpuMs(searching(index, (run) => shared.slice(-12 - run), rows));
  const all = cpuMs(searching(index, (run) => shared.slice(run), rows));
  expect(all).toBeLessThan(4 * (few + 2));
});

it('nor a phrase of one word again and again', () => {
  const index = indexOf((i) => `a b ${'a '.repeat(2_490)}${i}`, 150);
  const few = cpuMs(searching(index, (run) => `${'a '.repeat(5 + run)}b`, 0));
  const many = cpuMs(searching(index, (run) => `${'a '.repeat(QUERY / 2 + run)}b`, 0));
  expect(many).toBeLessThan(MOST * (few + 2));
});

it('nor a phrase each part of which thousands of joints have', () => {
  // "xa by": any letter before an a, any behind a b.
  const letter = (): string => String.fromCharCode(0x4e00 + random.below(10_000));
  const joint = (): string => `${letter()}a b${letter()}`;
  const index = indexOf(
    (i) => Array.from({ length: 400 }, joint).join('') + (i === 0 ? ' a b a b' : ''),
    100,
  );
  const once = cpuMs(searching(index, (run) => `a b a b ${run}`, 0));
  const often = cpuMs(searching(index, (run) => 'a b '.repeat(QUERY / 4 + run), 0));
  expect(often).toBeLessThan(MOST * (once + 2));
});

it('what was asked before makes no change dearer', () => {
  const text = joinFields(['own', 'a'.repeat(LONGEST)]);
  const half = 'a'.repeat(QUERY / 2);
  const changes = (asked: number) => (): void => {
    const index = new TextIndex(7);
    for (let i = 0; i < asked; i++) index.containing(`${half}b${half}${'a'.repeat(i)}`);
    for (let row = 0; row < 4; row++) index.add(row, text);
  };
  expect(cpuMs(changes(64))).toBeLessThan(MOST * (cpuMs(changes(0)) + 2));
});

it('few short texts keep no long ones that were replaced', () => {
  const index = new TextIndex(7);
  const rows = 1_000;
  for (let row = 1; row <= rows; row++) index.add(row, `text ${row}`);
  const short = index.bytes;
  let long = 0;
  let most = 0;
  for (let i = 0; i < 150; i++) {
    if (i > 0) index.remove(0);
    const before = index.bytes;
    index.add(0, word(LONGEST));
    long ||= index.bytes - before;
    most = Math.max(most, index.bytes);
    while (index.tidy());
  }
  expect(long).toBeGreaterThan(20 * LONGEST);
  // Twice what is there, and the few that are replaced while that is moved.
  expect(most).toBeLessThan(3 * (short + long) + 5 * long);
  expect(index.containing('text').count).toBe(rows);
});
