import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { examine } from '../../../../host/cli/examination.ts';
import { createNodeKeyFile, nodeKeyPath } from '../../../../host/crypto/node-key-file.ts';
import { SCHEMA } from '../../../../host/execution/recovery.ts';
import { SignedRecord } from '../../../../host/ordering/signed-record.ts';
import { noteFormat } from '../../../../host/store/format-note.ts';
import { systemFiles } from '../../../../host/world/system/files.ts';
import { openStore } from '../../../../host/world/system/open-store.ts';
import { scratch, vws } from '../harness.ts';

/** A data directory with a key and a store. */
async function nodeData(): Promise<{ data: string; publicKey: string }> {
  const data = join(scratch(), 'data');
  const { publicKeyHex: publicKey } = createNodeKeyFile(data, 'secret');
  const store = await openStore(data, 'classic', () => {});
  await store.write([{ key: Buffer.from('m'), value: Buffer.alloc(5000, 1) }]);
  await store.write([{ key: Buffer.from('n'), value: Buffer.alloc(5000, 2) }]);
  await store.close();
  return { data, publicKey };
}

const faults = async (data: string, signedRecord?: string): Promise<string[]> =>
  (await examine({ dataDir: data, signedRecord, signerPath: undefined, nodeVersion: 'v22.20.0' }))
    .filter(({ state }) => state === 'bad')
    .map(({ about, text }) => `${about}: ${text}`);

const logOf = (data: string): string =>
  join(data, 'db', readdirSync(join(data, 'db')).find((name) => name.endsWith('.log'))!);

