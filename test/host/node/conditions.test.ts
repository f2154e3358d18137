import { describe, expect, it } from 'vitest';
import { type Conditions, healthOf, readinessOf } from '../../../host/node/conditions.ts';
import { DiskWatch, MIN_FREE_BYTES } from '../../../host/node/disk-watch.ts';
import { diskUse } from '../../../host/world/system/disk-use.ts';
import { scratch } from '../cli/harness.ts';

const WELL: Conditions = {
  lag: undefined,
  gate: undefined,
  running: undefined,
  order: undefined,
  quorum: undefined,
  clock: undefined,
  disk: undefined,
};

describe('health and readiness', () => {
  it('are good when nothing speaks against it', () => {
    expect(healthOf(WELL)).toEqual({ status: 'healthy', reason: undefined });
    expect(readinessOf(WELL)).toEqual({ isReady: true, reasons: [] });
  });

  it.each([
    ['lag', 'syncing', undefined],
    ['gate', 'syncing', 'because'],
    ['running', 'degraded', 'because'],
    ['order', 'degraded', 'because'],
    ['quorum', 'degraded', 'because'],
    ['clock', 'degraded', 'because'],
    // Health is what the specification makes it: a full disk is none of its reasons until a write fails.
    ['disk', 'healthy', undefined],
  ] as const)('%s: health is %s, and the node is not ready', (name, status, reason) => {
    const conditions = { ...WELL, [name]: 'because' };
    expect(healthOf(conditions)).toEqual({ status, reason });
    expect(readinessOf(conditions)).toEqual({ isReady: false, reasons: ['because'] });
  });

  it('readiness names every reason', () => {
    expect(readinessOf({ ...WELL, clock: 'a', disk: 'b' }).reasons).toEqual(['a', 'b']);
  });
});

describe('the disk', () => {
  it('is asked every few seconds, however often somebody wants to know', () => {
    let [nowMs, asked, freeBytes] = [0, 0, MIN_FREE_BYTES];
    const world = {
      clock: { monotonicMs: () => nowMs },
      diskUse: () => {
        asked += 1;
        return { freeBytes, totalBytes: 2 ** 40, storeBytes: 1, walBytes: 0 };
      },
    };
    const watch = new DiskWatch(world, '/data');
    for (let i = 0; i < 100; i++) expect(watch.hasRoom).toBe(true);
    expect(asked).toBe(1);
    freeBytes -= 1;
    nowMs += 5000;
    expect([watch.hasRoom, asked]).toEqual([false, 2]);
  });

  it('has room where the system does not tell', () => {
    const world = { clock: { monotonicMs: () => 0 }, diskUse: () => undefined };
    expect(new DiskWatch(world, '/data').hasRoom).toBe(true);
    expect(diskUse('/does/not/exist')).toBeUndefined();
  });

  it('counts the files of the store, and its write-ahead log', async () => {
    const { mkdir, writeFile } = await import('node:fs/promises');
    const dir = scratch();
    await mkdir(`${dir}/db`);
    await writeFile(`${dir}/db/000001.sst`, Buffer.alloc(300));
    await writeFile(`${dir}/db/000002.log`, Buffer.alloc(20));
    expect(diskUse(dir)).toMatchObject({ storeBytes: 320, walBytes: 20, freeBytes: expect.any(Number) });
  });
});
