// How a node ends: with nobody left who reads its output, and under npm.

import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { builtPath } from '../../tools/load/built.ts';
import { freePort } from '../../tools/localnet/free-ports.ts';
import { Agent, until } from './agent.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());

/** The API's address, once the node is ready. The stream flows on, so nothing of the node waits for a reader. */
function addressOf(output: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    output.on('data', (chunk) => {
      text += chunk;
      if (/^ready$/m.test(text)) resolve(/^API: (.+)$/m.exec(text)![1]!);
    });
  });
}

describe('a node whose output nobody reads any more', () => {
  it('goes on, and ends cleanly at SIGTERM', async () => {
    const port = await freePort();
    const api = `127.0.0.1:${port}`;
    const args = ['try', '--data', await bed.directory(), '--api', api, '--listen', '127.0.0.1:0'];
    const node = spawn(process.execPath, [builtPath('host/cli/main.js'), ...args], {
      env: { ...process.env, SERVICE_LOG_LEVEL: 'debug' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void node.kill('SIGKILL'));
    const ended = new Promise((resolve) => node.once('exit', (code, signal) => resolve(code ?? signal)));
    // Both pipes break at once: what it prints at its start, and each line of its log, has no reader.
    node.stdout.destroy();
    node.stderr.destroy();
    const isLive = (): Promise<boolean> =>
      fetch(`http://${api}/health/live`).then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(isLive, (live) => live);
    await new Agent(port).register();
    node.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});

describe('a command that follows a node', () => {
  it.each([['events', '--since', '0'], ['top']])('vws %s ends with whoever reads it', async (...args) => {
    const { port } = await bed.start({ dataDir: await bed.directory() });
    const agent = await new Agent(port).register();
    const url = `http://127.0.0.1:${port}`;
    const command = spawn(process.execPath, [builtPath('host/cli/main.js'), ...args, '--node', url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void command.kill('SIGKILL'));
    let ended: number | string | undefined;
    command.once('exit', (code, signal) => {
      ended = code ?? signal ?? '';
    });
    command.stdout.once('data', () => command.stdout.destroy());
    // `vws events` notices with the next line that it prints.
    const next = async (): Promise<number | string | undefined> => {
      await agent.post('/v1/stake', { amount: 1 });
      return ended;
    };
    expect(await until(next, (end) => end !== undefined, 15_000)).toBe(0);
  });
});

describe('npm start', () => {
  it('hands SIGTERM to the node, which ends cleanly', async () => {
    const dataDir = await bed.directory();
    // Without its pre-script, which builds what is built.
    const args = ['start', '--ignore-scripts', '--silent', '--', '--data', dataDir];
    const npm = spawn('npm', [...args, '--api', '127.0.0.1:0', '--listen', '127.0.0.1:0'], {
      env: { ...process.env, SERVICE_LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    onTestFinished(() => {
      try {
        process.kill(-npm.pid!, 'SIGKILL');
      } catch {
        // The whole group is gone, as it should be.
      }
    });
    const url = await addressOf(npm.stdout);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    const ended = new Promise((resolve) => npm.once('exit', resolve));
    npm.kill('SIGTERM');
    expect(await ended).toBe(0);
    await expect(fetch(`${url}/health/live`)).rejects.toThrow();
  });
});
