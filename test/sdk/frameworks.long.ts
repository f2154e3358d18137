// The examples for agent frameworks (examples/agents), each as a stranger runs it: with its own packages in an empty folder, over
// `npx vws mcp`, with a scripted model in place of a real one. Each finds a task, does it, and is paid.
// What needs a package registry that is not reachable from here is skipped by name.

import { mkdtempSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { builtPath } from '../../tools/load/built.ts';
import { Agent, get } from '../e2e/agent.ts';
import { Testbed } from '../e2e/testbed.ts';
import { ScriptedModel, worker } from './scripted-model.ts';
import { type Run, run, Venv } from './tools.ts';

const EXAMPLES = resolve('examples/agents');
const UV = 'uv==0.13.9';
const MAX_LINES = 25;
const TOKEN = 1_000_000;
/** For an installation, and for a run. */
const INSTALL_MS = 240_000;
const RESULT = 'The description has nine words, counted one by one.';
/** A registry that does not answer, or lacks a package. Any other failure is one of ours. */
const UNREACHABLE =
  /Failed to fetch|error sending request|dns error|Could not connect|not found in the package registry|No solution found|E404|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ETARGET/i;

const bed = new Testbed();
const dir = mkdtempSync(join(tmpdir(), 'vws-frameworks-'));
const venv = new Venv(dir);
const model = new ScriptedModel(worker('counting', RESULT));
let noUv: string | undefined;
let modelUrl: string;
let port: number;

beforeAll(async () => {
  noUv = await venv.install([UV]);
  modelUrl = await model.start();
  port = (await bed.start({ dataDir: await bed.directory() })).port;
}, 300_000);
afterAll(async () => {
  await model.close();
  await bed.close();
  await rm(dir, { recursive: true, force: true });
});

/** An empty folder in which `npx vws` is this tree's command, with the example. */
async function folderFor(example: string): Promise<string> {
  const folder = join(dir, example.replace(/\W/g, '-'));
  const bin = join(folder, 'node_modules', '.bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  await writeFile(
    join(bin, 'vws'),
    `#!/bin/sh\nexec "${process.execPath}" "${builtPath('host/cli/main.js')}" "$@"\n`,
  );
  await chmod(join(bin, 'vws'), 0o755);
  await cp(join(EXAMPLES, example), join(folder, example));
  return folder;
}

/** As a framework is told of a model; nothing is sent to anybody else, and nothing is written outside of the folder. */
const envOf = (folder: string): Record<string, string> => ({
  HOME: folder,
  OPENAI_API_KEY: 'none',
  OPENAI_BASE_URL: `${modelUrl}/v1`,
  OPENAI_API_BASE: `${modelUrl}/v1`,
  OPENAI_AGENTS_DISABLE_TRACING: '1',
  ANTHROPIC_API_KEY: 'none',
  ANTHROPIC_BASE_URL: modelUrl,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  CREWAI_DISABLE_TELEMETRY: 'true',
  CREWAI_TRACING_ENABLED: 'false',
  OTEL_SDK_DISABLED: 'true',
  UV_CACHE_DIR: join(dir, 'uv-cache'),
  npm_config_cache: join(dir, 'npm-cache'),
});

function needs(context: TestContext, what: string, { code, text }: Run): void {
  // A registry that hangs is as good as none.
  if (code < 0 || (code !== 0 && UNREACHABLE.test(text))) {
    console.warn(`SKIPPED ${what}: its packages cannot be had here: ${text.trim().slice(-300)}`);
    context.skip(`no packages for ${what}`);
  }
  expect(code, text).toBe(0);
}

/** A task is posted, the example runs, the task is approved: its agent was paid. */
async function earns(
  example: string,
  command: (folder: string) => Promise<Run>,
  folder: string,
): Promise<void> {
  const text = readFileSync(join(EXAMPLES, example), 'utf8');
  expect(text.trim().split('\n').length, 'lines of the example').toBeLessThanOrEqual(MAX_LINES);
  const poster = await new Agent(port).register();
  const { id } = await poster.do('/v1/tasks', {
    title: 'Count the words',
    description: 'How many words has this very description, please tell?',
    category: 'counting',
    budget: 2 * TOKEN,
  });
  const ran = await command(folder);
  expect(ran.code, `${ran.text}\nasked in vain: ${model.unknown}`).toBe(0);
  expect(ran.text).toContain(id);
  const { body: task } = await get(port, `/v1/tasks/${id}`);
  expect(task, ran.text).toMatchObject({ status: 'submitted', result_content: RESULT });
  const paid = await poster.do(`/v1/tasks/${id}/approve`);
  expect(paid).toMatchObject({ status: 'completed', payout_status: 'paid', claimer_id: task.claimer_id });
}

for (const example of [
  'langgraph_worker.py',
  'openai_agents_worker.py',
  'crewai_worker.py',
  'claude_worker.py',
]) {
  it(
    example,
    async (context) => {
      if (noUv) context.skip(`no uv: ${noUv}`);
      const folder = await folderFor(example);
      const o = { cwd: folder, env: envOf(folder), timeout: INSTALL_MS };
      needs(context, example, await run(venv.bin('uv'), ['sync', '--quiet', '--script', example], o));
      const args = ['run', '--quiet', '--offline', example, `http://127.0.0.1:${port}`];
      await earns(example, () => run(venv.bin('uv'), args, o), folder);
    },
    2 * INSTALL_MS,
  );
}

it(
  'ai-sdk-worker.mjs',
  async (context) => {
    const example = 'ai-sdk-worker.mjs';
    const folder = await folderFor(example);
    const o = { cwd: folder, env: envOf(folder), timeout: INSTALL_MS };
    // The second line of the example says what it needs; `vws` is there.
    const line = readFileSync(join(EXAMPLES, example), 'utf8').match(/npm install (.+)$/m)![1]!;
    const install = [
      'install',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--no-save',
      ...line.split(' '),
    ];
    const bin = readFileSync(join(folder, 'node_modules/.bin/vws'));
    needs(context, example, await run('npm', install, o));
    await writeFile(join(folder, 'node_modules/.bin/vws'), bin, { mode: 0o755 });
    await earns(example, () => run(process.execPath, [example, `http://127.0.0.1:${port}`], o), folder);
  },
  2 * INSTALL_MS,
);
