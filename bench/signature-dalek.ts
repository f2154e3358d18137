// ed25519-dalek, built by cargo into build/peers/ where it is at hand; its code is not part of this repository.
// Keeps: versions are pinned by Cargo.lock in peers/dalek; each turn is a process that measures its own processor time.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SignatureJob } from '../host/wire/bytes.ts';
import type { SuiteRun } from './row.ts';

const ROOT = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '..' : '../..', import.meta.url));
const BUILD_MS = 600_000;
const RUN_MS = 120_000;

/** Vector units that the library has code for, and how it is built for one; `flag`: in /proc/cpuinfo. */
const BACKENDS = [
  { name: 'AVX2', flag: 'avx2', rust: ['--cfg', 'curve25519_dalek_backend="simd"'] },
  {
    name: 'AVX-512 IFMA',
    flag: 'avx512ifma',
    rust: ['--cfg', 'curve25519_dalek_backend="avx512"', '-C', 'target-feature=+avx512ifma,+avx512vl'],
  },
] as const;

/** How a signature is asked for: `verify`, `verify_strict`, `verify_batch` with one. */
export type DalekHow = 'one' | 'strict' | 'batch';

export interface Dalek {
  name: string;
  /** Verifies in batches of this size. `isKept`: keys are decoded beforehand. */
  time(jobs: readonly SignatureJob[], batch: number, isKept: boolean): { good: number; cpuUs: number };
  accepts(jobs: readonly SignatureJob[], how: DalekHow): number;
}

/** The file that the program reads: see peers/dalek/src/main.rs. */
function encode(jobs: readonly SignatureJob[]): Uint8Array {
  const parts = jobs.flatMap(({ publicKey, signature, message }) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(message.length);
    return [publicKey, signature, length, message];
  });
  const count = Buffer.alloc(4);
  count.writeUInt32LE(jobs.length);
  return Buffer.concat([count, ...parts]);
}

function run(command: string, args: readonly string[], cwd: string, limitMs: number): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: limitMs,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr.trim().split('\n').at(-1)}`);
  return stdout;
}

/** Runs the program on a file of these signatures. */
function ask(program: string, jobs: readonly SignatureJob[], args: (file: string) => string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'vws-dalek-'));
  try {
    const file = join(folder, 'signatures');
    writeFileSync(file, encode(jobs));
    return run(program, args(file), folder, RUN_MS).trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function built({ name, rust }: (typeof BACKENDS)[number]): Dalek {
  const target = join(ROOT, 'build', 'peers', 'dalek', name.replaceAll(' ', '-'));
  const flags = ['--config', `build.rustflags=${JSON.stringify(rust)}`];
  const args = ['build', '--release', '--locked', '--quiet', '--target-dir', target, ...flags];
  run('cargo', args, join(ROOT, 'bench', 'peers', 'dalek'), BUILD_MS);
  const program = join(target, 'release', 'dalek');
  return {
    name: `ed25519-dalek, ${name}`,
    time(jobs, batch, isKept) {
      const text = ask(program, jobs, (file) => ['time', file, String(batch), isKept ? 'kept' : 'fresh']);
      const [good, cpuUs] = text.split(' ').map(Number) as [number, number];
      return { good, cpuUs };
    },
    accepts: (jobs, how) => ask(program, jobs, (file) => ['accept', file, how]).split('1').length - 1,
  };
}

/** What the processor has, as Linux says it. */
function processorFlags(): ReadonlySet<string> {
  try {
    return new Set(/^flags\s*: (.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1]?.split(' '));
  } catch {
    return new Set();
  }
}

/** One for each vector unit of this processor. None in a small run, which needs neither cargo nor a network. */
export function dalekPeers(suite: SuiteRun): Dalek[] {
  if (suite.small) {
    suite.say('  SKIPPED ed25519-dalek: not part of a small run');
    return [];
  }
  const flags = processorFlags();
  return BACKENDS.flatMap((backend) => {
    try {
      if (!flags.has(backend.flag)) throw new Error('this processor lacks it');
      return [built(backend)];
    } catch (error) {
      suite.say(
        `  SKIPPED ed25519-dalek, ${backend.name}, its figures are missing below: ${(error as Error).message}`,
      );
      return [];
    }
  });
}
