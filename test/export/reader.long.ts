// A reader of an export answers as its node does; `npm run export:compare -- --requests 10000` asks more.

import { describe, expect, it } from 'vitest';
import { READERS } from '../../host/export/reader/readers.ts';
import { compareReader } from '../../tools/export/compare.ts';
import { missingNats } from '../../tools/export/nats-server.ts';
import { missingPostgres } from '../../tools/export/postgres-server.ts';

const missing = missingPostgres();

describe.skipIf(missing)(`PostgreSQL${missing ? ` (${missing})` : ''}`, () => {
  it('has the answers of the node, byte for byte', { timeout: 300_000 }, async () => {
    const { faults, found, asked, equal, routes, streams } = await compareReader({
      requests: 2000,
      seed: 7,
      loadSeconds: 3,
    });
    expect(faults).toEqual([]);
    expect(equal + asked).toBe(2000);
    expect(found).toBeGreaterThan(500);
    expect(streams).toBe(missingNats() === undefined ? 40 : 0);
    const answered = Object.entries(READERS).filter(([, reader]) => typeof reader === 'function');
    expect(Object.keys(routes).sort()).toEqual(answered.map(([id]) => id).sort());
  });
});
