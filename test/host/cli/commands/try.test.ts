import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readClientKeyFile } from '../../../../host/crypto/client-key-file.ts';
import { createNodeKeyFile, readNodeKeyFile } from '../../../../host/crypto/node-key-file.ts';
import { runToEnd, scratch, vws } from '../harness.ts';

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('vws try', () => {
  it('creates everything it needs and runs a testnet node for this machine', async () => {
    const data = join(scratch(), 'data');
    const { code, out, started } = await runToEnd(['try', '--data', data], {});
    expect(code).toBe(0);
    expect(started?.config).toMatchObject({
      testnet: true,
      noAuth: false,
      rateLimits: false,
      api: { host: '127.0.0.1', port: 8338 },
      listen: { host: '127.0.0.1', port: 8337 },
    });
    const [passphrase, operator] = [join(data, 'passphrase'), join(data, 'operator.key')];
    expect([mode(data), mode(passphrase), mode(operator)]).toEqual(['700', '600', '600']);
    const key = readNodeKeyFile(data, readFileSync(passphrase, 'utf8').trim());
    expect(readClientKeyFile(operator).publicKeyHex).toBe(key.publicKeyHex);
    expect(started?.identity.publicKeyHex).toBe(key.publicKeyHex);
    expect(out.split('\n')[7]).toBe('ready');
    expect(out).toContain('trying vws out only');
    expect(out).toContain(`npm run demo -- --node http://127.0.0.1:8338 --data`);
    expect(out).not.toContain(readFileSync(passphrase, 'utf8').trim());
  });

  it('resumes with the same key', async () => {
    const data = join(scratch(), 'data');
    const first = await runToEnd(['try', '--data', data], {});
    const second = await runToEnd(['try', '--data', data], {});
    expect(second.started?.identity.publicKeyHex).toBe(first.started?.identity.publicKeyHex);
    expect(second.started?.genesis.hashHex).toBe(first.started?.genesis.hashHex);
  });

  it('respects what the user sets', async () => {
    const data = join(scratch(), 'data');
    const env = { SERVICE_RATE_LIMITS: 'on', SERVICE_API: '127.0.0.1:1' };
    const { started, out } = await runToEnd(['try', '--data', data, '--listen', '127.0.0.1:2'], env);
    expect(started?.config).toMatchObject({ rateLimits: true, api: { port: 1 }, listen: { port: 2 } });
    expect(out).toMatch(/Rate limits: on$/m);
  });

  it('is for the testnet only', async () => {
    const ran = await vws(['try', '--data', join(scratch(), 'd')], { env: { SERVICE_TESTNET: 'false' } });
    expect(ran.code).toBe(2);
  });

  it('leaves data directories of other commands untouched', async () => {
    const data = join(scratch(), 'data');
    createNodeKeyFile(data, 'secret');
    const ran = await vws(['try', '--data', data]);
    expect(ran.code).toBe(3);
    expect(existsSync(join(data, 'passphrase'))).toBe(false);
  });

  it('with a lost passphrase file: exit 3, the key stays', async () => {
    const data = join(scratch(), 'data');
    await runToEnd(['try', '--data', data], {});
    rmSync(join(data, 'passphrase'));
    expect((await vws(['try', '--data', data])).code).toBe(3);
    expect(existsSync(join(data, 'node_keys', 'identity.json'))).toBe(true);
  });
});
