// Contracts over HTTP: a checker is published, a delivery fails before it is ordered, and one that passes is paid at once.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClientKeyFile, readClientKeyFile } from '../../host/crypto/client-key-file.ts';
import { generateSeed } from '../../host/crypto/key-pair.ts';
import { CHECK_DIGESTS } from '../../host/modules/module-digests.ts';
import { sha256Hex } from '../../host/wire/hash.ts';
import { Agent, get, TOKEN } from './agent.ts';
import { runAudit } from './audit.ts';
import { programNamed } from './program-cases.ts';
import { Testbed } from './testbed.ts';

const SECRET = 'a harvest that nobody gets';
/** A standard check under a name of its own. */
const module = Buffer.concat([readFileSync('build/checks/contains.wasm'), Uint8Array.of(0, 2, 1, 99)]);
const hash = sha256Hex(module);

const bed = new Testbed();
let port: number;
let poster: Agent;
let worker: Agent;
beforeAll(async () => {
  ({ port } = await bed.start({ dataDir: await bed.directory() }));
  poster = await new Agent(port).register();
  worker = await new Agent(port).register();
});
afterAll(() => bed.close());

it('publishes a program, and shows it by its hash', async () => {
  const published = await poster.do('/v1/programs', { module: module.toString('base64') });
  expect(published).toMatchObject({ hash, bytes: module.length, publisher_id: poster.id, runs: 0 });
  const { body } = await get(port, `/v1/programs/${hash}?include_module=true`);
  expect(Buffer.from(body.module, 'base64').equals(module)).toBe(true);
});

it('orders nothing that fails, and pays what passes at once', async () => {
  const acceptance = [{ program: hash, parameters: { all: ['Bern'] } }];
  const task = await poster.do('/v1/tasks', { title: 't', budget: TOKEN, acceptance, settle: 'on_pass' });
  await worker.do(`/v1/tasks/${task.id}/claim`);
  const before = (await get(port, '/v1/events/recent')).body.length;
  const refused = await worker.post(`/v1/tasks/${task.id}/submit`, { result_content: SECRET });
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({ code: 'acceptance_failed', details: { check: 0, program: hash } });
  expect((await get(port, '/v1/events/recent')).body).toHaveLength(before);
  const log = await fetch(`http://127.0.0.1:${port}/v1/log/vertices?epoch=0&from=0`);
  expect(log.status).toBe(200);
  expect(Buffer.from(await log.arrayBuffer()).includes(SECRET)).toBe(false);

  const paid = await worker.do(`/v1/tasks/${task.id}/submit`, { result_content: 'Bern' });
  expect(paid).toMatchObject({ status: 'completed', resolution: 'contract', poster_runs: 1 });
  expect(paid.program_runs).toEqual([{ program: hash, runs: 1, passed: 1 }]);
  expect((await get(port, `/v1/programs/${hash}`)).body).toMatchObject({ runs: 1, passed: 1 });
});

it('shows the body of what was ordered and failed in the log alone', async () => {
  const sly = await new Agent(port).register();
  const acceptance = [{ program: hash, parameters: { all: ['Chur'] }, seeded: true }];
  const task = await poster.do('/v1/tasks', { title: 'v', budget: TOKEN, acceptance, settle: 'on_pass' });
  await sly.do(`/v1/tasks/${task.id}/claim`);
  const body = {
    result_content: SECRET,
    result_note: SECRET,
    result_uri: `https://example.org/${encodeURIComponent(SECRET)}`,
    evidence: { summary: SECRET },
  };
  const answer = await sly.do(`/v1/tasks/${task.id}/submit`, body);
  expect(answer).toMatchObject({ status: 'claimed', acceptance_report: { passed: false } });
  const { submission_event_id: event } = answer.acceptance_report;
  const { vertex_hash: vertex } = (await get(port, `/v1/events/${event}`)).body;
  const shown = [
    `/v1/tasks/${task.id}`,
    `/v1/tasks/result/${task.id}`,
    `/v1/tasks/agent/${sly.id}`,
    `/v1/events/${event}`,
    '/v1/events/recent?limit=100',
    '/v1/pending',
    `/v1/dag/vertices/${vertex}`,
    '/v1/dag/vertices',
    `/v1/proof/task/${task.id}`,
    `/v1/proof/event/${event}`,
    '/v1/network/activity',
  ];
  const texts = [SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString('hex')];
  texts.push(Buffer.from(SECRET).toString('base64').slice(0, -2));
  for (const path of shown) {
    const read = await fetch(`http://127.0.0.1:${port}${path}`);
    const text = await read.text();
    expect(text.length, path).toBeGreaterThan(0);
    for (const one of texts) expect(text.includes(one), `${path}: ${text}`).toBe(false);
  }
  expect(texts.some((one) => JSON.stringify(answer).includes(one))).toBe(false);
  // The log is what everybody executes: there it stays (14.12).
  const log = await fetch(`http://127.0.0.1:${port}/v1/log/vertices?epoch=0&from=0`);
  expect(Buffer.from(await log.arrayBuffer()).includes(SECRET)).toBe(true);
});

