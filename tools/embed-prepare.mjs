// Readies a host of test/embed/: fetches what it depends on and builds it.

import { spawn, spawnSync } from 'node:child_process';

const STEP_MINUTES = 60;
// An unreachable registry is not a failure of the test; a file that differs from its lock is.
const TAMPERED =
  /checksum|do not match the hashes|hash mismatch|security error|lock file .* needs to be updated/i;

/** A host that this machine can't run, and why. */
export class Skipped extends Error {}

/** Runs a step to its end. */
export function perform(step) {
  const { command, cwd, env } = Array.isArray(step) ? { command: step } : step;
  const [program, ...args] = command;
  return new Promise((done) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      timeout: STEP_MINUTES * 60_000,
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    child.on('error', (error) => done({ ok: false, stdout, stderr: `${error}` }));
    child.on('close', (code) => done({ ok: code === 0, stdout, stderr }));
  });
}

export const lastLines = (text) => text.trim().split('\n').slice(-4).join('\n    ');
const isThere = (tool) => !spawnSync(tool, ['--version']).error;

/** Throws Skipped if a tool or a registry is missing. */
export async function prepare(host) {
  const missing = host.needs.filter((tool) => !isThere(tool));
  if (missing.length > 0) throw new Skipped(`no ${missing.join(', ')} here`);
  for (const step of host.fetch) {
    const { ok, stdout, stderr } = await perform(step);
    if (ok) continue;
    const reason = lastLines(stderr || stdout);
    throw TAMPERED.test(stderr + stdout) ? new Error(reason) : new Skipped(`cannot fetch:\n    ${reason}`);
  }
  for (const step of host.build) {
    if (typeof step === 'function') {
      step();
      continue;
    }
    const { ok, stdout, stderr } = await perform(step);
    if (!ok) throw new Error(`does not build:\n    ${lastLines(stderr || stdout)}`);
  }
}
