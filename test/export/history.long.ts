// The tools that show what an export of a long history is like, in small: npm run export:again, npm run export:depth.

import { describe, expect, it } from 'vitest';
import { exportAgain } from '../../tools/export/again.ts';
import { depthOf } from '../../tools/export/depth.ts';
import { missingPostgres } from '../../tools/export/postgres-server.ts';

const missing = missingPostgres();

describe.skipIf(missing)(`PostgreSQL${missing ? ` (${missing})` : ''}`, () => {
  it('has equal tables from genesis and from a signed state', { timeout: 300_000 }, async () => {
    const { events, from, rows, faults } = await exportAgain({
      transactions: 3000,
      writes: 50,
      say: () => {},
    });
    expect(faults).toEqual([]);
    expect(from).toBeGreaterThan(0);
    expect(events).toBeGreaterThan(from + 50);
    expect(rows.event).toBe(events - from);
    expect(rows.account).toBeGreaterThan(50);
  });

  it('finds pages by key, however far back they are', { timeout: 300_000 }, async () => {
    const { rows, faults } = await depthOf({ events: 100_000, agents: 100, documents: 20_000 });
    expect(faults).toEqual([]);
    const filtered = new Set(rows.filter(({ way }) => way === 'walk').map(({ question }) => question));
    // Each filter of each list but those of events and of checkpoints, which are found by key.
    expect(filtered.size).toBeGreaterThanOrEqual(20);
    expect(rows.filter(({ total }) => total === 0).map(({ question }) => question)).toEqual([]);
    const all = rows.filter(({ question }) => question === 'tasks_list' || question === 'events_recent');
    expect(all.every(({ blocks, scans }) => blocks < 40 && !scans.includes('Seq Scan'))).toBe(true);
  });
});