it('is computed again by an auditor, with the counts of runs', async () => {
  const acceptance = [{ program: hash, parameters: { all: ['Chur'] }, seeded: true }];
  const task = await poster.do('/v1/tasks', { title: 'u', budget: TOKEN, acceptance, settle: 'on_pass' });
  await worker.do(`/v1/tasks/${task.id}/claim`);
  await worker.do(`/v1/tasks/${task.id}/submit`, { result_content: 'Bern' });
  const paid = await worker.do(`/v1/tasks/${task.id}/submit`, { result_content: 'Chur' });
  expect(paid.program_runs).toEqual([{ program: hash, runs: 4, passed: 2 }]);
  const { out } = await runAudit(`http://127.0.0.1:${port}`, '--json', '--task', task.id);
  expect(JSON.parse(out).answers).toMatchObject([{ kind: 'task', id: task.id, shown: 'checked' }]);
});

it('is run by the worker with `vws check run --task`, and published with `vws check publish`', async () => {
  const dir = dirname(await bed.directory());
  const cli = async (...args: string[]) => {
    const process = spawn('node', [
      'build/host/cli/main.js',
      'check',
      ...args,
      '--node',
      `http://127.0.0.1:${port}`,
    ]);
    let out = '';
    process.stdout.on('data', (part) => (out += part));
    process.stderr.on('data', (part) => (out += part));
    const [code] = await once(process, 'close');
    return { code, out };
  };
  const acceptance = [
    { program: hash, parameters: { all: ['Bern'] } },
    { program: 'size', parameters: { max_bytes: 20 }, seeded: true },
  ];
  const { id } = await poster.do('/v1/tasks', { title: 't', budget: TOKEN, acceptance });
  const file = join(dir, 'delivery.txt');
  await writeFile(file, 'Bern');
  const good = await cli('run', '--task', id, '--delivery', file, '--json');
  expect(good.code, good.out).toBe(0);
  expect(JSON.parse(good.out)).toMatchObject({ task: id, passed: true, score_bp: 10_000 });
  expect(JSON.parse(good.out).seed).toMatch(/^[0-9a-f]{64}$/);
  await writeFile(file, 'Bern, and much that nobody asked for');
  const long = await cli('run', '--task', id, '--delivery', file, '--json');
  expect(long.code).toBe(1);
  expect(JSON.parse(long.out)).toMatchObject({ passed: false, check: 1, program: CHECK_DIGESTS.size });
  const mixed = await cli('run', '--task', id, '--delivery', file, '--fuel', '5');
  expect(mixed).toMatchObject({ code: 2, out: expect.stringContaining('has its own fuel') });

  const { id: plain } = await poster.do('/v1/tasks', { title: 't', budget: TOKEN });
  const none = await cli('run', '--task', plain, '--delivery', file);
  expect(none).toMatchObject({ code: 1, out: expect.stringContaining('has no contract') });

  const key = join(dir, 'poster.key');
  createClientKeyFile(key, generateSeed());
  await new Agent(port, readClientKeyFile(key)).register();
  const program = join(dir, 'check.wasm');
  await writeFile(program, Buffer.from(programNamed('by the command line'), 'base64'));
  const published = await cli('publish', '--program', program, '--key', key, '--json');
  expect(published.code, published.out).toBe(0);
  expect((await get(port, `/v1/programs/${JSON.parse(published.out).hash}`)).status).toBe(200);
});
