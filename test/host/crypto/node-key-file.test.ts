import { createDecipheriv, scryptSync } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KeyFileError } from '../../../host/crypto/key-file.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import {
  createNodeKeyFile,
  hasNodeKeyFile,
  nodeKeyPath,
  readNodeKeyFile,
} from '../../../host/crypto/node-key-file.ts';
import { fromHex } from '../../../host/wire/bytes.ts';
import { KEY, SEED } from '../wire/vectors.ts';

let root: string;
let data: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vws-key-'));
  data = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true }));

const PASS = 'correct horse ü';
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const file = () => JSON.parse(readFileSync(nodeKeyPath(data), 'utf8'));
const rewrite = (over: object) => writeFileSync(nodeKeyPath(data), JSON.stringify({ ...file(), ...over }));

test('what is made can be read, with the modes of protocol 12.4', () => {
  expect(hasNodeKeyFile(data)).toBe(false);
  const pair = createNodeKeyFile(data, PASS);
  expect(hasNodeKeyFile(data)).toBe(true);
  expect(nodeKeyPath(data)).toBe(join(data, 'node_keys', 'identity.json'));
  expect(readNodeKeyFile(data, PASS).publicKeyHex).toBe(pair.publicKeyHex);
  expect([mode(data), mode(join(data, 'node_keys')), mode(nodeKeyPath(data))]).toEqual(['700', '700', '600']);
  expect(readdirSync(dirname(nodeKeyPath(data)))).toEqual(['identity.json']);
});

test('the form of protocol 12.4, opened by hand', () => {
  createNodeKeyFile(data, PASS, {}, fromHex(SEED)!);
  const f = file();
  expect(f).toEqual({
    version: 1,
    public_key: KEY,
    kdf: 'scrypt',
    n: 32_768,
    r: 8,
    p: 1,
    salt: expect.stringMatching(/^[0-9a-f]{32}$/),
    cipher: 'aes-256-gcm',
    nonce: expect.stringMatching(/^[0-9a-f]{24}$/),
    ciphertext: expect.stringMatching(/^[0-9a-f]{96}$/),
  });
  const key = scryptSync(PASS, Buffer.from(f.salt, 'hex'), 32, { N: 32_768, r: 8, p: 1, maxmem: 2 ** 27 });
  const sealed = Buffer.from(f.ciphertext, 'hex');
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(f.nonce, 'hex'));
  decipher.setAAD(Buffer.from(KEY, 'hex')).setAuthTag(sealed.subarray(32));
  expect(Buffer.concat([decipher.update(sealed.subarray(0, 32)), decipher.final()]).toString('hex')).toBe(
    SEED,
  );
  expect(JSON.stringify(f)).not.toContain(SEED);
});

test('an existing file is never overwritten', () => {
  createNodeKeyFile(data, PASS);
  const before = file();
  expect(() => createNodeKeyFile(data, PASS)).toThrow(KeyFileError);
  expect(file()).toEqual(before);
});

test('an empty passphrase only where it is allowed', () => {
  expect(() => createNodeKeyFile(data, '')).toThrow(KeyFileError);
  expect(existsSync(data)).toBe(false);
  const pair = createNodeKeyFile(data, '', { allowEmpty: true });
  expect(() => readNodeKeyFile(data, '')).toThrow(KeyFileError);
  expect(readNodeKeyFile(data, '', { allowEmpty: true }).publicKeyHex).toBe(pair.publicKeyHex);
});

describe('a KeyFileError for', () => {
  test('a missing file', () => {
    expect(() => readNodeKeyFile(data, PASS)).toThrow(KeyFileError);
  });

  test('a wrong passphrase', () => {
    createNodeKeyFile(data, PASS);
    expect(() => readNodeKeyFile(data, `${PASS} `)).toThrow(/wrong passphrase/);
  });

  test('anything altered', () => {
    createNodeKeyFile(data, PASS);
    const good = file();
    const flip = (hex: string) => (hex[0] === '0' ? '1' : '0') + hex.slice(1);
    const other = keyPairFromSeed(new Uint8Array(32)).publicKeyHex;
    const changes = [
      { ciphertext: flip(good.ciphertext) },
      { ciphertext: good.ciphertext.slice(0, -2) },
      { ciphertext: good.ciphertext.toUpperCase() },
      { nonce: flip(good.nonce) },
      { salt: flip(good.salt) },
      { salt: 5 },
      { public_key: other },
      { version: 2 },
      { kdf: 'argon2' },
      { n: 2 ** 30 },
      { cipher: 'none' },
    ];
    for (const change of changes) {
      writeFileSync(nodeKeyPath(data), JSON.stringify(good));
      rewrite(change);
      expect(() => readNodeKeyFile(data, PASS), JSON.stringify(change)).toThrow(KeyFileError);
    }
    for (const text of ['', '{', '[]', 'null']) {
      writeFileSync(nodeKeyPath(data), text);
      expect(() => readNodeKeyFile(data, PASS)).toThrow(KeyFileError);
    }
  });
});

test('an existing data directory stays as it is', () => {
  mkdirSync(data, { mode: 0o755 });
  createNodeKeyFile(data, PASS);
  expect(mode(data)).toBe('755');
});
