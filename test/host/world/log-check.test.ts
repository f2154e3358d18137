// Logs written by the engines themselves: intact and torn ones pass, a changed bit is detected.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowU64 } from '../../../host/store/prefixes.ts';
import type { Store } from '../../../host/world/store.ts';
import { openClassic } from '../../../host/world/system/classic-store.ts';
import { crc32c } from '../../../host/world/system/crc32c.ts';
import { findDamage } from '../../../host/world/system/log-check.ts';
import { openRocksdb } from '../../../host/world/system/rocksdb-store.ts';
import { SeededRandom } from '../../../tools/load/seeded-random.ts';

const RECORDS = 40;

/** A record in one piece, as both engines write and check it. */
function recordOf(payload: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.of(1), payload]);
  const crc = crc32c(typed);
  const head = Buffer.alloc(6);
  head.writeUInt32LE((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0);
  head.writeUInt16LE(payload.length, 4);
  return Buffer.concat([head, typed]);
}

/** A batch of one row: its sequence number, how many rows, and a put of one byte under a key of one. */
function batchOf(sequence: number): Buffer {
  const head = Buffer.alloc(12);
  head.writeBigUInt64LE(BigInt(sequence));
  head.writeUInt32LE(1, 8);
  return Buffer.concat([head, Buffer.of(1, 1, 7, 1, 7)]);
}

const logIn = (path: string): Buffer =>
  readFileSync(join(path, readdirSync(path).find((name) => name.endsWith('.log'))!));

/** A log that ends with a row of this value, and where that batch begins. */
async function loggedLast(
  open: (path: string) => Promise<Store>,
  value: Uint8Array,
): Promise<{ whole: Buffer; from: number }> {
  const path = mkdtempSync(join(tmpdir(), 'vws-log-'));
  const store = await open(path);
  for (let i = 0; i < 2 * RECORDS; i++)
    await store.write([{ key: Buffer.from(`key ${i}`), value: rowU64(i) }]);
  const from = logIn(path).length;
  await store.write([{ key: Buffer.from('a program'), value }]);
  const whole = logIn(path);
  await store.close();
  rmSync(path, { recursive: true, force: true });
  return { whole, from };
}

describe.each([
  ['rocksdb', openRocksdb],
  ['classic-level', openClassic],
] as const)('the log of %s', (_, open) => {
  let path: string;
  let log: Buffer;
  /** Length of the log after each record. */
  const ends: number[] = [];

  beforeAll(async () => {
    path = mkdtempSync(join(tmpdir(), 'vws-log-'));
    const store = await open(path);
    const random = new SeededRandom(7);
    for (let i = 0; i < RECORDS; i++) {
      // Some span several blocks of 32 KiB.
      const value = random.bytes(i % 10 === 9 ? 50_000 : random.below(2_000));
      await store.write([{ key: Buffer.from(`key ${i}`), value }]);
      ends.push(logIn(path).length);
    }
    log = logIn(path);
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

  it('torn in bytes that a stranger chose, records of a log among them, is no damage', async () => {
    const records = [
      recordOf(Buffer.alloc(0)),
      recordOf(batchOf(1)),
      recordOf(batchOf(2 ** 40)),
      log.subarray(0, ends[0]),
      log.subarray(ends.at(-2), ends.at(-1)),
    ];
    for (const [i, record] of records.entries()) {
      const { from, whole } = await loggedLast(open, Buffer.alloc(150_000, record));
      expect(findDamage(whole)).toBeUndefined();
      for (let cut = from + 1; cut < whole.length; cut += 997)
        expect(findDamage(whole.subarray(0, cut)), `record ${i}, cut at ${cut}`).toBeUndefined();
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

it('bytes that each could begin a long record cost no checksum each, behind a torn record', () => {
  const whole = recordOf(batchOf(7));
  const torn = recordOf(batchOf(8));
  torn[0]! ^= 1;
  const chosen = Buffer.alloc(1 << 20, Buffer.of(1, 0x3f));
  const before = process.cpuUsage();
  expect(findDamage(Buffer.concat([whole, torn, chosen]))).toBeUndefined();
  // It took eight seconds.
  expect(process.cpuUsage(before).user).toBeLessThan(1_500_000);
  const next = recordOf(batchOf(9));
  expect(findDamage(Buffer.concat([whole, torn, chosen.subarray(0, 1000), next]))).toBe(whole.length);
});
