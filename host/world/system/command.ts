// Runs a command of the operator's in a process group of its own.
// Keeps: of this process's environment it has the variables of HANDED only, so no setting of the node and no passphrase;
// however it ends, what is left of its group is killed, and what left the group is not waited for.

import { spawn } from 'node:child_process';
import type { CommandAnswer, RunCommand } from '../command.ts';

/** Variables that a program needs to find its files and its language; those that begin with JUDGE_ are for it. */
const HANDED = /^(PATH|HOME|LANG|LC_[A-Z]+|TZ|TMPDIR|USER|SHELL|JUDGE_[A-Z0-9_]+)$/;
const MAX_ERROR_CHARS = 1000;
/** For what was written before the end; whoever left the group may hold the output open for ever. */
const LAST_WORDS_MS = 500;

/** What a command sees of an environment. */
export function handedVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const known = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(known.filter(([name]) => HANDED.test(name)));
}

/** Kills what is left of a process group. */
function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}

export const runCommand: RunCommand = ({ line, input, maxAnswerBytes }, signal) =>
  new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', line], {
      detached: true,
      env: handedVariables(process.env),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let end: CommandAnswer['end'] = 'exit';
    let bytes = 0;
    let errors = '';
    const output: Buffer[] = [];
    const stop = (reason: CommandAnswer['end']): void => {
      if (end === 'exit') end = reason;
      killGroup(child.pid);
    };
    const onAbort = (): void => stop('ended');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxAnswerBytes) stop('too_long');
      else output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString('utf8')).slice(-MAX_ERROR_CHARS);
    });
    // A command may end without reading its input.
    child.stdin.on('error', () => {});
    child.on('error', () => {
      end = 'not_started';
    });
    let letGo: NodeJS.Timeout | undefined;
    // What it started may hold its output open after it has ended.
    child.on('exit', () => {
      killGroup(child.pid);
      letGo = setTimeout(() => {
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      }, LAST_WORDS_MS);
    });
    child.on('close', (code) => {
      clearTimeout(letGo);
      signal.removeEventListener('abort', onAbort);
      resolve({ end, code: code ?? undefined, output: Buffer.concat(output), errors });
    });
    child.stdin.end(input);
  });
