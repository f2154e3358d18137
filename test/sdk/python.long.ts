// The Python SDK (sdk/python) as it is shipped: built, installed into a fresh environment, checked by ruff and pyright,
// and run against a real node; then the examples and the guide, as a stranger would run them in an empty folder.
// What needs a package registry that is not reachable from here is skipped by name.

import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { openResult, sealResult, signerFromSeed } from '../../host/client/index.ts';
import { isExpected } from '../../tools/docs/run-examples.mjs';
import { snippetOf } from '../e2e/docs-snippets.ts';
import { Testbed } from '../e2e/testbed.ts';
import { missingNpm, npmExec, type Run, run, Venv } from './tools.ts';

const SDK = resolve('sdk/python');
const GUIDE = 'docs/agents/python.md';
const UV = 'uv==0.13.9';
const TOOLS = ['pytest==9.2.0', 'ruff==0.17.6'];
const PYRIGHT = ['pyright@1.1.414'];
const MAX_LINES = 25;
const MAX_COMMANDS = 3;
/** Nothing is written into the tree. */
const ENV = { PYTHONDONTWRITEBYTECODE: '1', RUFF_NO_CACHE: 'true' };

const bed = new Testbed();
let dir: string;
let venv: Venv;
let missing: string | undefined;
let url: string;

const wheel = async (): Promise<string> =>
  join(dir, 'dist', (await readdir(join(dir, 'dist'))).find((name) => name.endsWith('.whl'))!);

/** The program of a version of Python, such as 3.10: on the path, or of pyenv; undefined if there is none. */
async function pythonOf(version: string): Promise<string | undefined> {
  const versions = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const own = (await readdir(versions).catch(() => [])).filter((name) => name.startsWith(`${version}.`));
  const programs = [`python${version}`, ...own.map((name) => join(versions, name, 'bin', 'python'))];
  for (const program of programs) {
    if ((await run(program, ['--version'], { cwd: dir })).code === 0) return program;
  }
  return undefined;
}

/** What uv says of a registry that does not answer, or lacks a package. Any other failure is one of ours. */
const UNREACHABLE =
  /Failed to fetch|error sending request|dns error|Could not connect|not found in the package registry/i;

/** Builds the wheel and installs it with what tests it. Why it cannot be, or undefined. */
async function install(): Promise<string | undefined> {
  const reason = await venv.install([UV]);
  if (reason) return reason;
  const steps = [
    () => ['build', '--quiet', '--wheel', '--out-dir', join(dir, 'dist'), SDK],
    async () => [
      'pip',
      'install',
      '--quiet',
      '--python',
      venv.bin('python'),
      `${await wheel()}[verify]`,
      ...TOOLS,
    ],
  ];
  for (const step of steps) {
    const { code, text } = await run(venv.bin('uv'), await step(), { cwd: dir, env: ENV });
    if (code !== 0 && UNREACHABLE.test(text)) return `no registry of packages: ${text.trim().slice(-500)}`;
    expect(code, text).toBe(0);
  }
  return undefined;
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vws-python-'));
  venv = new Venv(dir);
  missing = await install();
  if (missing) console.warn(`SKIPPED test/sdk/python.long.ts, the Python SDK is not tested: ${missing}`);
  else url = await newNode();
}, 900_000);
afterAll(async () => {
  await bed.close();
  await rm(dir, { recursive: true, force: true });
});

const newNode = async (): Promise<string> =>
  `http://127.0.0.1:${(await bed.start({ dataDir: await bed.directory() })).port}`;
const need = (context: TestContext): void => {
  if (missing) context.skip(missing);
};
const python = (args: string[], cwd: string, env: Record<string, string> = {}): Promise<Run> =>
  run(venv.bin('python'), args, { cwd, env: { ...ENV, ...env } });
async function emptyFolder(name: string): Promise<string> {
  await mkdir(join(dir, name));
  return join(dir, name);
}

