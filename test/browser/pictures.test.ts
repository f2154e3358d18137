// npm run page:pictures: files of the wanted kind, and nothing left running when it is told to end.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { builtPath } from '../../tools/load/built.ts';
import { until } from '../e2e/agent.ts';
import { describeInBrowser } from './chromium.ts';

/** Four nodes and a browser, on a machine that does other things too. */
const STARTED_MS = 100_000;

/** Ids of all processes below one, without it. */
function childrenOf(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  const own = existsSync(path) ? readFileSync(path, 'utf8').split(' ').filter(Boolean).map(Number) : [];
  return own.flatMap((child) => [child, ...childrenOf(child)]);
}

/** Ended ones that nobody has waited for are none. */
const isAlive = (pid: number): boolean => {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !/\) [ZX] /.test(readFileSync(path, 'utf8'));
};

describeInBrowser('pictures', () => {
  const dir = mkdtempSync(join(tmpdir(), 'vws-pictures-'));
  let tool: ChildProcess | undefined;
  afterEach(() => {
    tool?.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });

  it('are written as webp, and a signal ends browser and nodes', async () => {
    const args = ['--scene', 'idle', '--format', 'webp', '--first', '--dir', join(dir, 'out')];
    const env = { ...process.env, TMPDIR: dir };
    tool = spawn(process.execPath, [builtPath('tools/page-pictures.js'), ...args], { env, stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => tool!.once('exit', resolve));
    const files = await until(
      async () => (existsSync(join(dir, 'out')) ? readdirSync(join(dir, 'out')) : []),
      (names) => names.length >= 2,
      STARTED_MS,
    );
    expect(files).toContain('idle-overview-1280-light.webp');
    const file = readFileSync(join(dir, 'out', 'idle-overview-1280-light.webp'));
    expect(file.subarray(0, 4).toString() + file.subarray(8, 12).toString()).toBe('RIFFWEBP');
    const started = childrenOf(tool.pid!);
    // Four nodes and a browser at least.
    expect(started.length).toBeGreaterThanOrEqual(5);
    tool.kill('SIGTERM');
    expect(await ended).toBe(143);
    await until(
      async () => started.filter(isAlive),
      (alive) => alive.length === 0,
    );
    expect(readdirSync(dir).filter((name) => name.startsWith('vws-net-'))).toEqual([]);
  });
});
