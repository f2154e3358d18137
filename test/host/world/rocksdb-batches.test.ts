// Large batches of the RocksDB store, which a thread of its own writes.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PackedRows } from '../../../host/world/packed-rows.ts';
import type { BatchOp } from '../../../host/world/store.ts';
import { openRocksdb } from '../../../host/world/system/rocksdb-store.ts';
import { builtPath } from '../../../tools/load/built.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const text = (value: Uint8Array | undefined): string | undefined => value && Buffer.from(value).toString();
/** Rows k0, k1, and so on, enough of them to be handed over. */
const large = (value: string, count = 500): BatchOp[] =>
  Array.from({ length: count }, (_, n) => ({ key: bytes(`k${n}`), value: bytes(value) }));

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vws-batches-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('a large batch leaves the event loop to others until it is on disk', async () => {
  const store = await openRocksdb(dir);
  let isDone = false;
  const written = store.write(large('1')).then(() => {
    isDone = true;
  });
  // Answers of another thread arrive in a later turn of the loop, never between two microtasks.
  for (let i = 0; i < 1000; i++) await undefined;
  expect(isDone).toBe(false);
  await written;
  expect(text(store.get(bytes('k499')))).toBe('1');
  await store.close();
});

it('batches take effect in the order of the calls, small ones after large ones too', async () => {
  const store = await openRocksdb(dir);
  const seen: string[] = [];
  const write = (name: string, ops: BatchOp[]): Promise<void> =>
    store.write(ops).then(() => void seen.push(`${name}: ${text(store.get(bytes('k7')))}`));
  await Promise.all([
    write('large', large('1')),
    write('small', [{ key: bytes('k7'), value: bytes('2') }]),
    write('large again', large('3')),
    write('small deletion', [{ key: bytes('k7'), value: undefined }]),
  ]);
  expect(seen.map((line) => line.split(':')[0])).toEqual(['large', 'small', 'large again', 'small deletion']);
  expect(store.get(bytes('k7'))).toBeUndefined();
  expect(text(store.get(bytes('k8')))).toBe('3');
  // What was written is read at once when nothing is under way.
  void store.write([{ key: bytes('k7'), value: bytes('4') }]);
  expect(text(store.get(bytes('k7')))).toBe('4');
  await store.close();
});

it('closing waits for what is being written', async () => {
  const store = await openRocksdb(dir);
  const written = [store.write(large('1')), store.write(large('2'))];
  await store.close();
  await Promise.all(written);
  const again = await openRocksdb(dir);
  expect(text(again.get(bytes('k0')))).toBe('2');
  await again.close();
});

/** A large batch that cannot be written. */
class Malformed extends PackedRows {
  override get length(): number {
    return 500;
  }

  override get packed(): Uint8Array {
    return Uint8Array.of(9, 9, 9, 9, 9);
  }
}

it('nothing is written after a batch that failed: neither what waits behind it nor what comes later', async () => {
  const store = await openRocksdb(dir);
  await store.write(large('1'));
  const ends = await Promise.allSettled([
    store.write(new Malformed()),
    store.write(large('2')),
    store.write([{ key: bytes('k7'), value: bytes('3') }]),
  ]);
  ends.push(...(await Promise.allSettled([store.write([{ key: bytes('k7'), value: bytes('4') }])])));
  expect(ends.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  expect(text(store.get(bytes('k7')))).toBe('1');
  await store.close();
});

it('a batch that comes while the store is closed is refused, large or small, and those before it are written', async () => {
  const store = await openRocksdb(dir);
  const written = store.write(large('1'));
  const closing = store.close();
  await expect(store.write(large('2'))).rejects.toThrow('the store is closed');
  await expect(store.write([{ key: bytes('k7'), value: bytes('3') }])).rejects.toThrow('the store is closed');
  await Promise.all([written, closing]);
  const again = await openRocksdb(dir);
  expect(text(again.get(bytes('k7')))).toBe('1');
  await again.close();
});

it('a store that goes with its process writes at once and in this thread, however large the batch', async () => {
  const store = await openRocksdb(dir, false);
  const written = store.write(large('1'));
  expect(text(store.get(bytes('k499')))).toBe('1');
  await written;
  await store.close();
  const again = await openRocksdb(dir);
  expect(text(again.get(bytes('k0')))).toBe('1');
  await again.close();
});

/** Writes a large batch, then ends as it is told. */
const PROGRAM = `
import { randomBytes } from 'node:crypto';
import { openStore } from ${JSON.stringify(builtPath('host/world/system/open-store.js'))};
const [dir, end] = process.argv.slice(-2);
const store = await openStore(dir, 'rocksdb', () => {}).catch((error) => {
  console.log(error.message);
  process.exit(1);
});
const large = Array.from({ length: 500 }, (_, n) => ({ key: Buffer.from('k' + n), value: Buffer.alloc(10, 1) }));
await store.write(large);
if (end === 'fill') {
  try {
    // The engine compresses its log: only what cannot be compressed fills the disk.
    for (let i = 0; i < 100; i++) await store.write(large.map(({ key }) => ({ key, value: randomBytes(1000) })));
  } catch (error) {
    console.log(error.message);
    await store.close().catch(() => {});
  }
}
if (end === 'exit') process.exit(0);
if (end === 'kill') process.kill(process.pid, 'SIGKILL');
`;

async function run(end: string, limit = ''): Promise<{ end: unknown; out: string }> {
  const command = `${limit} exec "$0" --input-type=module -e "$1" -- "$2" "$3"`;
  const child = spawn('sh', ['-c', command, process.execPath, PROGRAM, dir, end], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let out = '';
  child.stdout.on('data', (part) => {
    out += part;
  });
  return await new Promise((resolve) =>
    child.once('close', (code, signal) => resolve({ end: code ?? signal, out })),
  );
}

it('a process that ends without closing its store ends as it wants, and what was written is there', async () => {
  for (const [end, expected] of [
    ['exit', 0],
    ['kill', 'SIGKILL'],
  ] as const) {
    expect((await run(end)).end).toBe(expected);
    const store = await openRocksdb(join(dir, 'db'));
    expect(store.get(bytes('k499'))).toEqual(Buffer.alloc(10, 1));
    await store.write(large('gone', 1));
    await store.close();
  }
});

it('a large batch that finds the disk full is refused with the reason', async () => {
  const { end, out } = await run('fill', 'ulimit -f 4000;');
  expect(out).toMatch(/cannot be written: .*File too large/);
  expect(end).toBe(0);
});

it('a store that finds the disk full as it opens is no damaged one: there is nothing to restore', async () => {
  await run('fill', 'ulimit -f 4000;');
  // The engine writes its log into a table then.
  const { end, out } = await run('exit', 'ulimit -f 100;');
  expect([end, out]).toEqual([1, expect.stringMatching(/the disk is full.*make room.*start again/)]);
  expect(out).not.toMatch(/restore/);
  expect(await run('exit')).toEqual({ end: 0, out: '' });
});
