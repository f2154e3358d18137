// Builds everything: the WebAssembly modules, the host, the explorer page. What is newer than its sources is left alone.
// Usage: node tools/build.mjs [--force] [--clean]   --clean: leaves nothing of sources that are gone

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildWeb, isWebFresh, WEB_OUT } from './web.mjs';

const force = process.argv.includes('--force');
const clean = process.argv.includes('--clean');

/**
 * Pages of memory of the checks that need less than the most: the input and what they make of it. Only those that read a delivery
 * as JSON make more of it than it has bytes, 20 for each value.
 */
const CHECK_PAGES = { contains: 48, csv: 48, equals: 80, regex: 48, size: 48 };
const CHECKS = readdirSync('assembly/checks')
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3));
/** AssemblyScript targets: config file, target or entry, output, folders whose sources make it. */
const MODULES = [
  { config: 'asconfig.json', target: 'core', out: 'build/core.wasm', sources: 'assembly' },
  { config: 'asconfig.json', target: 'scalar', out: 'build/core-scalar.wasm', sources: 'assembly' },
  {
    config: 'asconfig.consensus.json',
    target: 'consensus',
    out: 'build/consensus.wasm',
    sources: 'assembly',
  },
  { config: 'asconfig.ed25519.json', target: 'simd', out: 'build/ed25519.wasm', sources: 'assembly/ed25519' },
  {
    config: 'asconfig.ed25519.json',
    target: 'scalar',
    out: 'build/ed25519-scalar.wasm',
    sources: 'assembly/ed25519',
  },
  ...CHECKS.map((name) => ({
    config: 'asconfig.checks.json',
    entry: `assembly/checks/${name}.ts`,
    out: `build/checks/${name}.wasm`,
    pages: CHECK_PAGES[name],
    sources: 'assembly/checks',
    shared: 'assembly/lib',
  })),
];

function newest(folder) {
  let time = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    time = Math.max(time, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return time;
}

function run(name, args) {
  const started = Date.now();
  const bin = join('node_modules', name, 'bin', name === 'assemblyscript' ? 'asc.js' : 'tsc');
  const { status, error } = spawnSync(process.execPath, [bin, ...args], { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) {
    console.error(`build: ${name} ${args.join(' ')} failed`);
    process.exit(status ?? 1);
  }
  return `${((Date.now() - started) / 1000).toFixed(1)} s`;
}

if (clean) {
  for (const made of ['host', 'assembly', 'checks', '.tsbuildinfo'])
    rmSync(join('build', made), { recursive: true, force: true });
}
mkdirSync('build/checks', { recursive: true });
for (const m of MODULES) {
  const made = [newest(m.sources), newest(m.shared ?? m.sources), statSync(m.config).mtimeMs];
  const fresh = existsSync(m.out) && statSync(m.out).mtimeMs > Math.max(...made);
  if (fresh && !force) continue;
  const what = m.entry === undefined ? ['--target', m.target] : [m.entry, '--outFile', m.out];
  const pages = m.pages === undefined ? [] : ['--initialMemory', m.pages, '--maximumMemory', m.pages];
  const time = run('assemblyscript', ['--config', m.config, ...what, ...pages]);
  console.log(`built ${m.out} (${statSync(m.out).size} bytes) in ${time}`);
}
console.log(`built the host in ${run('typescript', ['-p', 'tsconfig.json'])}`);

// The page shares the client and what lies below it with the host, so the whole of host/ counts as its source.
const WEB_SOURCES = [
  'host',
  'assembly/abi.ts',
  'tools/web.mjs',
  'package-lock.json',
  ...MODULES.map((m) => m.out),
];
if (force || !isWebFresh(WEB_SOURCES)) {
  const started = Date.now();
  await buildWeb();
  console.log(`built ${WEB_OUT} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
