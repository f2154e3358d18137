// Runs programs of other ecosystems for the tests of this folder. What cannot be fetched here is reported, so that a
// test can skip itself by name.

import { execFile } from 'node:child_process';
import { join } from 'node:path';

export interface Run {
  /** Exit code; -1 when the program did not start or was stopped. */
  code: number;
  /** What it wrote to both outputs. */
  text: string;
}

const INSTALL_MS = 300_000;

export function run(
  file: string,
  args: string[],
  o: { cwd: string; env?: Record<string, string>; timeout?: number },
): Promise<Run> {
  const env = { ...process.env, npm_config_loglevel: 'error', ...o.env };
  return new Promise((done) => {
    const options = { cwd: o.cwd, env, timeout: o.timeout ?? INSTALL_MS, maxBuffer: 64e6 };
    execFile(file, args, options, (error, out, err) => {
      const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
      done({ code, text: `${out}\n${err}${code < 0 ? `\n${error?.message}` : ''}` });
    });
  });
}

/** Arguments of `npm` that run a program of pinned packages, which are fetched if need be. */
export const npmExec = (packages: readonly string[], ...command: string[]): string[] => [
  'exec',
  '--yes',
  ...packages.map((name) => `--package=${name}`),
  '--',
  ...command,
];

/** Why a program of these packages cannot be run, or undefined if it can. */
export async function missingNpm(
  packages: readonly string[],
  program: string,
  cwd: string,
): Promise<string | undefined> {
  const { code, text } = await run('npm', npmExec(packages, program, '--version'), { cwd });
  return code === 0 ? undefined : `no ${packages.join(', ')}: ${text.trim().slice(-500)}`;
}

/** A Python environment in a folder. `bin` gives the path of one of its programs. */
export class Venv {
  constructor(private readonly dir: string) {}

  readonly bin = (name: string): string => join(this.dir, 'venv', 'bin', name);

  /** Makes it with these packages; why it cannot be made, or undefined. */
  async install(packages: readonly string[]): Promise<string | undefined> {
    const made = await run('python3', ['-m', 'venv', 'venv'], { cwd: this.dir });
    if (made.code !== 0) return `no Python 3 with venv: ${made.text.trim().slice(-500)}`;
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1'];
    const installed = await run(this.bin('python'), [...pip, ...packages], { cwd: this.dir });
    return installed.code === 0
      ? undefined
      : `no ${packages.join(', ')}: ${installed.text.trim().slice(-500)}`;
  }
}
