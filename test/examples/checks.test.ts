// The worked examples of checks: each comes to what it must on its good and bad examples, and would not without its rules.

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { scratch, vws } from '../host/cli/harness.ts';

const FOLDER = 'examples/checks';
const NAMES = readdirSync(FOLDER);

async function judged(folder: string): Promise<{ code: number; wrong: string[] }> {
  const { code, out, err } = await vws(['check', 'test', folder, '--json']);
  expect(err).toBe('');
  const examples: { example: string; fault: string }[] = JSON.parse(out).examples;
  return { code, wrong: examples.filter(({ fault }) => fault !== '').map(({ example }) => example) };
}

/** A copy of an example with one of its files changed. */
function changed(name: string, file: string, from: string | RegExp, to: string): string {
  const folder = join(scratch(), name);
  cpSync(join(FOLDER, name), folder, { recursive: true });
  const text = readFileSync(join(folder, file), 'utf8');
  expect(text).not.toBe(text.replace(from, to));
  writeFileSync(join(folder, file), text.replace(from, to));
  return folder;
}

test.each(NAMES)('%s is right on all of its examples', async (name) => {
  expect(await judged(join(FOLDER, name))).toEqual({ code: 0, wrong: [] });
});

describe('an example notices when its check is weakened:', () => {
  it.each([
    ['sums', 'check.json', /"row_sums": \[.*\],/, '', ['bad/row-off-by-a-cent.csv']],
    ['sums', 'check.json', /,\s*"column_sums": \[.*\]/, '', ['bad/left-out.csv']],
    ['sums', 'check.json', '"type": "date", ', '', ['bad/no-such-day.csv']],
    ['invoice', 'check.json', '"pass_bp": 7500', '"pass_bp": 6000', ['bad/two-wrong.json']],
    [
      'invoice',
      'check.ts',
      'if (field.isNeeded) isGood = false;',
      '',
      ['bad/cents.json', 'bad/number-swapped.json'],
    ],
    [
      'start',
      'check.ts',
      'return addsUp(json) ? pass() : fail();',
      'addsUp(json);\n  return pass();',
      ['bad/no-total.json', 'bad/wrong-sum.json'],
    ],
  ])('%s, %s without %s', async (name, file, from, to, wrong) => {
    expect(await judged(changed(name, file, from, to))).toEqual({ code: 1, wrong });
  });
});