interface Block {
  tag: string;
  text: string;
}
/** The fenced blocks of the guide. */
function blocksOf(path: string): Block[] {
  const found = readFileSync(path, 'utf8').matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```$/gm);
  return [...found].map(([, tag, text]) => ({ tag: tag!, text: text! }));
}
const linesOf = (text: string): number => text.trim().split('\n').length;

describe('the Python SDK', () => {
  it('has no fault by ruff', async (context) => {
    need(context);
    for (const args of [
      ['check', '.'],
      ['format', '--check', '.'],
    ]) {
      const { code, text } = await run(venv.bin('ruff'), args, { cwd: SDK, env: ENV });
      expect(code, text).toBe(0);
    }
  }, 60_000);

  it('has no fault by pyright in strict mode', async (context) => {
    need(context);
    const unreachable = await missingNpm(PYRIGHT, 'pyright', dir);
    if (unreachable) {
      console.warn(`SKIPPED test/sdk/python.long.ts, types are not checked: ${unreachable}`);
      context.skip(unreachable);
    }
    const args = npmExec(PYRIGHT, 'pyright', '--project', SDK, '--pythonpath', venv.bin('python'));
    const { code, text } = await run('npm', args, { cwd: dir });
    expect(code, text).toBe(0);
  }, 600_000);

  it('passes its tests against a real node', async (context) => {
    need(context);
    const command = [process.execPath, resolve('build/host/cli/main.js')];
    const env = {
      VWS_TEST_NODE: url,
      VWS_TEST_COMMAND: JSON.stringify(command),
      VWS_VECTORS: resolve('test/embed/vectors.txt'),
    };
    const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--rootdir', SDK, join(SDK, 'tests')];
    const { code, text } = await python(args, dir, env);
    expect(code, text).toBe(0);
    expect(Number(/(\d+) passed/.exec(text)?.[1]), text).toBeGreaterThan(80);
    expect(text).not.toMatch(/skipped/);
  }, 900_000);

  it('encrypts for the client of this package, and the other way round', async (context) => {
    need(context);
    const [seed, task] = [new Uint8Array(32).fill(7), '42'.repeat(16)];
    const { publicKey } = signerFromSeed(seed);
    const program = `import sys
from vws import Key, open_result, seal_result
key = Key(bytes([7]) * 32)
print(open_result(key, "${task}", sys.argv[1]).decode())
print(seal_result(key, key.public_key, "${task}", "from Python \u00fc")["result_content"])`;
    const made = sealResult(seed, publicKey, task, 'from TypeScript \u00fc').result_content;
    const { code, text } = await python(['-c', program, made], dir, { PYTHONIOENCODING: 'utf8' });
    expect(code, text).toBe(0);
    const [opened, sealed] = text.split('\n');
    expect(opened).toBe('from TypeScript \u00fc');
    expect(new TextDecoder().decode(openResult(seed, task, sealed!))).toBe('from Python \u00fc');
  }, 60_000);

  it('runs on the oldest Python that it names', async (context) => {
    need(context);
    const oldest = /requires-python = ">=([\d.]+)"/.exec(
      readFileSync(join(SDK, 'pyproject.toml'), 'utf8'),
    )![1]!;
    const found = await pythonOf(oldest);
    if (!found) {
      console.warn(
        `SKIPPED test/sdk/python.long.ts, not tried on the oldest Python: no Python ${oldest} here`,
      );
      context.skip(`no Python ${oldest}`);
      return;
    }
    const folder = await emptyFolder('oldest');
    const uv = (...args: string[]): Promise<Run> => run(venv.bin('uv'), args, { cwd: folder, env: ENV });
    const made = await uv('venv', '--quiet', '--python', found, 'venv');
    expect(made.code, made.text).toBe(0);
    const own = join(folder, 'venv', 'bin', 'python');
    const installed = await uv(
      'pip',
      'install',
      '--quiet',
      '--python',
      own,
      `${await wheel()}[verify]`,
      TOOLS[0]!,
    );
    expect(installed.code, installed.text).toBe(0);
    const files = ['canonical', 'submission', 'batches', 'verify'].map((name) =>
      join(SDK, 'tests', `test_${name}.py`),
    );
    const env = { ...ENV, VWS_VECTORS: resolve('test/embed/vectors.txt') };
    const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--rootdir', SDK, ...files];
    const { code, text } = await run(own, args, { cwd: folder, env });
    expect(code, text).toBe(0);
  }, 600_000);
});

describe('the examples in Python', () => {
  it('post a task, do it and are paid, in processes of their own', async (context) => {
    need(context);
    const folder = await emptyFolder('examples');
    for (const name of ['poster.py', 'worker.py']) {
      await cp(resolve('examples/python', name), join(folder, name));
      expect(linesOf(readFileSync(join(folder, name), 'utf8')), name).toBeLessThanOrEqual(MAX_LINES);
    }
    const fresh = await newNode();
    const [poster, worker] = await Promise.all([
      python(['poster.py', fresh], folder),
      python(['worker.py', fresh], folder),
    ]);
    expect(worker.text.trim()).toBe('completed 1998000');
    expect(poster.text).toBe('The description of this task has 9 words.\ncompleted 1998000\n\n');
    // Run again, it has what it had and posts nothing twice.
    expect((await python(['poster.py', fresh], folder)).text).toBe(poster.text);
  }, 120_000);

  it('of the guide run as they are written, the first of them within three commands and 25 lines', async (context) => {
    need(context);
    const folder = await emptyFolder('guide');
    const fresh = await newNode();
    const blocks = blocksOf(GUIDE);
    const first = blocks.findIndex(({ tag }) => tag === 'python');
    const commands = blocks.slice(0, first).filter(({ tag }) => tag === 'sh');
    expect(commands.reduce((sum, { text }) => sum + linesOf(text), 1)).toBeLessThanOrEqual(MAX_COMMANDS);
    expect(linesOf(blocks[first]!.text)).toBeLessThanOrEqual(MAX_LINES);
    for (const [i, { tag, text }] of blocks.entries()) {
      if (tag !== 'python') continue;
      await writeFile(join(folder, 'block.py'), text);
      const ran = await python(['block.py'], folder, { SERVICE_NODE: fresh });
      expect(ran.code, `${text}\n${ran.text}`).toBe(0);
      const expected = blocks[i + 1];
      if (expected?.tag === 'text') expect(isExpected(expected.text, ran.text), ran.text).toBe(true);
    }
  }, 300_000);

  it('of the page /docs registers an agent, without this SDK', async (context) => {
    need(context);
    const folder = await emptyFolder('docs');
    await writeFile(join(folder, 'first.py'), await snippetOf(Number(new URL(url).port), 'Python'));
    const { code, text } = await python(['first.py'], folder);
    expect(code, text).toBe(0);
    const txid = /^transaction ([0-9a-f]{64})$/m.exec(text)?.[1];
    expect(text).toContain(`'event_id': '${txid}'`);
  }, 60_000);
});
