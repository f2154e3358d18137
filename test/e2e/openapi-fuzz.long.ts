// A fuzzer that is given only the API description, against a node of a network of four seats: schemathesis, pinned,
// in a Python environment of its own. A proxy signs its writes. Every answer must match the description: status, content
// type, headers and schema; what it forbids must be refused; no answer is a 5xx.
// Skips by name where Python or its registry is missing. VWS_FUZZ_EXAMPLES: cases of each operation and phase.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import type { OpenApi } from '../../host/api/openapi.ts';
import { fillPlaceholders } from '../../host/wire/placeholders.ts';
import { get } from './agent.ts';
import { valuesOf } from './placeholder-values.ts';
import { testSeed } from './seed.ts';
import { SigningProxy } from './signing-proxy.ts';
import { tell } from './story.ts';
import { TASK } from './task-cases.ts';
import { Testbed } from './testbed.ts';

const PACKAGE = 'schemathesis==4.32.5';
const EXAMPLES = Number(process.env.VWS_FUZZ_EXAMPLES ?? 5);
const INSTALL_MS = 240_000;
/** A minute for each 8 examples on a core that is busy with other tests too. */
const FUZZ_MS = 240_000 + EXAMPLES * 30_000;
/** Fewer events than the examples of all writes make: were the signatures bad, there would be none. */
const MIN_EVENTS = 20;
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'allow_header_conformance',
];
/** What the description forbids is refused with one of these; 413 where a member is far too long, 406 and 415 at /mcp. */
const SETTINGS = `
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "426"]
`;
/** Exits with 1 and the fault when a document is no OpenAPI 3.1; by the official schema, which the package holds. */
const VALIDATE = `
import sys, schemathesis
try:
    schemathesis.openapi.from_path(sys.argv[1]).validate()
except Exception as fault:
    sys.exit(str(fault)[:2000])
`;

interface Run {
  code: number;
  text: string;
}

function run(file: string, args: string[], cwd: string, timeout: number): Promise<Run> {
  return new Promise((done) => {
    execFile(file, args, { cwd, timeout, maxBuffer: 64e6 }, (error, out, err) => {
      // A number is the exit code; otherwise it did not start or was stopped.
      const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
      done({ code, text: `${out}\n${err}\n${code < 0 ? error?.message : ''}` });
    });
  });
}

const bed = new Testbed();
const seed = testSeed();
let dir: string;
let missing: string | undefined;
let proxy: SigningProxy | undefined;
const program = (name: string): string => join(dir, 'venv', 'bin', name);

/** Why there is no fuzzer here, or undefined when it is installed. */
async function install(): Promise<string | undefined> {
  const made = await run('python3', ['-m', 'venv', 'venv'], dir, INSTALL_MS);
  if (made.code !== 0) return `no Python 3 with venv: ${made.text.trim()}`;
  const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1', PACKAGE];
  const installed = await run(program('python'), args, dir, INSTALL_MS);
  return installed.code === 0 ? undefined : `no ${PACKAGE}: ${installed.text.trim().slice(-500)}`;
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vws-fuzz-'));
  missing = await install();
  if (missing)
    console.warn(
      `SKIPPED test/e2e/openapi-fuzz.long.ts, the API is not fuzzed by its description: ${missing}`,
    );
}, 2 * INSTALL_MS);
afterAll(async () => {
  await proxy?.close();
  await bed.close();
  await rm(dir, { recursive: true, force: true });
});

/** A least order that is made up is not reached, and 503 `behind` is then the right answer, which the fuzzer takes for a fault. */
function withoutMinOrder<T>(description: T): T {
  const text = JSON.stringify(description, (key, value) =>
    key === 'parameters' && Array.isArray(value)
      ? value.filter(({ name, $ref }) => name !== 'X-Service-Min-Order' && !/Min-?Order/i.test($ref ?? ''))
      : value,
  );
  return JSON.parse(text) as T;
}

describe('the API description', () => {
  let port: number;
  let document: object;
  beforeAll(async () => {
    if (missing) return;
    const story = await tell(bed, {});
    ({ port } = story);
    proxy = await SigningProxy.start(port, [story.alice, story.bob, story.operator]);
    const values = { ...valuesOf(story), task_id: (await story.alice.do('/v1/tasks', TASK)).id };
    ({ body: document } = await get(port, '/openapi.json'));
    // The fuzzer begins with the examples, so they should name things that exist.
    const filled = withoutMinOrder(fillPlaceholders(document, (name) => values[name]));
    await writeFile(join(dir, 'filled.json'), JSON.stringify(filled));
    await writeFile(join(dir, 'schemathesis.toml'), SETTINGS);
  });
  const events = async (): Promise<number> => (await get(port, '/v1/dag/stats')).body.total_events;
  const needFuzzer = (context: TestContext): void => {
    if (missing) context.skip(missing);
  };

  it('is valid OpenAPI 3.1 by the official schema', async (context) => {
    needFuzzer(context);
    const validate = async (name: string, text: object): Promise<Run> => {
      await writeFile(join(dir, name), JSON.stringify(text));
      return run(program('python'), ['-c', VALIDATE, name], dir, 60_000);
    };
    expect(await validate('good.json', document)).toMatchObject({ code: 0 });
    const { info: _, ...bad } = document as OpenApi;
    expect((await validate('bad.json', bad)).text).toContain('info');
  });

  it(
    `holds for whatever is sent (${EXAMPLES} examples, seed ${seed})`,
    async (context) => {
      needFuzzer(context);
      const args = ['run', 'filled.json', '--url', `http://127.0.0.1:${proxy!.port}`, '--seed', String(seed)];
      args.push(
        '-n',
        String(EXAMPLES),
        '--phases',
        'examples,coverage,fuzzing,stateful',
        '--continue-on-failure',
        '--no-color',
      );
      // The proxy adds the signing headers.
      args.push('--generation-with-security-parameters', 'false');
      // One of those who sign is the node's operator, who may rotate the node's own key; the node could not sign any longer.
      args.push('--exclude-path-regex', '/rotate$');
      args.push('--generation-database', 'none', '--checks', CHECKS.join(','));
      const before = await events();
      const { code, text } = await run(program('schemathesis'), args, dir, FUZZ_MS);
      const replay = `VWS_SEED=${seed} VWS_FUZZ_EXAMPLES=${EXAMPLES} npx vitest run test/e2e/openapi-fuzz.long.ts`;
      expect(code, `${text}\nrepeat: ${replay}`).toBe(0);
      expect(Number(/(\d+) generated/.exec(text)?.[1]), text).toBeGreaterThan(1000);
      expect(await events(), 'some of the signed writes succeed').toBeGreaterThan(before + MIN_EVENTS);
      expect((await get(port, '/health')).status).toBe(200);
      expect((await get(port, '/metrics')).body).toMatch(/^vws_supply_check 1$/m);
    },
    FUZZ_MS + 10_000,
  );
});
