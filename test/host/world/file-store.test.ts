// The store of an auditor in Node: what survives a crash, what damage it names, and that it does not grow without end.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileStore } from '../../../host/world/system/file-store.ts';
import { builtPath } from '../../../tools/load/built.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const row = (key: string, value: string) => ({ key: bytes(key), value: bytes(value) });
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vws-file-store-'));
  file = join(folder, 'rows');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function filled(): Promise<number> {
  const store = await FileStore.open(folder);
  await store.write([row('a', '1'), row('b', '2')]);
  const size = statSync(file).size;
  await store.write([row('a', '3'), { key: bytes('b'), value: undefined }]);
  await store.close();
  return size;
}
async function shown(): Promise<(string | undefined)[]> {
  const store = await FileStore.open(folder);
  const found = store.getTexts([bytes('a'), bytes('b')]);
  await store.close();
  return found;
}

it('drops a batch that a crash tore, at every byte, and goes on from there', async () => {
  const first = await filled();
  const whole = readFileSync(file);
  for (let size = whole.length - 1; size >= first; size--) {
    writeFileSync(file, whole.subarray(0, size));
    expect(await shown()).toEqual(['1', '2']);
    expect(statSync(file).size).toBe(first);
  }
  const store = await FileStore.open(folder);
  await store.write([row('a', '4')]);
  await store.close();
  expect(await shown()).toEqual(['4', '2']);
});

it('refuses damage before the end, and a file of something else', async () => {
  const first = await filled();
  const whole = readFileSync(file);
  whole[first - 1]! ^= 1;
  writeFileSync(file, whole);
  await expect(FileStore.open(folder)).rejects.toThrow(/damaged at byte 8/);
  writeFileSync(file, 'another file');
  await expect(FileStore.open(folder)).rejects.toThrow(/holds no rows/);
  expect(readFileSync(file, 'utf8')).toBe('another file');
});

it('takes over the folder of a process that is gone, not of one that runs', async () => {
  const gone = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim();
  writeFileSync(join(folder, 'lock'), gone);
  const store = await FileStore.open(folder);
  await expect(FileStore.open(folder)).rejects.toThrow(/another process is using/);
  await store.close();
});

it('is written anew when most of it was overwritten', async () => {
  const store = await FileStore.open(folder);
  const large = new Uint8Array(9_000_000).fill(7);
  for (let i = 0; i < 3; i++) await store.write([{ key: bytes('large'), value: large }, row('a', String(i))]);
  await store.close();
  const before = statSync(file).size;
  expect(await shown()).toEqual(['2', undefined]);
  expect(statSync(file).size).toBeLessThan(before / 2);
  const again = await FileStore.open(folder);
  expect(again.get(bytes('large'))!.length).toBe(large.length);
  await again.close();
  truncateSync(file, 4);
  appendFileSync(file, '');
  expect(await shown()).toEqual([undefined, undefined]);
});

/** Runs a program in which files have at most so many KiB: a write beyond is cut short, the next one fails, as on a full disk. */
function onFullDisk(kib: number, script: string) {
  const head = `import { FileStore } from ${JSON.stringify(builtPath('host/world/system/file-store.js'))};
    const store = await FileStore.open(${JSON.stringify(folder)});`;
  const node = [process.execPath, '--input-type=module', '-e', `${head}\n${script}`];
  return spawnSync('bash', ['-c', `ulimit -f ${kib}; exec "$0" "$@"`, ...node], { encoding: 'utf8' });
}

it('keeps the old file where the disk has no room for the new one', async () => {
  const store = await FileStore.open(folder);
  // 20 MB, of which 5 MB are not overwritten.
  for (let i = 0; i < 40; i++) await store.write([row(`k${i % 10}`, String(i % 10).repeat(500_000))]);
  await store.close();
  const before = readFileSync(file);
  const ran = onFullDisk(2048, '');
  expect(ran.stderr).toContain('EFBIG');
  expect(readFileSync(file).equals(before)).toBe(true);
  const again = await FileStore.open(folder);
  expect(again.getTexts([bytes('k0'), bytes('k9')])).toEqual(['0'.repeat(500_000), '9'.repeat(500_000)]);
  await again.close();
});

it('writes on in the right place after a batch that found no room', () => {
  const ran = onFullDisk(
    4,
    `const row = (key, value) => ({ key: Buffer.from(key), value: Buffer.from(value) });
    await store.write([row('a', '1')]);
    const refused = await store.write([row('b', 'x'.repeat(8000))]).catch(({ code }) => code);
    await store.write([row('c', '3')]);
    console.log(refused, ...store.getTexts(['a', 'b', 'c'].map((key) => Buffer.from(key))));`,
  );
  expect([ran.stdout.trim(), ran.stderr]).toEqual(['EFBIG 1 undefined 3', '']);
});

it.each(['', 'x'])('takes over a lock in which nobody wrote who holds it: "%s"', async (text) => {
  writeFileSync(join(folder, 'lock'), text);
  expect(await filled()).toBeGreaterThan(0);
});
