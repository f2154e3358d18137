// A build of the core that exports some of its inner functions too, compiled when older than its sources.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Core, type CoreConfig } from './driver.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROBES = 'test/assembly/support/core-probes.ts';
const OUT = 'build/core-probes.wasm';

/** See test/assembly/support/core-probes.ts; u64 are bigint. */
export interface Probes {
  probe_base_fee(amount: bigint): bigint;
  probe_voter_cut(fee: bigint): bigint;
  probe_assurance_fee(lane: number, budget: bigint): bigint;
  probe_least_bond(budget: bigint): bigint;
  probe_slash(staked: bigint, offense: number): bigint;
  probe_reward(volume: bigint): bigint;
  probe_required_stake(volume: bigint, active: bigint, largest: bigint): bigint;
  probe_fee_split(fee: bigint, hasReplay: number, reserve: number, held: bigint, votes: number): bigint;
  probe_balance(agent: number): bigint;
  probe_replay_rate(over: number, eligible: number, novice: number, cluster: number, done: number): number;
  probe_replay_draw(rateBp: bigint): number;
  probe_verdict(checks: number): bigint;
  probe_votes(validator: number, right: number, wrong: number): void;
  probe_canaries(validator: number, count: number, points: number, nowSecs: bigint): void;
  probe_punish(validator: number, offense: number, nowSecs: bigint): void;
}

function newest(folder: string): number {
  const times = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? newest(path) : statSync(path).mtimeMs;
  });
  return Math.max(0, ...times);
}

function compile(): void {
  const sources = Math.max(newest(`${ROOT}assembly`), statSync(ROOT + PROBES).mtimeMs);
  if (existsSync(ROOT + OUT) && statSync(ROOT + OUT).mtimeMs > sources) return;
  mkdirSync(`${ROOT}build`, { recursive: true });
  // Test files run at the same time: each compiles to a place of its own, then moves the whole file into place.
  const own = `build/core-probes-${process.pid}.wasm`;
  const asc = `${ROOT}node_modules/assemblyscript/bin/asc.js`;
  const args = [asc, 'assembly/index.ts', PROBES, '--config', 'asconfig.json', '-o', own];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`asc failed: ${stderr}`);
  renameSync(ROOT + own, ROOT + OUT);
}

let module: WebAssembly.Module | undefined;

/** A core of this build, and its probes. */
export function openProbed(config: CoreConfig): { core: Core; probes: Probes } {
  if (!module) {
    compile();
    module = new WebAssembly.Module(readFileSync(ROOT + OUT));
  }
  const core = new Core(config, module);
  return { core, probes: core.x as unknown as Probes };
}
