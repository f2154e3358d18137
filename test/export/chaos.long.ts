// A short chaos of the export, with real processes; `npm run export:chaos -- --minutes 10` makes it long.

import { describe, expect, it } from 'vitest';
import { exportChaos } from '../../tools/export/chaos.ts';
import { missingNats } from '../../tools/export/nats-server.ts';
import { missingPostgres } from '../../tools/export/postgres-server.ts';
import { testSeed } from '../e2e/seed.ts';

const missing = missingPostgres();

describe.skipIf(missing)(`PostgreSQL${missing ? ` (${missing})` : ''}`, () => {
  it('has every event once after exporters and database were killed', { timeout: 300_000 }, async () => {
    const seed = testSeed();
    const result = await exportChaos({
      seconds: 25,
      seed,
      writers: 4,
      pauseMs: [500, 3000],
      withStream: missingNats() === undefined,
    });
    expect(result.faults, `VWS_SEED=${seed}`).toEqual([]);
    expect(result.kills.exporter + result.kills.database).toBeGreaterThan(3);
    expect(result.events).toBeGreaterThan(10);
  });
});
