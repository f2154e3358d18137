// The table of known faults in test/README.md: each id once, each file there.

import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const TEXT = readFileSync('test/README.md', 'utf8');
const ROWS = TEXT.split('\n').filter((line) => /^\| [A-Z]\d+ \|/.test(line));
/** How many faults of each kind there are. */
const COUNTS = { C: 11, D: 8, M: 12, A: 13, V: 11, P: 7, O: 8 };

it('names every fault once, in the table or as one of a later part', () => {
  const named = TEXT.slice(TEXT.indexOf('## Known faults')).match(/\b[CDMAVPO]\d{1,2}\b/g) ?? [];
  const expected = Object.entries(COUNTS).flatMap(([kind, n]) =>
    Array.from({ length: n }, (_, i) => `${kind}${i + 1}`),
  );
  expect([...named].sort()).toEqual(expected.sort());
});

it('names files that exist', () => {
  for (const row of ROWS) {
    const files = [...row.matchAll(/`((?:test|tools)\/[^`]+)`/g)].map((m) => m[1]!);
    expect(files.length, row).toBeGreaterThan(0);
    expect(
      files.filter((file) => !existsSync(file)),
      row,
    ).toEqual([]);
  }
});
