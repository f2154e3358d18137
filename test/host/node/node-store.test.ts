// Data of an older program: migrated once, after a copy; refused with a sentence that says what to do.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS, type Migration } from '../../../host/execution/migrations.ts';
import { readMeta, SCHEMA } from '../../../host/execution/recovery.ts';
import { copyOf, openNodeStore } from '../../../host/node/node-store.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { WriteSet } from '../../../host/store/write-set.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import type { Store } from '../../../host/world/store.ts';
import { systemWorld } from '../../../host/world/system/world.ts';
import { scratch } from '../cli/harness.ts';

const OLD = SCHEMA - 2;
const row = (n: number): Uint8Array => utf8(`x${n}`);
const lines: string[] = [];
const log = {
  debug() {},
  info() {},
  error() {},
  warn: (_: unknown, text?: string) => void lines.push(text ?? ''),
};

/** Each step adds a letter to three rows, one row in a portion. `failsAt`: the step is interrupted before that row. */
const step = (from: number, letter: string, failsAt = 99): Migration => ({
  from,
  what: `the letter ${letter}`,
  async *rows(store) {
    for (let n = 0; n < 3; n++) {
      if (n === failsAt) throw new Error('interrupted');
      const text = new TextDecoder().decode(store.get(row(n))).replaceAll(letter, '');
      yield [{ key: row(n), value: utf8(text + letter) }];
    }
  },
});
const TWO = [step(OLD, 'a'), step(OLD + 1, 'b')];

const open = (dataDir: string, migrations: readonly Migration[] = [], freeBytes?: number): Promise<Store> =>
  openNodeStore({
    config: { dataDir, store: 'classic' },
    log,
    world:
      freeBytes === undefined
        ? systemWorld
        : { ...systemWorld, diskUse: (dir) => ({ ...systemWorld.diskUse(dir)!, freeBytes }) },
    migrations,
  });

async function dataOf(format: number): Promise<string> {
  const dataDir = scratch();
  const store = await systemWorld.stores.open(dataDir, 'classic', () => {});
  const set = new WriteSet(store);
  set.putJson(rowKey.meta('meta'), { schema: format, chain_id: 'c', genesis_hash: 'g' });
  for (let n = 0; n < 3; n++) set.put(row(n), utf8('-'));
  await store.write(set.ops());
  await store.close();
  return dataDir;
}

async function shown(store: Store): Promise<[number, string[]]> {
  const texts = [0, 1, 2].map((n) => new TextDecoder().decode(store.get(row(n))));
  const format = readMeta(store)!.schema;
  await store.close();
  return [format, texts];
}

const rawOf = async (dataDir: string): Promise<[number, string[]]> =>
  shown(await systemWorld.stores.open(dataDir, 'classic', () => {}));

describe('a store of an older format', () => {
  it('is migrated over all steps, once, and the copy is as it was', async () => {
    const dataDir = await dataOf(OLD);
    expect(await shown(await open(dataDir, TWO))).toEqual([SCHEMA, ['-ab', '-ab', '-ab']]);
    expect(await shown(await open(dataDir, TWO))).toEqual([SCHEMA, ['-ab', '-ab', '-ab']]);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('db-'))).toEqual([copyOf(OLD)]);
    rmSync(join(dataDir, 'db'), { recursive: true });
    const { rename } = await import('node:fs/promises');
    await rename(join(dataDir, copyOf(OLD)), join(dataDir, 'db'));
    expect(await rawOf(dataDir)).toEqual([OLD, ['-', '-', '-']]);
  });

  it('is refused where the state root had another rule: before format 9', async () => {
    await expect(open(await dataOf(8), MIGRATIONS)).rejects.toThrow(
      'the data directory has format 8, which this program',
    );
    expect(await shown(await open(await dataOf(9), MIGRATIONS))).toEqual([SCHEMA, ['-', '-', '-']]);
  });

  it('goes on after an interruption, and keeps the first copy', async () => {
    const dataDir = await dataOf(OLD);
    await expect(open(dataDir, [TWO[0]!, step(OLD + 1, 'b', 2)])).rejects.toThrow('interrupted');
    expect(await rawOf(dataDir)).toEqual([OLD + 1, ['-ab', '-a', '-a']]);
    expect(await shown(await open(dataDir, TWO))).toEqual([SCHEMA, ['-ab', '-ab', '-ab']]);
    expect(existsSync(join(dataDir, copyOf(OLD)))).toBe(true);
  });

  it('is left alone where there is no room for the copy, or a step is missing', async () => {
    const dataDir = await dataOf(OLD);
    await expect(open(dataDir, TWO, 2 ** 30)).rejects.toThrow(
      /no room for a copy of it: 1 MiB and 1024 MiB more/,
    );
    await expect(open(dataDir, [TWO[0]!])).rejects.toThrow(
      `the data directory has format ${OLD}, which this program (format ${SCHEMA}) cannot read: `,
    );
    expect(await rawOf(dataDir)).toEqual([OLD, ['-', '-', '-']]);
    expect(readdirSync(dataDir)).toEqual(['db']);
  });
});

it('a store of a newer program is refused', async () => {
  const dataDir = await dataOf(SCHEMA + 1);
  await expect(open(dataDir)).rejects.toThrow(
    `the data directory has format ${SCHEMA + 1}, this program knows formats up to ${SCHEMA}: a newer program wrote it. `,
  );
  expect((await rawOf(dataDir))[0]).toBe(SCHEMA + 1);
});
