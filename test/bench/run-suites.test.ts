// A run of several suites, of which some fail; and the file of figures, which is tried before anything is measured.

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Row, row } from '../../bench/row.ts';
import { runSuites } from '../../bench/run-suites.ts';
import { builtPath } from '../../tools/load/built.ts';

const suite = (name: string, run: () => Promise<Row[]>) => ({ name, load: async () => ({ run }) });
const good = (name: string) =>
  suite(name, async () => [row(name, 'case', { n: 1 }, '/s', 2, { name: 'other', value: 1 })]);

describe('suites in turn', () => {
  it('go on after one that fails, and hand over what there is after each', async () => {
    const said: string[] = [];
    const kept: string[][] = [];
    const failed = await runSuites(
      [
        good('first'),
        suite('bad', async () => {
          throw new Error('no peer today');
        }),
        {
          name: 'absent',
          load: async () => {
            throw new Error('not loaded');
          },
        },
        good('last'),
      ],
      { small: true, say: (line) => said.push(line) },
      (rows) => kept.push(rows.map((one) => one.suite)),
    );
    expect(failed).toEqual(['bad', 'absent']);
    expect(kept).toEqual([['first'], ['first'], ['first'], ['first', 'last']]);
    expect(said.join('\n')).toMatch(/== bad\n {2}FAILED bad: Error: no peer today/);
  });
});

describe('--json', () => {
  it('that cannot be written ends the program before a suite runs', () => {
    const args = [builtPath('bench/main.js'), '--suite', 'wire', '--small', '--json', '/nonexistent/x.json'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: --json: .*\/nonexistent\/x\.json.*\nSee: npm run bench -- --help\n$/);
    expect(stdout).not.toContain('== wire');
  });
});
