// Builds everything: the WebAssembly modules and the host, several at a time, then the explorer page, which has the modules
// in it. What is newer than its sources is left alone.
// Usage: node tools/build.mjs [--force] [--clean]   --clean: leaves nothing of sources that are gone

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
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

/** A compiler takes up to a gigabyte, so many cores do not mean many compilers. */
const MAX_AT_ONCE = 4;
const running = new Set();

/** Seconds that it took. A compiler that fails ends the build, and those beside it. */
function run(name, args) {
  const started = Date.now();
  const bin = join('node_modules', name, 'bin', name === 'assemblyscript' ? 'asc.js' : 'tsc');
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [bin, ...args], { stdio: 'inherit' });
    running.add(child);
    child.once('error', failed);
    child.once('close', (status) => {
      running.delete(child);
      if (status === 0) return done(`${((Date.now() - started) / 1000).toFixed(1)} s`);
      console.error(`build: ${name} ${args.join(' ')} failed`);
      for (const other of running) other.kill();
      process.exit(status ?? 1);
    });
  });
}

async function buildModule({ config, target, entry, out, pages }) {
  const what = entry === undefined ? ['--target', target] : [entry, '--outFile', out];
  const memory = pages === undefined ? [] : ['--initialMemory', pages, '--maximumMemory', pages];
  const time = await run('assemblyscript', ['--config', config, ...what, ...memory]);
  console.log(`built ${out} (${statSync(out).size} bytes) in ${time}`);
}

async function buildHost() {
  console.log(`built the host in ${await run('typescript', ['-p', 'tsconfig.json'])}`);
}

function isFresh({ sources, shared, config, out }) {
  const made = [newest(sources), newest(shared ?? sources), statSync(config).mtimeMs];
  return existsSync(out) && statSync(out).mtimeMs > Math.max(...made);
}

if (clean) {
  for (const made of ['host', 'assembly', 'checks', '.tsbuildinfo'])
    rmSync(join('build', made), { recursive: true, force: true });
}
mkdirSync('build/checks', { recursive: true });
const stale = MODULES.filter((module) => force || !isFresh(module));
// The host first: it takes longest.
const jobs = [buildHost, ...stale.map((module) => () => buildModule(module))];
const names = `${stale.length === 0 ? '' : `${stale.length} modules and `}the host`;
console.log(`building ${names}${stale.length === MODULES.length ? ': some minutes, the first time' : ''}`);
await Promise.all(
  Array.from({ length: Math.min(availableParallelism(), MAX_AT_ONCE) }, async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) await job();
  }),
);

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
