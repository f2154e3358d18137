import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createClientKeyFile,
  ensureClientKeyFile,
  readClientKeyFile,
} from '../../../host/crypto/client-key-file.ts';
import { KeyFileError } from '../../../host/crypto/key-file.ts';
import { fromHex } from '../../../host/wire/bytes.ts';
import { systemFiles } from '../../../host/world/system/files.ts';
import { KEY, SEED } from '../wire/vectors.ts';

let root: string;
let path: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vws-key-'));
  path = join(root, 'agent.key');
});
afterEach(() => rmSync(root, { recursive: true }));

test('the two files of protocol 12.5', () => {
  createClientKeyFile(path, fromHex(SEED)!);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ seed: SEED, public_key: KEY });
  expect(readFileSync(`${path}.pub`, 'utf8')).toBe(`${KEY}\n`);
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  expect(readClientKeyFile(path).publicKeyHex).toBe(KEY);
  expect(readdirSync(root).sort()).toEqual(['agent.key', 'agent.key.pub']);
});

test('a random key each time', () => {
  const a = createClientKeyFile(path);
  const b = createClientKeyFile(`${path}2`);
  expect(a.publicKeyHex).not.toBe(b.publicKeyHex);
  expect(readClientKeyFile(path).publicKeyHex).toBe(a.publicKeyHex);
});

test('neither file is overwritten, and nothing is written when one exists', () => {
  writeFileSync(`${path}.pub`, 'mine');
  expect(() => createClientKeyFile(path)).toThrow(KeyFileError);
  expect(existsSync(path)).toBe(false);
  rmSync(`${path}.pub`);
  writeFileSync(path, 'mine');
  expect(() => createClientKeyFile(path)).toThrow(KeyFileError);
  expect(readFileSync(path, 'utf8')).toBe('mine');
  expect(existsSync(`${path}.pub`)).toBe(false);
});

test('missing, malformed and inconsistent files are a KeyFileError that does not quote the seed', () => {
  const texts = [
    '',
    '{',
    '[]',
    JSON.stringify({ seed: SEED }),
    JSON.stringify({ seed: SEED.slice(2), public_key: KEY }),
    JSON.stringify({ seed: SEED, public_key: KEY.replace('9', '8') }),
    `{"seed":"${SEED}",}`,
  ];
  expect(() => readClientKeyFile(path)).toThrow(KeyFileError);
  for (const text of texts) {
    writeFileSync(path, text);
    try {
      readClientKeyFile(path);
      expect.unreachable(text);
    } catch (error) {
      expect(error).toBeInstanceOf(KeyFileError);
      expect(String(error)).not.toContain(SEED);
    }
  }
});

test('a lost key is not replaced: its public key says that there was one', () => {
  createClientKeyFile(path);
  rmSync(path);
  expect(() => ensureClientKeyFile(path)).toThrow(/agent\.key is missing.*put it back/);
  expect(existsSync(path)).toBe(false);
});

test('a key file that another process makes in the same moment is that one', () => {
  expect(ensureClientKeyFile(path)?.publicKeyHex).toBe(readClientKeyFile(path).publicKeyHex);
  const absent = vi.spyOn(systemFiles, 'exists').mockReturnValueOnce(false);
  expect(ensureClientKeyFile(path)).toBeUndefined();
  absent.mockRestore();
});
