import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { PREFIXES } from '../../../host/store/prefixes.ts';
import { WriteSet } from '../../../host/store/write-set.ts';
import { openClassic } from '../../../host/world/system/classic-store.ts';
import { FileStore } from '../../../host/world/system/file-store.ts';
import { openStore } from '../../../host/world/system/open-store.ts';
import { openRocksdb } from '../../../host/world/system/rocksdb-store.ts';
import { storeContract } from './store.contract.ts';

storeContract('rocksdb', openRocksdb, true);
storeContract('classic-level', openClassic, true);
storeContract('file', (path) => FileStore.open(path), true, false);
storeContract('memory', async () => new MemoryStore(), false);

for (const engine of ['rocksdb', 'classic'] as const) {
  it(`a second process on one data directory gets a clear error (${engine})`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'vws-store-'));
    const first = await openStore(dir, engine, () => {});
    await expect(openStore(dir, engine, () => {})).rejects.toThrow(
      /another process is using .*choose another/,
    );
    await first.close();
    rmSync(dir, { recursive: true, force: true });
  });
}

it('an engine that reports its memory counts what is not in files yet', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'vws-store-'));
  for (const engine of ['rocksdb', 'classic'] as const) {
    const store = await openStore(join(dir, engine), engine, () => {});
    const before = store.memory();
    await store.write([{ key: Buffer.from('a'), value: new Uint8Array(1_000_000) }]);
    const after = store.memory();
    if (engine === 'classic') expect([before, after]).toEqual([undefined, undefined]);
    else {
      expect(after!.memtables - before!.memtables).toBeGreaterThan(900_000);
      expect([after!.cache, after!.index].every((bytes) => bytes >= 0)).toBe(true);
    }
    await store.close();
  }
  rmSync(dir, { recursive: true, force: true });
});

it('prefixes are single letters without overlap', () => {
  for (const name of Object.keys(PREFIXES)) expect(name).toMatch(/^[A-Za-z]$/);
});

it('a write set reads its own writes before they reach the store', async () => {
  const store = new MemoryStore();
  await store.write([
    { key: Buffer.from('old'), value: Buffer.from('"stored"') },
    { key: Buffer.from('gone'), value: Buffer.from('"stored"') },
  ]);
  const set = new WriteSet(store);
  set.putJson(Buffer.from('new'), { n: 1 });
  set.delete(Buffer.from('gone'));
  expect(set.getJson(Buffer.from('new'))).toEqual({ n: 1 });
  expect(set.getJson(Buffer.from('old'))).toBe('stored');
  expect(set.get(Buffer.from('gone'))).toBeUndefined();
  expect(store.get(Buffer.from('new'))).toBeUndefined();
  await store.write(set.ops());
  expect(store.get(Buffer.from('gone'))).toBeUndefined();
});
