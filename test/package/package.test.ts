// The package as somebody else gets it: what is in it, and its doors used from Node, from TypeScript and from a bundler.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';

const DOORS = ['core', 'client', 'verify'];
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
let folder: string;
let own: string;
let files: string[];

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd: own ? folder : '.' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vws-package-'));
  own = '';
  run(process.execPath, 'tools/package.mjs');
  const [packed] = JSON.parse(run('npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder));
  files = packed.files.map(({ path }: { path: string }) => path);
  run('tar', '-xzf', join(folder, packed.filename), '-C', folder);
  own = join(folder, 'node_modules', 'vws');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(folder, 'package'), own);
  // Whoever installs it gets its dependencies; here they are lent.
  mkdirSync(join(folder, 'package', 'node_modules'));
  for (const name of readdirSync('node_modules').filter((n) => !n.startsWith('.')))
    symlinkSync(resolve('node_modules', name), join(folder, 'package', 'node_modules', name));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files behind a door, whatever the conditions. */
const targetsOf = (door: string | object): string[] =>
  typeof door === 'string' ? [door] : Object.values(door).flatMap(targetsOf);

it('has what is needed and nothing else', () => {
  const needed = [
    /^build\/(host|assembly|browser)\/.*\.(js|d\.ts)$/,
    /^build\/(checks\/)?[a-z0-9-]+\.wasm$/,
    /^build\/web\//,
    /^build\/verifier\/vws-verifier\.html(\.sha256)?$/,
    // What `vws check` starts from and compiles with.
    /^examples\/checks\/[a-z]+\//,
    /^assembly\/(checks(\/lib)?|lib)\/[a-z0-9-]+\.ts$/,
  ];
  const others = files.filter((path) => !needed.some((pattern) => pattern.test(path)));
  expect(others.sort()).toEqual(['LICENSE', 'README.md', 'assembly/README.md', 'package.json']);
  const modules = files.filter((path) => /^build\/[^/]*\.wasm$/.test(path)).sort();
  expect(modules).toEqual(
    ['consensus', 'core', 'core-scalar', 'ed25519', 'ed25519-scalar'].map((n) => `build/${n}.wasm`).sort(),
  );
  for (const door of DOORS) {
    for (const path of targetsOf(manifest.exports[`./${door}`]))
      expect(existsSync(join(own, path)), path).toBe(true);
  }
  expect(existsSync(join(own, manifest.bin.vws))).toBe(true);
});

it('makes and compiles a check in a folder of its own', () => {
  const main = join(own, manifest.bin.vws);
  run(process.execPath, main, 'check', 'new', 'mine');
  expect(run(process.execPath, main, 'check', 'test', 'mine')).toContain('7 of 7 as they must be');
});

it('opens its doors on Node', () => {
  const script = `
    import { loadModules, Core, State, openEd25519, abi, hasSimd } from 'vws/core';
    import { VwsClient, signerFromSeed } from 'vws/client';
    import { Verifier, HttpSource } from 'vws/verify';
    const modules = await loadModules();
    const door = openEd25519(modules.ed25519, (n) => crypto.getRandomValues(new Uint8Array(n)));
    const signer = signerFromSeed(new Uint8Array(32).fill(7));
    const message = new TextEncoder().encode('work');
    const signature = signer.sign(message);
    const job = { publicKey: signer.publicKey, message, signature };
    const forged = { ...job, signature: signature.with(3, signature[3] ^ 1) };
    const capacity = { agents: 64, items: 64, votes: 64, txIds: 64, keys: 64, records: 64, validators: 64, tasks: 64 };
    const core = Core.create(modules.core, { chainId: 'x', testnet: true, launchTime: 0, params: new Array(abi.PARAM_COUNT).fill(1n), capacity });
    console.log(JSON.stringify([[...door.verifyBatch([job, forged])], new State(core).header().order, typeof Verifier.open, typeof HttpSource, typeof VwsClient]));
  `;
  const told = run(process.execPath, '--input-type=module', '-e', script);
  expect(JSON.parse(told)).toEqual([[1, 0], 0, 'function', 'function', 'function']);
});

const CONSUMER = `
import { loadModules, type Modules } from 'vws/core';
import { systemEnvironment, VwsClient, type Agent } from 'vws/client';
import { BrowserStore, HttpSource, type Verdict, Verifier } from 'vws/verify';
import * as alone from 'vws/verify';

// An auditor needs no other door.
export const needed = [alone.loadModules, alone.systemEnvironment] as const;

export async function audit(baseUrl: string): Promise<[Verdict, Agent]> {
  const modules: Modules = await loadModules();
  const environment = { ...systemEnvironment };
  const store = await BrowserStore.open('audit');
  const verifier = await Verifier.open({ source: new HttpSource(baseUrl, environment), modules, store, way: 'genesis', environment });
  return [await verifier.run(), await new VwsClient({ baseUrl }).agent('alice')];
}
`;

it.each([
  ['NodeNext', 'NodeNext'],
  ['ESNext', 'Bundler'],
])('is typed for %s, %s', (module, moduleResolution) => {
  writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
  const compilerOptions = {
    module,
    moduleResolution,
    target: 'ES2022',
    lib: ['ES2023', 'DOM'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
  run(process.execPath, resolve('node_modules/typescript/bin/tsc'), '-p', folder);
});

it('is bundled for browsers, with nothing of Node in it', async () => {
  writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
  await build({
    configFile: false,
    logLevel: 'error',
    root: folder,
    build: {
      outDir: 'out',
      target: 'es2022',
      lib: { entry: 'consumer.ts', formats: ['es'], fileName: 'consumer' },
    },
  });
  // What the client loads when it is used is in files of its own.
  const files = readdirSync(join(folder, 'out')).filter((name) => /\.m?js$/.test(name));
  expect(files.some((name) => name.startsWith('consumer'))).toBe(true);
  const bundle = files.map((name) => readFileSync(join(folder, 'out', name), 'utf8')).join('\n');
  expect(bundle).not.toMatch(/from ?["']node:|require\(["']node:/);
  expect(bundle).toContain('VWS-VERTEX-V1');
}, 60_000);
