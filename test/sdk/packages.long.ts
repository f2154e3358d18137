// The small packages in the hands of a stranger: packed, installed into an empty folder, type-checked, run by every runtime
// that can be had, against a real node. Linters of packages and runtimes are pinned; what cannot be fetched is skipped by name.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { makePackage, PACKAGES, type PackageName } from '../../tools/packages.mjs';
import { Testbed } from '../e2e/testbed.ts';
import { missingNpm, npmExec, run } from './tools.ts';

const NAMES = Object.keys(PACKAGES) as PackageName[];
const PUBLINT = ['publint@0.3.25'];
const ATTW = ['@arethetypeswrong/cli@0.18.5'];
const TYPESCRIPT = ['typescript@5.9.3'];
/** A runtime: its package, and how it runs a file. */
const RUNTIMES: Readonly<Record<string, { packages: string[]; command: string[] }>> = {
  'Node 22': { packages: ['node@22.23.3'], command: ['node'] },
  'Node 24': { packages: ['node@24.9.0'], command: ['node'] },
  Deno: {
    packages: ['deno@2.9.6'],
    command: ['deno', 'run', '--allow-net', '--allow-read', '--node-modules-dir=manual'],
  },
  Bun: { packages: ['bun@1.4.5'], command: ['bun', 'run'] },
};
const MAX_INSTALLED_KIB = 5000;
const EXAMPLES = ['worker', 'poster'];
const MAX_EXAMPLE_LINES = 25;
/** Packs, and publishes nowhere. */
const PUBLISH = [
  ...['publish', '--dry-run', '--ignore-scripts'],
  ...['--registry', 'http://127.0.0.1:9', '--fetch-retries', '0'],
];

const bed = new Testbed();
let dir: string;
let port: number;
let tarballs: string[];

const folder = (name: PackageName): string => join(dir, 'made', name);
/** The program in a package's README, for the node of this test. */
async function program(name: PackageName): Promise<string> {
  const [, code] = /```js\n([\s\S]*?)```/.exec(await readFile(`sdk/npm/${name}.md`, 'utf8'))!;
  return code!.replace('http://127.0.0.1:8338', `http://127.0.0.1:${port}`);
}
const PRINTS: Partial<Record<PackageName, string>> = {
  client: 'completed 999000',
  core: '0 32',
  ed25519: 'true',
};

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vws-packages-'));
  ({ port } = await bed.start({ dataDir: await bed.directory() }));
  for (const name of NAMES) await makePackage(name, folder(name));
  const packed = await Promise.all(
    NAMES.map((name) => run('npm', ['pack', '--silent', '--pack-destination', dir], { cwd: folder(name) })),
  );
  tarballs = packed.map(({ text }) => join(dir, text.trim()));
  await writeFile(join(dir, 'package.json'), '{ "name": "stranger", "type": "module" }');
  const installed = await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], {
    cwd: dir,
  });
  expect(installed.code, installed.text).toBe(0);
  for (const name of NAMES) await writeFile(join(dir, `${name}.mjs`), await program(name));
});
afterAll(async () => {
  await bed.close();
  await rm(dir, { recursive: true, force: true });
});

function need(context: TestContext, missing: string | undefined): void {
  if (!missing) return;
  console.warn(`SKIPPED test/sdk/packages.long.ts, ${context.task.name}: ${missing}`);
  context.skip(missing);
}

it('a client takes less than 5 MB of disk', async () => {
  const { text } = await run('du', ['-sk', 'node_modules/@vws/client'], { cwd: dir });
  expect(Number.parseInt(text, 10)).toBeLessThan(MAX_INSTALLED_KIB);
});

it.for(NAMES)('%s could be published', async (name) => {
  const { code, text } = await run('npm', PUBLISH, { cwd: folder(name) });
  expect([code, text]).toEqual([0, expect.stringContaining(`@vws/${name}@`)]);
  expect(text).not.toMatch(/warn/i);
});

it('the whole package could be published', async () => {
  const { code, text } = await run('npm', PUBLISH, { cwd: resolve('.') });
  expect([code, text]).toEqual([0, expect.stringContaining('vws@')]);
});

it.for(NAMES)('%s has no fault by publint', async (name, context) => {
  need(context, await missingNpm(PUBLINT, 'publint', dir));
  const { code, text } = await run('npm', npmExec(PUBLINT, 'publint', '--strict', folder(name)), {
    cwd: dir,
  });
  expect([code, text]).toEqual([0, expect.stringContaining('All good')]);
});

it.for(NAMES)('%s has right types for every way of importing it', async (name, context) => {
  need(context, await missingNpm(ATTW, 'attw', dir));
  const tarball = tarballs[NAMES.indexOf(name)]!;
  const { code, text } = await run('npm', npmExec(ATTW, 'attw', '--profile', 'esm-only', tarball), {
    cwd: dir,
  });
  expect(code, text).toBe(0);
});

