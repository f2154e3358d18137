// Logs written by the engines themselves: intact and torn ones pass, a changed bit is detected.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClassic } from '../../../host/world/system/classic-store.ts';
import { findDamage } from '../../../host/world/system/log-check.ts';
import { openRocksdb } from '../../../host/world/system/rocksdb-store.ts';
import { SeededRandom } from '../../../tools/load/seeded-random.ts';

const RECORDS = 40;

describe.each([
  ['rocksdb', openRocksdb],
  ['classic-level', openClassic],
] as const)('the log of %s', (_, open) => {
  let path: string;
  let log: Buffer;
  /** Length of the log after each record. */
  const ends: number[] = [];
  const readLog = (): Buffer => readFileSync(join(path, readdirSync(path).find((n) => n.endsWith('.log'))!));

  beforeAll(async () => {
    path = mkdtempSync(join(tmpdir(), 'vws-log-'));
    const store = await open(path);
    const random = new SeededRandom(7);
    for (let i = 0; i < RECORDS; i++) {
      // Some span several blocks of 32 KiB.
      const value = random.bytes(i % 10 === 9 ? 50_000 : random.below(2_000));
      await store.write([{ key: Buffer.from(`key ${i}`), value }]);
      ends.push(readLog().length);
    }
    log = readLog();
    await store.close();
  });
  afterAll(() => rmSync(path, { recursive: true, force: true }));

  it('is intact, and so is what a crash leaves of it, wherever it was cut', () => {
    expect(findDamage(log)).toBeUndefined();
    expect(findDamage(Buffer.alloc(0))).toBeUndefined();
    const random = new SeededRandom(8);
    for (let i = 0; i < 50; i++) {
      const cut = log.subarray(0, random.below(log.length));
      expect(findDamage(cut), `cut at ${cut.length}`).toBeUndefined();
      // A file system may keep the length and lose the last pages.
      const zeros = Buffer.concat([cut, Buffer.alloc(random.below(70_000))]);
      expect(findDamage(zeros), `zeros from ${cut.length}`).toBeUndefined();
    }
  });

  it('with any changed bit before its last record is damaged, at or before that bit', () => {
    const last = ends.at(-2)!;
    const random = new SeededRandom(9);
    for (let i = 0; i < 100; i++) {
      const at = random.below(last);
      const changed = Buffer.from(log);
      changed[at]! ^= 1 << random.below(8);
      const found = findDamage(changed);
      // Padding at the end of a block is the only thing that no checksum covers.
      if (found === undefined) expect(32_768 - (at % 32_768), `byte ${at}`).toBeLessThan(7);
      else expect(found).toBeLessThanOrEqual(at);
    }
  });

  it('with a hole of any size before its last record is damaged', () => {
    const random = new SeededRandom(10);
    for (let i = 0; i < 100; i++) {
      const changed = Buffer.from(log);
      const from = random.below(ends[RECORDS - 3]!);
      changed.fill(0, from, Math.min(from + 1 + random.below(5_000), ends[RECORDS - 2]!));
      if (changed.equals(log)) continue;
      expect(findDamage(changed), `hole at ${from}`).toBeDefined();
    }
  });
});
