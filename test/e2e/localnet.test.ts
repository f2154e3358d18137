// The network tools from the command line: `localnet` until Ctrl-C, `load` against its nodes.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, expect, it } from 'vitest';
import { builtPath } from '../../tools/load/built.ts';

interface Run {
  child: ChildProcessByStdio<null, Readable, Readable>;
  out(): string;
  code: Promise<number | null>;
}

const runs: Run[] = [];
const dirs: string[] = [];

function start(tool: string, args: readonly string[]): Run {
  const child = spawn(process.execPath, [builtPath(`tools/${tool}.js`), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (out += part));
  const code = new Promise<number | null>((resolve) => child.on('close', resolve));
  const run = { child, out: () => out, code };
  runs.push(run);
  return run;
}

async function says(run: Run, pattern: RegExp): Promise<string> {
  let ended = false;
  void run.code.then(() => (ended = true));
  while (!pattern.test(run.out())) {
    if (ended) throw new Error(`it ended before it said ${pattern}\n${run.out()}`);
    await new Promise((done) => setTimeout(done, 50));
  }
  return run.out();
}

afterAll(async () => {
  // SIGINT, so that a network under a failed test stops its nodes too.
  for (const { child, code } of runs) {
    child.kill('SIGINT');
    await code;
  }
  for (const dir of dirs) await rm(dir, { recursive: true, force: true });
});

it('localnet runs a network with an observer under load, stops cleanly and continues in its folder', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'vws-localnet-'));
  dirs.push(dir);
  const size = ['--nodes', '2', '--observers', '1', '--data', dir];
  const net = start('localnet', size);
  const text = await says(net, /^ready$/m);
  const urls = [...text.matchAll(/^v\d: (\S+)$/gm)].map((m) => m[1]!);
  expect(urls).toHaveLength(2);

  const nodes = urls.flatMap((url) => ['--node', url]);
  const load = start('load', [...nodes, '--seconds', '2', '--connections', '4', '--tasks', '50']);
  expect(await load.code, load.out()).toBe(0);
  const all = /^all +(\d+) +(\d+) +([\d.]+)/m.exec(load.out());
  expect(Number(all?.[1]), load.out()).toBeGreaterThan(3);

  await says(net, /^\d+ s: v1 healthy .*\| o1 healthy/m);
  net.child.kill('SIGINT');
  expect(await net.code, net.out()).toBe(0);
  expect(net.out()).toContain('all nodes stopped cleanly');
  expect((await readdir(dir)).sort()).toEqual(['localnet.json', 'manifest.json', 'o1', 'v1', 'v2']);

  const again = start('localnet', [...size, '--seconds', '1']);
  expect(await again.code, again.out()).toBe(0);
  const order = /v1 \S+ order (\d+)/.exec(again.out())?.[1];
  expect(Number(order), again.out()).toBeGreaterThan(1);
}, 180_000);

it('tools exit with code 2 on options they cannot carry out, and with 1 when no node answers', async () => {
  for (const [tool, args, code] of [
    ['localnet', ['--nodes', '0'], 2],
    ['load', ['--rate', 'fast'], 2],
    ['load', ['--node', 'https://example.org'], 2],
    ['load', ['--node', 'http://127.0.0.1:1'], 1],
    ['soak', ['--minutes', '0'], 2],
  ] as const) {
    const run = start(tool, args);
    expect(await run.code, run.out()).toBe(code);
    expect(run.out()).toContain('error: ');
  }
});
