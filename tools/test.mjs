// Runs every test: static checks, the core's own (as-pect), the host's (vitest). Stops at the first that fails.

import { spawnSync } from 'node:child_process';

const SUITES = [
  ['static checks', ['tools/check.mjs']],
  ['core', ['node_modules/@as-pect/cli/bin/asp.js', '--summary']],
  ['host', ['node_modules/vitest/vitest.mjs', 'run']],
];

for (const [name, args] of SUITES) {
  const started = Date.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  const secs = ((Date.now() - started) / 1000).toFixed(0);
  if (status !== 0) {
    console.error(`${name}: FAILED after ${secs} s`);
    process.exit(status ?? 1);
  }
  console.log(`${name}: passed in ${secs} s`);
}
