// The examples of README and documents under each supported Node: in fresh folders outside of the project, with a node of
// that runtime. What cannot be fetched is skipped by name.

import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { missingNpm, npmExec, run } from './tools.ts';

const RUNTIMES = ['node@22.23.3', 'node@24.9.0'];

it.for(RUNTIMES)(
  'every example of the documents runs under %s',
  { timeout: 600_000 },
  async (runtime, context) => {
    const missing = await missingNpm([runtime], 'node', resolve('.'));
    if (missing) {
      console.warn(`SKIPPED test/sdk/docs-runtimes.long.ts, ${context.task.name}: ${missing}`);
      context.skip(missing);
    }
    const { code, text } = await run('npm', npmExec([runtime], 'node', 'tools/check-docs.mjs'), {
      cwd: resolve('.'),
    });
    expect(code, text).toBe(0);
    expect(Number(/ (\d+) examples run, 0 faults/.exec(text)?.[1])).toBeGreaterThan(20);
  },
);