describe('vws doctor', () => {
  it('finds nothing wrong with a healthy directory, and changes nothing', async () => {
    const { data, publicKey } = await nodeData();
    const before = readFileSync(logOf(data));
    const names = readdirSync(join(data, 'db'));
    const ran = await vws(['doctor', '--data', data]);
    expect(ran.out).toContain(`ok    Key: ${publicKey}`);
    expect(ran.out).toContain('ok    Store: classic');
    expect([ran.code, await faults(data)]).toEqual([0, []]);
    expect([readFileSync(logOf(data)), readdirSync(join(data, 'db'))]).toEqual([before, names]);
    const json = JSON.parse((await vws(['doctor', '--data', data, '--json'])).out);
    expect(json).toContainEqual({ about: 'Key', state: 'good', text: publicKey });
  });

  it('knows a key that is in a token, without opening that', async () => {
    const data = join(scratch(), 'data');
    mkdirSync(join(data, 'node_keys'), { recursive: true, mode: 0o700 });
    const place = { module: process.execPath, token: 'seat1' };
    const named = (change: object): void =>
      writeFileSync(
        join(data, 'node_keys', 'token.json'),
        JSON.stringify({
          format: 1,
          ...place,
          key_id: '11'.repeat(16),
          public_key: 'ab'.repeat(32),
          ...change,
        }),
      );
    named({});
    expect((await vws(['doctor', '--data', data])).out).toContain(
      `ok    Key: ${'ab'.repeat(32)}, in token seat1 of ${process.execPath}`,
    );
    named({ module: '/nowhere/p11.so' });
    expect((await faults(data))[0]).toMatch(/^Key: there is no \/nowhere\/p11.so, the module of token seat1/);
    named({ public_key: 5 });
    expect((await faults(data))[0]).toMatch(/^Key: .*token.json is altered/);
    named({});
    writeFileSync(nodeKeyPath(data), '{}');
    expect((await faults(data))[0]).toMatch(/^Key: .* both name a key/);
  });

  it.each<[string, (data: string) => void, RegExp]>([
    ['no key', (data) => rmSync(nodeKeyPath(data)), /^Key: there is no .*identity\.json/],
    ['an altered key file', (data) => writeFileSync(nodeKeyPath(data), '{}'), /^Key: .* is altered/],
    ['a key that others may read', (data) => chmodSync(nodeKeyPath(data), 0o644), /^Key: others may read/],
    [
      'a store without its index',
      (data) => rmSync(join(data, 'db', 'CURRENT')),
      /^Store: .*CURRENT is missing/,
    ],
    [
      'a flipped bit in a log',
      (data) => {
        const bytes = readFileSync(logOf(data));
        bytes[100]! ^= 1;
        writeFileSync(logOf(data), bytes);
      },
      /^Store: .*bad record at byte 0/,
    ],
  ])('names %s', async (_, harm, expected) => {
    const { data } = await nodeData();
    harm(data);
    expect(await faults(data)).toEqual([expect.stringMatching(expected)]);
    expect((await vws(['doctor', '--data', data])).code).toBe(1);
  });

  it('names a directory that does not exist', async () => {
    // Whoever cannot look into a directory is not told that it has no key, and to make one.
    expect(await faults(join(scratch(), 'nowhere'))).toEqual([
      expect.stringMatching(/^Data directory: .*nowhere: it does not exist/),
    ]);
    expect((await vws(['doctor', '--data', join(scratch(), 'nowhere')])).out).not.toMatch(/Key|Store|Disk/);
  });

  it('names a record of another key, and a torn one', async () => {
    const { data, publicKey } = await nodeData();
    const path = join(scratch(), 'record');
    const genesisHash = 'ab'.repeat(32);
    const vertex = { epoch: 3, seq: 9, id: 'cd'.repeat(32) };
    await SignedRecord.open(systemFiles, path, { genesisHash, key: publicKey }).write(vertex);
    expect(await faults(data, path)).toEqual([]);
    rmSync(path);
    await SignedRecord.open(systemFiles, path, { genesisHash, key: '11'.repeat(32) }).write(vertex);
    expect(await faults(data, path)).toEqual([expect.stringMatching(/belongs to the key 1111/)]);
    writeFileSync(path, '{"torn');
    expect(await faults(data, path)).toEqual([expect.stringMatching(/torn or altered/)]);
  });

  it('names the format of the store, and who holds it', async () => {
    const { data } = await nodeData();
    const about = async (name: string) =>
      (
        await examine({
          dataDir: data,
          signedRecord: undefined,
          signerPath: undefined,
          nodeVersion: 'v22.20.0',
        })
      ).find((finding) => finding.about === name);
    expect(await about('Store format')).toMatchObject({
      state: 'good',
      text: expect.stringMatching(/^not noted/),
    });
    for (const [format, state, text] of [
      [SCHEMA, 'good', `${SCHEMA}`],
      [
        SCHEMA + 1,
        'bad',
        `the store has format ${SCHEMA + 1}, this program knows up to ${SCHEMA}: start the newer`,
      ],
      [
        1,
        'bad',
        `the store has format 1, which this program (format ${SCHEMA}) cannot read: start the program`,
      ],
    ] as const) {
      await noteFormat(systemFiles, data, format);
      expect(await about('Store format')).toMatchObject({ state, text: expect.stringContaining(text) });
    }
    expect(await about('Store in use')).toMatchObject({ state: 'good', text: 'no process holds the store' });
    const store = await openStore(data, 'classic', () => {});
    const holder = `process ${process.pid} holds the store: a node that runs`;
    expect(await about('Store in use')).toMatchObject(
      process.platform === 'linux' ? { state: 'good', text: holder } : { state: 'good' },
    );
    await store.close();
  });

  it('asks the signer of a node without a key file, and names a key file beside it', async () => {
    const { data, publicKey } = await nodeData();
    const [keys, socket] = [join(scratch(), 'keys'), join(scratch(), 's.sock')];
    const of = (signerPath: string) =>
      examine({ dataDir: data, signedRecord: undefined, signerPath, nodeVersion: 'v22.20.0' }).then((all) =>
        all.find(({ about }) => about === 'Key'),
      );
    expect(await of(socket)).toMatchObject({
      state: 'bad',
      text: expect.stringMatching(/lies beside SERVICE_SIGNER/),
    });
    mkdirSync(keys, { mode: 0o700 });
    renameSync(join(data, 'node_keys'), join(keys, 'node_keys'));
    writeFileSync(join(keys, 'pass'), 'secret', { mode: 0o600 });
    const args = ['signer', '--data', keys, '--passphrase-file', join(keys, 'pass'), '--socket', socket];
    const signer = spawn(process.execPath, ['build/host/cli/main.js', ...args, '--begin-record'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise<void>((ready) =>
      signer.stdout.on('data', (text) => String(text).includes('ready') && ready()),
    );
    try {
      expect(await of(socket)).toMatchObject({ state: 'good', text: expect.stringContaining(publicKey) });
    } finally {
      signer.kill();
    }
  });

  it.each([
    ['v18.20.0', 'bad'],
    ['v20.18.1', 'bad'],
    ['v20.19.0', 'care'],
    ['v22.1.0', 'good'],
    ['v24.9.0', 'good'],
  ])('calls Node.js %s %s', async (nodeVersion, state) => {
    const dataDir = scratch();
    mkdirSync(join(dataDir, 'db'));
    const [first] = await examine({ dataDir, signedRecord: undefined, signerPath: undefined, nodeVersion });
    expect(first).toMatchObject({ about: 'Node.js', state });
  });
});
