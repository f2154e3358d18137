// Keys as text: the page exports and imports the command line's key files.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createClientKeyFile, readClientKeyFile } from '../../../host/crypto/client-key-file.ts';
import { keyFromSeed, keyText, readKeyText } from '../../../host/web/wallet/key-text.ts';

const dir = mkdtempSync(join(tmpdir(), 'vws-key-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const SEED = Uint8Array.from({ length: 32 }, (_, i) => i);

it('survives the way to the command line and back', () => {
  const path = join(dir, 'page.key');
  writeFileSync(path, keyText(keyFromSeed(SEED)), { mode: 0o600 });
  const { publicKeyHex } = readClientKeyFile(path);
  expect(readKeyText(readFileSync(path, 'utf8'))?.signer.publicKeyHex).toBe(publicKeyHex);
  const other = createClientKeyFile(join(dir, 'cli.key'));
  const text = readFileSync(join(dir, 'cli.key'), 'utf8');
  expect(readKeyText(text)?.signer.publicKeyHex).toBe(other.publicKeyHex);
});

it('accepts a bare seed, and refuses what is not a key', () => {
  const hex = Buffer.from(SEED).toString('hex');
  expect(readKeyText(` ${hex}\n`)?.seed).toEqual(SEED);
  const foreign = keyFromSeed(new Uint8Array(32)).signer.publicKeyHex;
  for (const text of [
    '',
    'null',
    '[]',
    '{}',
    hex.slice(2),
    '{"seed":5}',
    `{"seed":"${hex}","public_key":"${foreign}"}`,
  ]) {
    expect(readKeyText(text), text).toBeUndefined();
  }
});
