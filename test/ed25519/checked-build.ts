// The builds that assert limb bounds and export the inner arithmetic, compiled here when older than their sources.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = `${ROOT}assembly/ed25519/`;

export interface Probes {
  memory: WebAssembly.Memory;
  ed25519_init(): void;
  ed25519_trap_ptr(): number;
  probe_ptr(): number;
  probe_mul(out: number, a: number, b: number, times: number): void;
  probe_sqr(out: number, a: number, times: number): void;
  probe_sqr_pair(out: number, a: number, times: number): void;
  probe_carry(a: number): void;
  probe_freeze(out: number, a: number, lane: number): void;
  probe_decode(out: number, a: number, isPair: number): number;
  probe_neutral(out: number): void;
  probe_set(out: number, cached: number, negative: number): void;
  probe_add(out: number, point: number, cached: number, times: number): void;
  probe_sub(out: number, point: number, cached: number, times: number): void;
  probe_double(out: number, point: number, times: number): void;
  probe_double_cached(out: number, cached: number): void;
  probe_cache(out: number, point: number, times: number): void;
  probe_reduce(out: number, wide: number): void;
  probe_scalar_mul(out: number, a: number, b: number, times: number): void;
  probe_scalar_add(out: number, a: number, b: number): void;
  probe_halve(out: number, k: number, times: number): number;
  probe_hash(out: number, a: number, length: number, times: number): void;
}

function compile(target: string): string {
  const out = `${ROOT}build/ed25519-${target}.wasm`;
  const newest = Math.max(...readdirSync(SOURCES).map((name) => statSync(SOURCES + name).mtimeMs));
  if (existsSync(out) && statSync(out).mtimeMs > newest) return out;
  mkdirSync(`${ROOT}build`, { recursive: true });
  const asc = `${ROOT}node_modules/assemblyscript/bin/asc.js`;
  // Test files run at the same time: each compiles to a place of its own, then moves the whole file into place.
  const own = `build/ed25519-${target}-${process.pid}.wasm`;
  const args = [
    'assembly/ed25519/probes.ts',
    '--config',
    'asconfig.ed25519.json',
    '--target',
    target,
    '-o',
    own,
  ];
  const { status, stderr } = spawnSync(process.execPath, [asc, ...args], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`asc failed: ${stderr}`);
  renameSync(ROOT + own, out);
  return out;
}

/** The compiled module `checked` or `checked-scalar`. */
export function checkedModule(target: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(compile(target)));
}

/** A ready instance of `checked` or `checked-scalar`. */
export function openProbes(target: string): Probes {
  const probes = new WebAssembly.Instance(checkedModule(target), {}).exports as unknown as Probes;
  probes.ed25519_init();
  return probes;
}
