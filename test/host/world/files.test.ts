// Files on disk: a replaced file is the old one or the new one, and only its owner reads it.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemFiles } from '../../../host/world/system/files.ts';
import { builtPath } from '../../../tools/load/built.ts';

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vws-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('replaces a file whole, and leaves nothing beside it', async () => {
  const folder = scratch();
  const path = join(folder, 'record');
  await systemFiles.replace(path, 'a long first text');
  await systemFiles.replace(path, 'second');
  expect(systemFiles.readText(path)).toBe('second');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['record']);
});

it('what a crash left behind of a replacement is no obstacle', async () => {
  const path = join(scratch(), 'record');
  systemFiles.writeText(`${path}.tmp`, 'half of a longer text than the new one');
  await systemFiles.replace(path, 'new');
  expect(systemFiles.readText(path)).toBe('new');
});

it('fails where it cannot write, and keeps the old file', async () => {
  const folder = scratch();
  const path = join(folder, 'record');
  await systemFiles.replace(path, 'old');
  mkdirSync(`${path}.tmp`);
  await expect(systemFiles.replace(path, 'new')).rejects.toThrow(/EISDIR/);
  expect(systemFiles.readText(path)).toBe('old');
  await expect(systemFiles.replace(join(folder, 'none', 'record'), 'x')).rejects.toThrow(/ENOENT/);
});

it('names no new file of which a part found no room', () => {
  const path = join(scratch(), 'key');
  const module = builtPath('host/world/system/files.js');
  const script = `import { systemFiles } from ${JSON.stringify(module)};
    systemFiles.writeNew(${JSON.stringify(path)}, 'x'.repeat(5000), 0o600);`;
  // Files of at most 2 KiB: the first write is cut short, the next one fails, as on a disk that is full.
  const limited = 'ulimit -f 2; exec "$0" "$@"';
  const node = [process.execPath, '--input-type=module', '-e', script];
  const ran = spawnSync('bash', ['-c', limited, ...node], { encoding: 'utf8' });
  expect(ran.status).toBe(1);
  expect(ran.stderr).toContain('EFBIG');
  expect(systemFiles.exists(path)).toBe(false);
});

it('makes a directory with those above it, and gives up where nobody can', () => {
  const folder = scratch();
  const path = join(folder, 'a', 'b');
  systemFiles.makeDirectory(path);
  systemFiles.makeDirectory(path);
  expect([statSync(path).mode & 0o777, statSync(join(folder, 'a')).mode & 0o777]).toEqual([0o700, 0o700]);
  systemFiles.writeText(join(folder, 'file'), 'x');
  expect(() => systemFiles.makeDirectory(join(folder, 'file'))).toThrow(/EEXIST/);
  expect(() => systemFiles.makeDirectory(join(folder, 'file', 'x'))).toThrow(/ENOTDIR/);
  // Node's own way of making them never returns here.
  if (process.platform === 'linux') {
    expect(() => systemFiles.makeDirectory('/proc/vws/data')).toThrow(/ENOENT/);
  }
});