it.for(['NodeNext', 'Bundler'])('TypeScript finds the types: %s', async (resolution, context) => {
  need(context, await missingNpm(TYPESCRIPT, 'tsc', dir));
  await writeFile(
    join(dir, 'uses.ts'),
    `import { VwsClient, type Signer } from '@vws/client';
import { Core, type Modules } from '@vws/core';
import { Verifier, loadModules } from '@vws/verify';
import { verify } from '@vws/ed25519';
export const modules: Promise<Modules> = loadModules();
export const good: boolean = verify(new Uint8Array(32), new Uint8Array(), new Uint8Array(64));
export const open = (key: Signer) => new VwsClient({ baseUrl: 'http://127.0.0.1', key });
export const all = [Core, Verifier];
// @ts-expect-error A signature is bytes.
verify('', '', '');
`,
  );
  const flags = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2023,dom'];
  const module = resolution === 'NodeNext' ? 'NodeNext' : 'ES2022';
  const args = [...flags, '--module', module, '--moduleResolution', resolution, 'uses.ts'];
  const { code, text } = await run('npm', npmExec(TYPESCRIPT, 'tsc', ...args), { cwd: dir });
  expect(code, text).toBe(0);
});

it('a worker and a poster in TypeScript: offered, hired, paid', async (context) => {
  need(context, await missingNpm(TYPESCRIPT, 'tsc', dir));
  for (const name of EXAMPLES) {
    const text = await readFile(`examples/typescript/${name}.ts`, 'utf8');
    expect(text.trim().split('\n').length, name).toBeLessThanOrEqual(MAX_EXAMPLE_LINES);
    await writeFile(join(dir, `${name}.ts`), text.replace('127.0.0.1:8338', `127.0.0.1:${port}`));
  }
  const flags = ['--strict', '--target', 'es2022', '--lib', 'es2023,dom', '--module', 'NodeNext'];
  const built = await run('npm', npmExec(TYPESCRIPT, 'tsc', ...flags, ...EXAMPLES.map((n) => `${n}.ts`)), {
    cwd: dir,
  });
  expect(built.code, built.text).toBe(0);
  const [worker, poster] = await Promise.all(
    EXAMPLES.map((name) => run(process.execPath, [`${name}.js`], { cwd: dir, timeout: 120_000 })),
  );
  expect([poster!.code, poster!.text]).toEqual([0, expect.stringContaining('has 9 words.\ncompleted')]);
  expect([worker!.code, worker!.text]).toEqual([0, expect.stringContaining('completed 1998000')]);
});

it('from an empty folder to a first task that is settled: three commands, 25 lines', async () => {
  const text = await readFile('sdk/npm/client.md', 'utf8');
  const [, commands] = /```sh\n([\s\S]*?)```/.exec(text)!;
  const [install, start, first] = commands!.trim().split('\n');
  expect([install, start, first]).toEqual([
    'npm install @vws/client',
    'npx vws try > node.log &',
    'node first.mjs',
  ]);
  const [, code] = /```js\n([\s\S]*?)```/.exec(text)!;
  expect(code!.trim().split('\n').length).toBeLessThanOrEqual(MAX_EXAMPLE_LINES);
  const empty = await mkdtemp(join(dir, 'empty-'));
  const began = performance.now();
  // The registry has neither package yet: the tarball and the built program stand for them.
  const tarball = tarballs[NAMES.indexOf('client')]!;
  const installed = await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], {
    cwd: empty,
  });
  expect(installed.code, installed.text).toBe(0);
  const node = await bed.start({ dataDir: join(empty, 'data') });
  await writeFile(join(empty, 'first.mjs'), code!.replace(':8338', `:${node.port}`));
  const ran = await run(process.execPath, ['first.mjs'], { cwd: empty });
  expect([ran.code, ran.text]).toEqual([0, expect.stringContaining('completed 999000')]);
  console.log(`from an empty folder to a settled task: ${((performance.now() - began) / 1000).toFixed(1)} s`);
});

/** Runs what the READMEs show. */
async function runs(start: (file: string) => ReturnType<typeof run>): Promise<void> {
  for (const [name, printed] of Object.entries(PRINTS)) {
    const { code, text } = await start(`${name}.mjs`);
    expect([name, code, text]).toEqual([name, 0, expect.stringContaining(printed)]);
  }
}

it('the programs of the READMEs run here', () => runs((file) => run(process.execPath, [file], { cwd: dir })));

describe.each(Object.entries(RUNTIMES))('%s', (_, { packages, command }) => {
  it('runs the programs of the READMEs', async (context) => {
    need(context, await missingNpm(packages, command[0]!, dir));
    await runs((file) => run('npm', npmExec(packages, ...command, file), { cwd: dir }));
  });
});
