import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { CommandContext } from '../../../../host/cli/command.ts';
import { identityForStart } from '../../../../host/cli/node-identity.ts';
import type { Config } from '../../../../host/config/config.ts';
import { createNodeKeyFile, nodeKeyPath } from '../../../../host/crypto/node-key-file.ts';
import type { Logger } from '../../../../host/log.ts';
import { FakeIo, runToEnd, scratch, vws } from '../harness.ts';

const TESTNET = { SERVICE_TESTNET: 'true', SERVICE_LOG_LEVEL: 'error' };
const SECRET = { ...TESTNET, SERVICE_PASSPHRASE: 'secret' };

describe('vws start', () => {
  it('starts with the key and genesis of its data directory', async () => {
    const data = join(scratch(), 'data');
    const key = createNodeKeyFile(data, 'secret');
    const { code, out, started } = await runToEnd(['start', '--data', data, '--api', '127.0.0.1:1'], SECRET);
    expect(code).toBe(0);
    expect(started?.identity.publicKeyHex).toBe(key.publicKeyHex);
    expect(started?.genesis.chainId).toBe('vws-testnet-1');
    expect(out.split('\n')).toEqual([
      'vws 0.1.0-testnet',
      `AgentID: ${key.publicKeyHex}`,
      'Chain: vws-testnet-1',
      'Listening: 0.0.0.0:8337',
      'API: http://127.0.0.1:1',
      'Page: http://127.0.0.1:1/',
      'Docs: http://127.0.0.1:1/docs',
      'ready',
    ]);
  });

  it('creates a key first if it has a passphrase', async () => {
    const data = join(scratch(), 'data');
    const first = await runToEnd(['start', '--data', data], SECRET);
    expect(first.code).toBe(0);
    const second = await runToEnd(['start', '--data', data], SECRET);
    expect(second.started?.identity.publicKeyHex).toBe(first.started?.identity.publicKeyHex);
  });

  it('makes no key beside a store: that belongs to a key which is missing', async () => {
    const data = join(scratch(), 'data');
    mkdirSync(join(data, 'db'), { recursive: true });
    writeFileSync(join(data, 'db', 'CURRENT'), 'MANIFEST-000001\n');
    const ran = await vws(['start', '--data', data], { env: SECRET });
    expect([ran.code, ran.err]).toEqual([
      3,
      expect.stringMatching(/no key file .*put the key of this node back/),
    ]);
    expect(existsSync(join(data, 'node_keys'))).toBe(false);
  });

  it('warns of a key file that others may open', async () => {
    const dataDir = join(scratch(), 'data');
    createNodeKeyFile(dataDir, 'secret');
    const context = { io: new FakeIo(), env: SECRET, flags: {} } as unknown as CommandContext;
    const warned = async (): Promise<unknown[]> => {
      const warn = vi.fn();
      await identityForStart(context, { dataDir, noAuth: false } as Config, { warn } as unknown as Logger);
      return warn.mock.calls.map(([, text]) => text);
    };
    expect(await warned()).toEqual([]);
    chmodSync(nodeKeyPath(dataDir), 0o644);
    expect(await warned()).toEqual(['other users may open the key file: chmod 600']);
  });

  it('says so when the data directory is a file', async () => {
    const data = join(scratch(), 'data');
    writeFileSync(data, '');
    const ran = await vws(['start', '--data', data], { env: SECRET });
    expect([ran.code, ran.err]).toEqual([
      3,
      expect.stringMatching(/data: a part of the path is a file, not a directory/),
    ]);
  });

  it('without a key and a passphrase: exit 3, no key file', async () => {
    const data = join(scratch(), 'data');
    const ran = await vws(['start', '--data', data], { env: TESTNET });
    expect(ran.code).toBe(3);
    expect(existsSync(data)).toBe(false);
  });

  it('with a wrong or empty passphrase: exit 3', async () => {
    const data = join(scratch(), 'data');
    createNodeKeyFile(data, 'secret');
    const args = ['start', '--data', data];
    expect((await vws(args, { env: { ...TESTNET, SERVICE_PASSPHRASE: 'other' } })).code).toBe(3);
    expect((await vws(args, { env: TESTNET })).code).toBe(3);
    const empty = join(scratch(), 'empty');
    writeFileSync(empty, '\n');
    expect((await vws([...args, '--passphrase-file', empty], { env: TESTNET })).code).toBe(3);
  });

  it('in open mode: the testnet, a key without passphrase, and the same key at the next start', async () => {
    const data = join(scratch(), 'data');
    const env = { SERVICE_LOG_LEVEL: 'error' };
    const first = await runToEnd(['start', '--no-auth', '--data', data], env);
    expect(first.started?.config).toMatchObject({ noAuth: true, testnet: true });
    const second = await runToEnd(['start', '--no-auth', '--data', data], env, new FakeIo([]));
    expect(second.started?.identity.publicKeyHex).toBe(first.started?.identity.publicKeyHex);
    // The key file with an empty passphrase is useless outside open mode.
    expect((await vws(['start', '--data', data], { env: TESTNET })).code).toBe(3);
  });

  it('reports faults in order: settings, manifest, parameters, key, and makes no key before', async () => {
    const dir = scratch();
    const data = join(dir, 'data');
    const manifest = join(dir, 'm.json');
    writeFileSync(manifest, '{');
    const env = { ...SECRET, SERVICE_CONSENSUS_MIN_PARTICIPANTS: '9' };
    const args = ['start', '--data', data, '--manifest', manifest];
    expect(
      (await vws(args, { env: { ...env, SERVICE_TESTNET: 'maybe', SERVICE_PASSPHRASE: '' } })).code,
    ).toBe(2);
    expect((await vws(args, { env })).code).toBe(4);
    const single = await vws(['start', '--data', data], { env });
    expect([single.code, single.err]).toEqual([2, 'error: min_participants 9 is above the 1 seats (params)']);
    expect(existsSync(data)).toBe(false);
    const keyless = await vws(['start', '--data', data], { env: { ...SECRET, SERVICE_PASSPHRASE: '' } });
    expect(keyless.code).toBe(3);
  });

  it('without a network that was chosen: exit 2, and no key', async () => {
    const data = join(scratch(), 'data');
    const env = { SERVICE_PASSPHRASE: 'secret', SERVICE_LOG_LEVEL: 'error' };
    const ran = await vws(['start', '--data', data], { env });
    expect([ran.code, ran.err]).toEqual([
      2,
      expect.stringMatching(/no network was chosen.*SERVICE_TESTNET=true/),
    ]);
    expect(existsSync(data)).toBe(false);
    const mainnet = await runToEnd(['start', '--data', data], { ...env, SERVICE_TESTNET: 'false' });
    expect(mainnet.started?.genesis.chainId).toBe('vws-mainnet-1');
  });

  it('a node that cannot start: its reason and exit 1', async () => {
    const ran = await vws(['start', '--data', join(scratch(), 'data')], {
      env: SECRET,
      startNode: vi.fn(async () => {
        throw new Error('another process holds the data directory');
      }),
    });
    expect(ran.code).toBe(1);
    expect(ran.err).toBe('error: another process holds the data directory (failed)');
  });
});
