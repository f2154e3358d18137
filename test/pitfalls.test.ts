// The tables of docs/pitfalls.md: each known fault once, each with tests that exist.

import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROWS = readFileSync('docs/pitfalls.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z]\d+ \|/.test(line));
/** How many faults of each kind there are. */
const COUNTS = { C: 11, D: 8, M: 12, A: 13, V: 11, P: 7, O: 8 };

it('names every fault once', () => {
  const expected = Object.entries(COUNTS).flatMap(([kind, n]) =>
    Array.from({ length: n }, (_, i) => `${kind}${i + 1}`),
  );
  expect(ROWS.map((row) => row.split(' ')[1]).sort()).toEqual(expected.sort());
});

it('names tests that exist for each', () => {
  for (const row of ROWS) {
    const files = [...row.matchAll(/`((?:test|tools|bench)\/[^`]+)`/g)].map((m) => m[1]!);
    expect(files.length, row).toBeGreaterThan(0);
    expect(
      files.filter((file) => !existsSync(file)),
      row,
    ).toEqual([]);
  }
});
