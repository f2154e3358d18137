// init and keygen: what they print, what they write, what they leave untouched.

import { createDecipheriv, scryptSync } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyPairFromSeed } from '../../../../host/crypto/key-pair.ts';
import { encodeAddress } from '../../../../host/wire/address.ts';
import { fromHex } from '../../../../host/wire/bytes.ts';
import { FakeIo, scratch, vws } from '../harness.ts';

const TESTNET = { SERVICE_TESTNET: 'true' };
const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const bytes = (hex: string): Uint8Array => fromHex(hex) as Uint8Array;

it.each([
  ['keygen', '--output', {}],
  ['init', '--data', { SERVICE_PASSPHRASE: 'secret' }],
])('vws %s prints the address of the selected chain, without one that of each', async (name, flag, more) => {
  const make = async (env: Record<string, string>): Promise<string[]> => {
    const { io } = await vws([name, flag, join(scratch(), 'k')], { env: { ...env, ...more } });
    return io.outLines.filter((line) => /address/i.test(line));
  };
  expect(await make({ SERVICE_TESTNET: 'false' })).toEqual([expect.stringMatching(/^Address: vws1/)]);
  expect(await make({})).toEqual([
    expect.stringMatching(/^Address: vws1/),
    expect.stringMatching(/^Testnet address: tvws1/),
  ]);
});

describe('vws keygen', () => {
  it('writes a private key file and its .pub', async () => {
    const path = join(scratch(), 'agent.key');
    const ran = await vws(['keygen', '--output', path], { env: TESTNET });
    expect(ran.code).toBe(0);
    const file = JSON.parse(readFileSync(path, 'utf8'));
    const key = keyPairFromSeed(bytes(file.seed));
    expect(file).toEqual({ seed: file.seed, public_key: key.publicKeyHex });
    expect(mode(path)).toBe('600');
    expect(readFileSync(`${path}.pub`, 'utf8')).toBe(`${key.publicKeyHex}\n`);
    expect(ran.io.outLines).toEqual([
      `Public key: ${key.publicKeyHex}`,
      `Address: ${encodeAddress(key.publicKey, true)}`,
    ]);
  });

  it('overwrites neither file', async () => {
    const path = join(scratch(), 'agent.key');
    writeFileSync(`${path}.pub`, 'mine');
    expect((await vws(['keygen', '--output', path])).code).toBe(3);
    expect(existsSync(path)).toBe(false);
    expect(readFileSync(`${path}.pub`, 'utf8')).toBe('mine');
  });

  it('reports a missing directory as a key file problem', async () => {
    const ran = await vws(['keygen', '--output', join(scratch(), 'no', 'such', 'place')]);
    expect(ran.err).toMatch(/place: its folder does not exist \(key_file\)$/m);
    expect(ran.code).toBe(3);
    expect(ran.err).toMatch(/^error: .+ \(key_file\)$/m);
  });
});

describe('vws init', () => {
  it('writes a key that its passphrase opens', async () => {
    const dir = scratch();
    const data = join(dir, 'data');
    writeFileSync(join(dir, 'pass'), 'correct horse\n');
    const args = ['init', '--data', data, '--passphrase-file', join(dir, 'pass')];
    const ran = await vws(args, { env: TESTNET });
    expect(ran.code).toBe(0);
    const path = join(data, 'node_keys', 'identity.json');
    const file = JSON.parse(readFileSync(path, 'utf8'));
    const publicKey = bytes(file.public_key);
    expect(ran.io.outLines).toEqual([
      `AgentID: ${file.public_key}`,
      `Address: ${encodeAddress(publicKey, true)}`,
      `Key file: ${path}`,
    ]);
    expect([mode(data), mode(path)]).toEqual(['700', '600']);

    const stretched = scryptSync('correct horse', bytes(file.salt), 32, {
      N: 32768,
      r: 8,
      p: 1,
      maxmem: 2 ** 27,
    });
    const sealed = bytes(file.ciphertext);
    const open = createDecipheriv('aes-256-gcm', stretched, bytes(file.nonce));
    open.setAAD(publicKey).setAuthTag(sealed.subarray(-16));
    const seed = Buffer.concat([open.update(sealed.subarray(0, -16)), open.final()]);
    expect(keyPairFromSeed(seed).publicKeyHex).toBe(file.public_key);

    expect((await vws(args, { env: TESTNET })).code).toBe(3);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(file);
  });

  it('prompts twice on a terminal', async () => {
    const io = new FakeIo(['secret', 'secret']);
    expect((await vws(['init', '--data', join(scratch(), 'd')], { io })).code).toBe(0);
    expect(io.questions).toHaveLength(2);
  });

  it('does not prompt if there is a key already', async () => {
    const data = join(scratch(), 'd');
    await vws(['init', '--data', data], { env: { SERVICE_PASSPHRASE: 'x' } });
    const io = new FakeIo(['secret', 'secret']);
    expect((await vws(['init', '--data', data], { io })).code).toBe(3);
    expect(io.questions).toEqual([]);
  });

  it.each([
    ['an empty passphrase file', '\n'],
    ['no passphrase at all', undefined],
  ])('refuses %s and leaves no key file', async (_, content) => {
    const dir = scratch();
    const data = join(dir, 'data');
    if (content !== undefined) writeFileSync(join(dir, 'pass'), content);
    const source = content === undefined ? [] : ['--passphrase-file', join(dir, 'pass')];
    const ran = await vws(['init', '--data', data, ...source]);
    expect(ran.code).toBe(3);
    expect(existsSync(join(data, 'node_keys', 'identity.json'))).toBe(false);
  });
});
