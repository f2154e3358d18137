// A node's key in a token (SoftHSM 2): made there, never out of it, and signing as every Ed25519 key does.

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNodeKeyFile, tokenKeyPath } from '../../../host/crypto/node-key-file.ts';
import { createTokenKey, openTokenKey } from '../../../host/crypto/token-key.ts';
import { isMarkedUnused } from '../../../host/crypto/unused-key.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { systemFiles } from '../../../host/world/system/files.ts';
import { isSignedBy } from '../../../host/world/system/one-signature.ts';
import { Token } from '../../../host/world/system/pkcs11.ts';
import { scratch } from '../cli/harness.ts';
import { SOFT_PIN, softModule, softTokens } from './soft-token.ts';

if (!softModule)
  console.warn('SoftHSM is not installed (Debian: softhsm2): tests of keys in tokens are skipped');

describe.runIf(softModule)('a key in a token', () => {
  const place = { module: softModule!, token: 'seat' };

  const folder = mkdtempSync(join(tmpdir(), 'vws-tokens-'));

  beforeAll(() => {
    Object.assign(process.env, softTokens(folder, 'seat', 'twin', 'twin'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is made there, and found again by its file', () => {
    const dir = scratch();
    const publicKey = createTokenKey(dir, place, SOFT_PIN);
    expect(isMarkedUnused(systemFiles, dir, toHex(publicKey))).toBe(true);
    expect(statSync(tokenKeyPath(dir)).mode & 0o777).toBe(0o600);
    const key = openTokenKey(dir, SOFT_PIN);
    expect(key.publicKey).toEqual(publicKey);
    for (const message of [new Uint8Array(0), new Uint8Array(3).fill(1), new Uint8Array(100_000).fill(2)]) {
      const signature = key.sign(message);
      expect(isSignedBy(publicKey, message, signature)).toBe(true);
      expect(key.sign(message)).toEqual(signature);
      expect(isSignedBy(publicKey, Uint8Array.of(...message.subarray(0, 9), 7), signature)).toBe(false);
    }
    key.close();
    // Opened again: the token has it for good. Another key of the same token is another key.
    openTokenKey(dir, SOFT_PIN).close();
    expect(createTokenKey(scratch(), place, SOFT_PIN)).not.toEqual(publicKey);
  });

  it('no file of the directory has a secret of it', () => {
    const dir = scratch();
    const publicKey = createTokenKey(dir, place, SOFT_PIN);
    const text = readFileSync(tokenKeyPath(dir), 'utf8');
    expect(JSON.parse(text)).toEqual({
      format: 1,
      ...place,
      key_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      public_key: toHex(publicKey),
    });
    expect(text).not.toContain(SOFT_PIN);
  });

  it('wipes the PIN that it was given', () => {
    const pin = Buffer.from(SOFT_PIN);
    Token.open(place.module, 'seat', pin).close();
    expect(pin.every((byte) => byte === 0)).toBe(true);
  });

  it.each<[string, Partial<typeof place>, string, RegExp]>([
    ['a wrong PIN', {}, '1111', /^token seat: the PIN is wrong$/],
    ['a label that no token has', { token: 'none' }, SOFT_PIN, /^there is no token none$/],
    ['a label of two tokens', { token: 'twin' }, SOFT_PIN, /^2 tokens have the label twin$/],
    ['no module', { module: '/nowhere/p11.so' }, SOFT_PIN, /^\/nowhere\/p11\.so is no PKCS#11 module/],
  ])('%s is said', (_, other, pin, text) => {
    const dir = scratch();
    expect(() => createTokenKey(dir, { ...place, ...other }, pin)).toThrow(text);
    expect(systemFiles.exists(tokenKeyPath(dir))).toBe(false);
  });

  it('one directory has one key, and a node never makes a second beside it', () => {
    const dir = scratch();
    createTokenKey(dir, place, SOFT_PIN);
    expect(() => createTokenKey(dir, place, SOFT_PIN)).toThrow('is not overwritten');
    expect(() => createNodeKeyFile(dir, 'pass')).toThrow('the key of this directory is in a token');
    const other = scratch();
    createNodeKeyFile(other, 'pass');
    expect(() => createTokenKey(other, place, SOFT_PIN)).toThrow('this directory has a key');
  });

  it('a file that names another key than the token has is refused', () => {
    const dir = scratch();
    createTokenKey(dir, place, SOFT_PIN);
    const path = tokenKeyPath(dir);
    const text = readFileSync(path, 'utf8');
    const file = JSON.parse(text);
    const written = (change: object): void => {
      rmSync(path);
      writeFileSync(path, JSON.stringify({ ...file, ...change }));
    };
    written({ public_key: 'ab'.repeat(32) });
    expect(() => openTokenKey(dir, SOFT_PIN)).toThrow('holds another key');
    written({ key_id: '00'.repeat(16) });
    expect(() => openTokenKey(dir, SOFT_PIN)).toThrow('has no Ed25519 key with the id');
    written({ key_id: 'x' });
    expect(() => openTokenKey(dir, SOFT_PIN)).toThrow('is altered');
  });
});
