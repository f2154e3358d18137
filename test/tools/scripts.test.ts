// The scripts of package.json in a fresh clone: what runs something built builds it first, or says that nothing is built where
// it runs beside a node, whose files a build would change.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const scripts: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).scripts;

const BUILDS = /^(npm run build|node tools\/build\.mjs)\b/;
const BESIDE_A_NODE = ['demo', 'load'];

it('builds before it runs what is built', () => {
  const runsBuilt = Object.entries(scripts).filter(([, line]) => /\bbuild\/|\bvitest run\b/.test(line));
  expect(runsBuilt.length).toBeGreaterThan(20);
  const unbuilt = runsBuilt.filter(([name, line]) => !BUILDS.test(scripts[`pre${name}`] ?? line));
  expect(unbuilt.map(([name]) => name)).toEqual(BESIDE_A_NODE);
});

it('says of what runs beside a node that nothing is built', () => {
  for (const name of BESIDE_A_NODE) expect(scripts[`pre${name}`]).toBe('node tools/is-built.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'vws-scripts-'));
  const run = () =>
    spawnSync(process.execPath, [resolve('tools/is-built.mjs')], { cwd: folder, encoding: 'utf8' });
  expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('npm run build') });
  mkdirSync(join(folder, 'build/host/cli'), { recursive: true });
  writeFileSync(join(folder, 'build/host/cli/main.js'), '');
  expect(run()).toMatchObject({ status: 0, stderr: '' });
  rmSync(folder, { recursive: true });
});

it('has no script that would come before one that is not there', () => {
  const before = Object.keys(scripts).filter((name) => name.startsWith('pre') && name !== 'prepack');
  expect(before.filter((name) => scripts[name.slice('pre'.length)] === undefined)).toEqual([]);
});
