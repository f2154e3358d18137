// Folders that a store refuses to open, so that no engine treats a damaged folder as a new one.

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../host/world/store.ts';
import { StoreError } from '../../../host/world/store.ts';
import { openStore } from '../../../host/world/system/open-store.ts';

const quiet = (): void => {};

describe.each(['rocksdb', 'classic'] as const)('a folder made by %s', (engine) => {
  let dir: string;
  const open = (wanted: Engine) => openStore(dir, wanted, quiet);
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'vws-open-'));
    const store = await open(engine);
    await store.write([{ key: Buffer.from('k'), value: Buffer.from('v') }]);
    await store.write([{ key: Buffer.from('l'), value: Buffer.from('w') }]);
    await store.close();
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('is opened by the engine that created it, also when none is configured', async () => {
    const store = await open('auto');
    expect(store.engine).toBe(engine === 'rocksdb' ? 'rocksdb' : 'classic-level');
    expect(Buffer.from(store.get(Buffer.from('k'))!).toString()).toBe('v');
    await store.close();
  });

  it('is refused by the other engine', async () => {
    const other = engine === 'rocksdb' ? 'classic' : 'rocksdb';
    await expect(open(other)).rejects.toThrow(`was created with SERVICE_STORE=${engine}, not ${other}`);
  });

  it('without CURRENT is damaged, not new', async () => {
    rmSync(join(dir, 'db', 'CURRENT'));
    const names = readdirSync(join(dir, 'db'));
    await expect(open(engine)).rejects.toThrow(/is damaged: .*CURRENT is missing/);
    expect(readdirSync(join(dir, 'db'))).toEqual(names);
  });

  it('left without CURRENT by a killed first start is new', async () => {
    for (const name of readdirSync(join(dir, 'db'))) {
      if (/CURRENT|\.log$|\.sst$|\.ldb$/.test(name)) rmSync(join(dir, 'db', name));
    }
    const store = await open(engine);
    expect(store.get(Buffer.from('k'))).toBeUndefined();
    await store.close();
  });

  it('is not made beside the new store of an interrupted vws reindex', async () => {
    mkdirSync(join(dir, 'reindex'));
    renameSync(join(dir, 'db'), join(dir, 'reindex', 'db'));
    mkdirSync(join(dir, 'db-before-reindex'));
    await expect(open(engine)).rejects.toThrow('vws reindex was interrupted between two steps: run it again');
    expect(readdirSync(dir).sort()).toEqual(['db-before-reindex', 'reindex']);
  });

  it('with a changed bit in its log is damaged, and the log stays', async () => {
    const path = join(dir, 'db', readdirSync(join(dir, 'db')).find((n) => n.endsWith('.log'))!);
    const log = readFileSync(path);
    log[12]! ^= 1;
    writeFileSync(path, log);
    await expect(open(engine)).rejects.toThrow(StoreError);
    await expect(open(engine)).rejects.toThrow(/has a bad record at byte \d+ followed by valid ones/);
    expect(readFileSync(path).equals(log)).toBe(true);
  });

  it('and its lock: the message names the other process only when there is one', async () => {
    const first = await open(engine);
    await expect(open(engine)).rejects.toThrow(/another process is using/);
    await first.close();
    const manifest = readdirSync(join(dir, 'db')).find((n) => n.startsWith('MANIFEST'))!;
    writeFileSync(join(dir, 'db', manifest), 'block lock LOCK');
    await expect(open(engine)).rejects.toThrow(/cannot be opened: /);
  });
});
