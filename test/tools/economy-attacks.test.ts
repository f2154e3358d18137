// What many identities are given, and what they make of it, as `npm run economy` prints it.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { attackTables } from '../../tools/economy/attacks.ts';
import { builtPath } from '../../tools/load/built.ts';

const { text, faults } = attackTables(new WebAssembly.Module(readFileSync(builtPath('core.wasm'))));
const rows = text.split('\n').map((line) => line.trim().split(/ {2,}/));

it('is bounded by the part of a seat, whatever the number of identities', () => {
  console.log(text);
  const granted = (count: string, chain: string): string =>
    rows.find((row) => row[0] === count && row[1] === chain)![2]!;
  expect(granted('10', 'testnet')).toBe('500,000');
  for (const count of ['1,000', '100,000']) {
    expect(granted(count, 'testnet')).toBe('2,500,000');
    expect(granted(count, 'mainnet')).toBe('250,000');
  }
});

const cast = rows.filter((row) => row.length === 7 && /traders|hogs|spammers|fillers/.test(row[0]!));
const rowsOf = (name: string): string[][] => cast.filter((row) => row[0]!.includes(name));

it('yields no more than it costs, beyond the grants, and power only for fees', () => {
  expect(faults).toEqual([]);
  expect(cast).toHaveLength(15);
  // Tasks of 0.1 token: the score is full, and there is nothing for it.
  for (const row of rowsOf('0.1 token'))
    expect(row.slice(3)).toEqual(['0', '0', '0', 'score of the first 10000 bp']);
  for (const row of rowsOf('all granted money')) expect(row[5]).not.toBe('0');
});

it('binds stake for each task that an identity holds after its first', () => {
  const held = rowsOf('claim hogs').map((row) => [row[3], row[6]]);
  expect(held).toEqual([
    ['19,000', '200 of 2,000 open tasks held'],
    ['95,000', '1,950 of 2,000 open tasks held'],
    ['0', '2,000 of 2,000 open tasks held'],
  ]);
});

it('holds a deposit for every row that an attacker makes and could give back', () => {
  const [few, many, all] = rowsOf('spammers').map((row) => ({
    held: Number(row[3]!.replaceAll(',', '')),
    keys: Number(/([\d,]+) API keys/.exec(row[6]!)![1]!.replaceAll(',', '')),
  }));
  expect([few!.keys, many!.keys, all!.keys]).toEqual([500, 50_000, 131_072]);
  // A tenth of a token for the first row, twice that from half the table on (protocol 6.18).
  expect(few!.held).toBeGreaterThan(50);
  expect(many!.held).toBeGreaterThan(5_000);
  expect(all!.held).toBeGreaterThan(160_000);
});

it('lets identities without anything write 32 KiB each, and no more than that', () => {
  const mebibytes = rowsOf('log fillers').map((row) =>
    Number(/([\d,.]+) MiB/.exec(row[6]!)![1]!.replaceAll(',', '')),
  );
  // 5,000 KiB for each of those that were granted 50,000 tokens, of which a seat has 50 in a day.
  const kib = [
    [10, 10],
    [50, 1_000],
    [50, 100_000],
  ].map(([rich, all]) => rich! * 5_000 + all! * 32);
  for (const [i, written] of mebibytes.entries()) expect(written).toBeCloseTo(kib[i]! / 1024, 1);
});
