// `npm run mutants` takes an hour, and ends when a place or a test is gone: that it would not is shown here.

import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changedText } from '../../tools/mutants/changed-text.ts';
import { MUTANTS } from '../../tools/mutants/table.ts';

const NAMED = MUTANTS.map((mutant) => [`${mutant.room}: ${mutant.rule}`, mutant] as const);

describe('a broken rule', () => {
  it.each(NAMED)('%s: the place is there exactly once', (_, mutant) => {
    expect(mutant.to).not.toBe(mutant.from);
    expect(changedText('.', mutant)).toContain(mutant.to);
  });

  it.each(NAMED)('%s: its tests are there', (_, { tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((test) => !existsSync(test))).toEqual([]);
  });

  it('has words of its own', () => {
    expect(new Set(NAMED.map(([name]) => name)).size).toBe(MUTANTS.length);
  });
});

describe('a change', () => {
  const file = 'tools/mutants/changed-text.ts';

  it('needs a place that is there once, no more and no less', () => {
    expect(changedText('.', { file, from: 'One place of one file', to: '$&' })).toMatch(/^\/\/ \$&, changed/);
    const gone = { file, from: 'no such place', to: '' };
    expect(() => changedText('.', gone)).toThrow('does not contain "no such place" exactly once');
    expect(() => changedText('.', { file, from: 'file', to: '' })).toThrow('exactly once');
  });
});
