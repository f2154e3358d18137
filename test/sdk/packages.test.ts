// The small packages: complete by themselves, without the node, without a native module, without a dependency.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { makePackage, PACKAGES, type PackageName } from '../../tools/packages.mjs';

const MAX_BYTES = 5_000_000;
const dirs: string[] = [];
afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true }))));

async function made(name: PackageName): Promise<{ dir: string; bytes: number }> {
  const dir = await mkdtemp(join(tmpdir(), 'vws-package-'));
  dirs.push(dir);
  return { dir, bytes: await makePackage(name, dir) };
}

const filesOf = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const code = (path: string): string => readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
/** What a file imports, types included. */
const importsOf = (path: string): string[] =>
  [...code(path).matchAll(/^(?:import|export)\b[^'"]*?from\s*['"]([^'"]+)['"]/gm)].map(([, name]) => name!);

it.each(Object.keys(PACKAGES) as PackageName[])('%s imports nothing that is not inside', async (name) => {
  const { dir, bytes } = await made(name);
  expect(bytes).toBeLessThan(MAX_BYTES);
  const described = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  expect(described).not.toHaveProperty('private');
  expect(described).not.toHaveProperty('dependencies');
  const targets = (entry: string | object): string[] =>
    typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(targets);
  for (const target of targets(described.exports['.']))
    expect(existsSync(join(dir, target)), target).toBe(true);
  const files = filesOf(dir);
  for (const path of files.filter((one) => one.endsWith('.js')))
    for (const from of importsOf(path)) expect([path, from]).toEqual([path, expect.stringMatching(/^node:/)]);
  expect(importsOf(join(dir, `dist/${name}/index.js`))).toEqual([]);
  for (const path of files.filter((one) => one.endsWith('.d.ts')))
    for (const from of importsOf(path))
      expect(existsSync(resolve(dirname(path), from.replace(/\.js$/, '.d.ts'))), `${path}: ${from}`).toBe(
        true,
      );
});

it('what is imported of the package ed25519 runs at once', async () => {
  const { dir } = await made('ed25519');
  const { verify, verifyBatch } = await import(pathToFileURL(join(dir, 'dist/ed25519/index.js')).href);
  const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));
  // RFC 8032, 7.1, test 1.
  const publicKey = hex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
  const signature = hex(
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  );
  expect(verify(publicKey, hex(''), signature)).toBe(true);
  expect(verify(publicKey, hex('00'), signature)).toBe(false);
  expect(verify(publicKey.subarray(1), hex(''), signature)).toBe(false);
  const jobs = ['', '00', ''].map((message) => ({ publicKey, message: hex(message), signature }));
  expect(verifyBatch(jobs)).toEqual([true, false, true]);
  expect(() => verify(publicKey, new Uint8Array((1 << 20) + 1), signature)).toThrow(RangeError);
});
