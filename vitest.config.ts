// Host tests. The core's own tests run under as-pect; both are started by `npm test`. What takes longest and finds least
// is in *.long.ts: `npm run test:long`, or by its name; what takes hours of simulated time in *.drill.ts: by its name only.
import { defineConfig } from 'vitest/config';

const isAsked = (kind: string): boolean => process.argv.some((arg) => arg.includes(`.${kind}`));
const isLong = process.env.VWS_LONG === '1';
// Files named on the command line may be of both kinds.
const named = isAsked('long') ? '@(long|test)' : 'test';
const kind = isAsked('drill') ? 'drill' : isLong ? 'long' : named;

/** Tests of modules alone: a process runs many of these files, one after another, and loads what they import once. */
const ALIKE = `test/@(host|core|sim|model)/**/*.${kind}.ts`;
/** Each of all others has a process of its own; so do, of those, files that replace a module or write into what others share. */
const APART = [
  `test/!(host|core|sim|model)/**/*.${kind}.ts`,
  `test/*.${kind}.ts`,
  ...(kind === named
    ? ['test/host/audit/fooling-history.test.ts', 'test/host/sequencer/prepare.test.ts']
    : []),
];

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    setupFiles: ['test/setup.ts'],
    // What lands work tries a test that failed a second time, and names it: a fault of one run in many is mended, not waited out.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', './test/flaky-reporter.ts'],
    // Of what runs here much waits for nodes, so that there is work for more processes than processors.
    maxWorkers: Number(process.env.VWS_WORKERS ?? 3),
    projects: [
      { extends: true, test: { name: 'alike', include: [ALIKE], exclude: APART, isolate: false } },
      { extends: true, test: { name: 'apart', include: APART } },
    ],
  },
});
