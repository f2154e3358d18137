// Host tests. The core's own tests run under as-pect; both are started by `npm test`. What takes longest and finds least
// is in *.long.ts: `npm run test:long`, or by its name.
import { defineConfig } from 'vitest/config';

const isLong = process.env.VWS_LONG === '1' || process.argv.some((arg) => arg.includes('.long'));

export default defineConfig({
  test: {
    include: [isLong ? 'test/**/*.long.ts' : 'test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: Number(process.env.VWS_WORKERS ?? 2),
  },
});
