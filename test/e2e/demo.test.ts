// The commands that the README shows: `npm run demo`, twice on one node and where it cannot run, and the client.

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { createClientKeyFile } from '../../host/crypto/client-key-file.ts';
import { generateSeed } from '../../host/crypto/key-pair.ts';
import { createNodeKeyFile } from '../../host/crypto/node-key-file.ts';
import { isExpected } from '../../tools/docs/run-examples.mjs';
import { builtPath } from '../../tools/load/built.ts';
import { PASSPHRASE } from '../../tools/load/node-process.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());

/** A data directory as `vws try` makes it: the operator's key as a client key file too. */
async function directory(): Promise<string> {
  const dataDir = await bed.directory();
  const seed = generateSeed();
  createNodeKeyFile(dataDir, PASSPHRASE, {}, seed);
  createClientKeyFile(`${dataDir}/operator.key`, seed);
  return dataDir;
}

const run = (args: string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((done) => {
    execFile(process.execPath, args, { timeout: 50_000 }, (error, out, err) =>
      done({ code: error ? Number(error.code ?? -1) : 0, out, err }),
    );
  });

const demo = (port: number, data: string) =>
  run([builtPath('tools/demo.js'), '--node', `http://127.0.0.1:${port}`, '--data', data]);

describe('the demo', () => {
  it('plays all acts repeatedly on one node', async () => {
    const dataDir = await directory();
    const { port } = await bed.start({ dataDir });
    const readme = await readFile('README.md', 'utf8');
    const [, shown = ''] = /npm run demo\n```\n[\s\S]*?```text\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(shown).toMatch(/^\.{3}\n3\. Alice pays Bob/);
    for (let time = 0; time < 2; time++) {
      const { code, out, err } = await demo(port, dataDir);
      expect(err).toBe('');
      expect(code).toBe(0);
      expect(isExpected(shown, out), out).toBe(true);
      expect(out).toMatch(/Alice reads: Vessel register/);
      expect(out).toMatch(/before it orders anything: check 0 failed: row 3, "gross" is not the sum/);
      expect(out).toMatch(/the task is as it was shown: computed from \d+ transactions, the run included/);
      expect(out).toMatch(/everything +1,000,000,000\.000000 {2}= 10\^15 micro-units/);
      expect(out).toMatch(/\d+ events of \d+ types came over the stream, each once and in order/);
      expect(out).toMatch(/\nAll \d{3} checks hold\.\n\nWhat they made, in the page of the node:\n/);
      const [alice = ''] = /(?<=Alice: agent )[0-9a-f]{8}/.exec(out) ?? [];
      expect(out).toMatch(
        new RegExp(`\n  alice  http://127\\.0\\.0\\.1:${port}/#/agent/${alice}[0-9a-f]{56}\n`),
      );
      const [, audited = ''] = /vws audit --node \S+ --task ([0-9a-f]{32})\n/.exec(out) ?? [];
      expect(out).toContain(`\n  task   http://127.0.0.1:${port}/#/task/${audited}`);
      expect(out.endsWith(`    the API http://127.0.0.1:${port}/docs\n`)).toBe(true);
    }
  });

  it('prints what to do when limits are exceeded and when no node answers', async () => {
    const dataDir = await directory();
    const { port } = await bed.start({ dataDir, env: { SERVICE_RATE_LIMITS: 'on' } });
    const limited = await demo(port, dataDir);
    expect(limited.code).toBe(1);
    expect(limited.err).toContain('start it without limits');
    const none = await demo(1, dataDir);
    expect(none.code).toBe(1);
    expect(none.err).toContain('start one with: npm start');
  });
});

it('the program in the README prints what its last line promises', async () => {
  const { port } = await bed.start({ dataDir: await bed.directory() });
  const [, program = ''] = /```js\n([\s\S]*?)```/.exec(await readFile('README.md', 'utf8')) ?? [];
  const [, promised] = /console\.log.*\/\/ (.*)/.exec(program) ?? [];
  expect(promised).toBeDefined();
  const here = program
    .replace('./build/host/client/index.js', builtPath('host/client/index.js'))
    .replace('127.0.0.1:8338', `127.0.0.1:${port}`);
  const file = `${await bed.directory()}.mjs`;
  await writeFile(file, here);
  expect(await run([file])).toEqual({ code: 0, out: `${promised}\n`, err: '' });
});
