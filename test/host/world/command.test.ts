// A command of the operator's: what it is given, how it ends, and that nothing of it is left.

import { describe, expect, it } from 'vitest';
import { handedVariables, runCommand } from '../../../host/world/system/command.ts';

const never = new AbortController().signal;
const run = (line: string, input = '', signal = never) =>
  runCommand({ line, input, maxAnswerBytes: 1000 }, signal);
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** Leaves its group with the same input and output, says who it is on standard error, and stays for 25 s. */
const ESCAPE = `"${process.execPath}" -e "require('child_process').spawn('/bin/sh', ['-c', 'echo pid \\$\\$ >&2; exec sleep 25'], { detached: true, stdio: 'inherit' }).unref()"`;

/** Resolves when no process has this id; the test's own time limit ends a wait in vain. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((next) => setTimeout(next, 20));
  }
}

describe('a command', () => {
  it('reads its input and answers on standard output', async () => {
    const answer = await run('cat; echo oops >&2; exit 3', 'grüße');
    expect([text(answer.output), answer.code, answer.end, answer.errors]).toEqual([
      'grüße',
      3,
      'exit',
      'oops\n',
    ]);
  });

  it('may end without reading its input', async () => {
    expect(await run('exit 0', 'x'.repeat(1_000_000))).toMatchObject({ end: 'exit', code: 0 });
  });

  it('has no setting of the node and no passphrase in its environment', async () => {
    const env = {
      PATH: '/bin',
      LC_ALL: 'C',
      JUDGE_KEY: 'k',
      SERVICE_PASSPHRASE: 'secret',
      SERVICE_JUDGE: 'me',
      VWS_MCP_SPOOL: 's',
      NODE_OPTIONS: '--inspect',
      AWS_SECRET_ACCESS_KEY: 'a',
    };
    expect(handedVariables(env)).toEqual({ PATH: '/bin', LC_ALL: 'C', JUDGE_KEY: 'k' });
    process.env.SERVICE_PASSPHRASE = 'secret';
    try {
      expect(text((await run('env')).output)).not.toContain('secret');
    } finally {
      delete process.env.SERVICE_PASSPHRASE;
    }
  });

  it('is killed with all it started when its time is over', async () => {
    const late = new AbortController();
    const started = run('sleep 600 & echo $!; wait', '', late.signal);
    setTimeout(() => late.abort(), 300);
    const answer = await started;
    expect(answer.end).toBe('ended');
    // Whether or not the shell got as far as its first line, nothing of the group may be left.
    const pid = Number(text(answer.output));
    if (pid > 0) await gone(pid);
  });

  it('leaves nothing behind when it ends by itself', async () => {
    const answer = await run('sleep 600 & echo $!');
    expect(answer).toMatchObject({ end: 'exit', code: 0 });
    const pid = Number(text(answer.output));
    expect(pid).toBeGreaterThan(0);
    await gone(pid);
  });

  // A session of its own is no part of the group: whoever waits for its end waits as long as it holds the output.
  it.each([
    ['ends', never, 'exit'],
    ['is ended', undefined, 'ended'],
  ] as const)('is not waited for beyond its group when it %s', async (_, signal, end) => {
    const late = new AbortController();
    const begun = Date.now();
    const line = `${ESCAPE}; echo yes; ${signal ? '' : 'sleep 600'}`;
    const started = run(line, 'x'.repeat(1_000_000), signal ?? late.signal);
    setTimeout(() => late.abort(), 3000);
    const answer = await started;
    const seconds = (Date.now() - begun) / 1000;
    const [, pid] = /pid (\d+)/.exec(answer.errors) ?? [];
    if (pid !== undefined) process.kill(Number(pid));
    expect([answer.end, text(answer.output)]).toEqual([end, 'yes\n']);
    expect(seconds).toBeLessThan(20);
  });

  it('is ended when it writes too much', async () => {
    const answer = await run('yes');
    expect(answer.end).toBe('too_long');
    expect(answer.output.length).toBeLessThanOrEqual(1000);
  });

  it('does not run at all once its time is over', async () => {
    expect((await run('cat', '', AbortSignal.abort())).end).toBe('ended');
  });
});
