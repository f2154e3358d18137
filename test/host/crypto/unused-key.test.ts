// The mark of a key that has signed nothing: made with the key, true for that key only, gone once taken.

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createNodeKeyFile } from '../../../host/crypto/node-key-file.ts';
import { clearUnused, isMarkedUnused, markUnused } from '../../../host/crypto/unused-key.ts';
import { systemFiles } from '../../../host/world/system/files.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'vws-mark-'));
});
afterEach(() => rmSync(data, { recursive: true }));

it('is written with a new key, beside the folder of the keys', () => {
  const { publicKeyHex } = createNodeKeyFile(data, 'secret');
  expect(isMarkedUnused(systemFiles, data, publicKeyHex)).toBe(true);
  expect(readdirSync(data).sort()).toEqual(['key_unused', 'node_keys']);
  expect((statSync(join(data, 'key_unused')).mode & 0o777).toString(8)).toBe('600');
});

it('is about one key only: a new one replaces it', () => {
  expect(isMarkedUnused(systemFiles, data, 'aa')).toBe(false);
  markUnused(systemFiles, data, 'aa');
  expect([isMarkedUnused(systemFiles, data, 'aa'), isMarkedUnused(systemFiles, data, 'ab')]).toEqual([
    true,
    false,
  ]);
  markUnused(systemFiles, data, 'ab');
  expect([isMarkedUnused(systemFiles, data, 'aa'), isMarkedUnused(systemFiles, data, 'ab')]).toEqual([
    false,
    true,
  ]);
});

it('is removed once the key counts as used; removing it twice is not an error', () => {
  markUnused(systemFiles, data, 'aa');
  clearUnused(systemFiles, data);
  clearUnused(systemFiles, data);
  expect([isMarkedUnused(systemFiles, data, 'aa'), readdirSync(data)]).toEqual([false, []]);
});
