// Random programs answer alike in other runtimes: a sample in this Node, in each of V8's compilers alone, and in Chromium.
// `npm run programs-fuzz` asks all runtimes, with as many programs as one wants. Needs a build.

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MINUTES = 60_000;

test(
  'two hundred random programs have the same ends, outputs and fuel in each runtime that is here',
  () => {
    const own = `Node ${process.versions.node}`;
    const args = ['tools/programs-fuzz.mjs', '--count', '200', '--only', `${own},Chromium`];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    const rows = [...stdout.matchAll(/^ {2}([0-9a-f]{32}) {2}(.+)$/gm)];
    expect(rows.map(([, , name]) => name)).toEqual(
      expect.arrayContaining(['this process', own, `${own} --liftoff-only`, `${own} --no-liftoff`]),
    );
    expect(new Set(rows.map(([, digest]) => digest)).size).toBe(1);
    // A runtime that is missing here is skipped by name.
    if (rows.length === 4) expect(stdout).toMatch(/^ {2}SKIPPED +Chromium: /m);
  },
  5 * MINUTES,
);
