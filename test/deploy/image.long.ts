// The very steps of the Dockerfile in fresh folders, without a container engine: the program is built from what git has,
// the modules are installed without those of developers, and what the last stage copies is enough for a node to run.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

/** The instructions of each stage, continued lines joined. */
const stages = readFileSync('Dockerfile', 'utf8')
  .replaceAll('\\\n', '')
  .split(/^FROM /m)
  .slice(1)
  .map((stage) =>
    stage.split('\n').flatMap((line) => (/^(COPY|RUN|ENV|ENTRYPOINT|CMD) /.exec(line) ? [line] : [])),
  );

it('builds and runs a node', { timeout: 1_800_000 }, async () => {
  const root = mkdtempSync(join(tmpdir(), 'vws-image-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const context = join(root, 'context');
  const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const path of tracked) {
    mkdirSync(dirname(join(context, path)), { recursive: true });
    cpSync(path, join(context, path));
  }
  const folders = { build: join(root, 'build'), modules: join(root, 'modules'), last: join(root, 'last') };
  for (const [index, folder] of [folders.build, folders.modules].entries()) {
    mkdirSync(folder);
    for (const line of stages[index]!) {
      const [word, ...rest] = line.split(' ');
      if (word === 'RUN') execFileSync('sh', ['-c', rest.join(' ')], { cwd: folder, stdio: 'pipe' });
      else
        for (const from of rest.slice(0, -1))
          cpSync(join(context, from), from === '.' ? folder : join(folder, from), { recursive: true });
    }
  }
  mkdirSync(folders.last);
  for (const line of stages[2]!.filter((step) => step.startsWith('COPY'))) {
    const [, stage, path] = /--from=(\w+) \/opt\/vws\/(\S+)/.exec(line)!;
    cpSync(join(folders[stage as 'build' | 'modules'], path!), join(folders.last, path!), {
      recursive: true,
    });
  }
  // Nothing else may be reached from there.
  for (const folder of [context, folders.build, folders.modules]) rmSync(folder, { recursive: true });

  const env = {
    PATH: process.env.PATH!,
    SERVICE_TESTNET: 'true',
    SERVICE_PASSPHRASE: 'of a test',
    SERVICE_DATA: join(root, 'data'),
    SERVICE_API: '127.0.0.1:0',
    SERVICE_LOG_LEVEL: 'error',
  };
  const main = join(folders.last, 'build/host/cli/main.js');
  const node = spawn(process.execPath, [main, 'start'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void node.kill('SIGKILL'));
  let text = '';
  for await (const chunk of node.stdout) {
    text += chunk;
    if (/^ready$/m.test(text)) break;
  }
  const url = /^API: (.+)$/m.exec(text)![1]!;
  expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  expect(await (await fetch(url)).text()).toContain('<html');
  const ended = new Promise((done) => node.once('exit', done));
  node.kill('SIGTERM');
  expect(await ended).toBe(0);
});
