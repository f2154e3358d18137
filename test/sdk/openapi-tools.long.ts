// The API description in the hands of other people's tools: a linter, a generator of types, a generator of a client.
// Keeps: the linter finds nothing but what is named here with its reason; what is generated has the names of our
// operations and bodies, and compiles. Tools are pinned; one that cannot be fetched here is skipped by name.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { buildOpenApi } from '../../host/api/openapi.ts';
import { ROUTES } from '../../host/api/routes.ts';
import { missingNpm, npmExec, run, Venv } from './tools.ts';

const REDOCLY = ['@redocly/cli@2.77.0'];
const TYPES = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
const PYTHON = ['openapi-python-client==0.29.1', 'ruff==0.17.6'];

/**
 * What the recommended rules of Redocly are not asked: fixed words in paths win over ids (protocol 1.2), and no task id
 * is such a word; a WebSocket handshake succeeds with 101.
 */
const RULES = 'extends: [recommended]\nrules:\n  no-ambiguous-paths: off\n';
const EXCEPTIONS = `openapi.json:\n  operation-2xx-response:\n    - '#/paths/~1v1~1ws/get/responses'\n`;

/** Fails to compile if the names or the required members differ. */
const USES_TYPES = `import type { components, operations, paths } from './api.d.ts';
type Body = components['schemas']['TaskCreateRequest'];
export const body: Body = { title: 'count', budget: 100_000 };
export const claim: operations['tasks_claim'] extends paths['/v1/tasks/{id}/claim']['post'] ? 1 : 0 = 1;
// @ts-expect-error A task has a title.
export const untitled: Body = { budget: 100_000 };
`;
const USES_CLIENT = `
from made.api.tasks import tasks_claim, tasks_create
from made.client import Client
from made.models import Task, TaskCreateRequest
body = TaskCreateRequest(title="count", budget=100_000)
assert body.to_dict() == {"title": "count", "budget": 100_000}, body.to_dict()
assert callable(tasks_claim.sync) and callable(tasks_create.asyncio) and Client and Task
`;

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vws-openapi-'));
  await writeFile(join(dir, 'openapi.json'), JSON.stringify(buildOpenApi(ROUTES, '0.1.0')));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

function need(context: TestContext, missing: string | undefined): void {
  if (!missing) return;
  console.warn(`SKIPPED test/sdk/openapi-tools.long.ts, ${context.task.name}: ${missing}`);
  context.skip(missing);
}

describe('the API description', () => {
  it('has no fault by the recommended rules of Redocly', async (context) => {
    need(context, await missingNpm(REDOCLY, 'redocly', dir));
    await writeFile(join(dir, 'redocly.yaml'), RULES);
    await writeFile(join(dir, '.redocly.lint-ignore.yaml'), EXCEPTIONS);
    const lint = (file: string) => run('npm', npmExec(REDOCLY, 'redocly', 'lint', file), { cwd: dir });
    const { code, text } = await lint('openapi.json');
    expect(code, text).toBe(0);
    expect(text).toContain('Your API description is valid');
    expect(text).not.toMatch(/warnings?\./);
    const { servers: _, ...bad } = buildOpenApi(ROUTES, '0.1.0');
    await writeFile(join(dir, 'bad.json'), JSON.stringify(bad));
    expect((await lint('bad.json')).code).toBe(1);
  }, 400_000);

  it('gives openapi-typescript types that compile under our names', async (context) => {
    need(context, await missingNpm(TYPES, 'openapi-typescript', dir));
    const made = await run('npm', npmExec(TYPES, 'openapi-typescript', 'openapi.json', '-o', 'api.d.ts'), {
      cwd: dir,
    });
    expect(made.code, made.text).toBe(0);
    await writeFile(join(dir, 'uses.ts'), USES_TYPES);
    const options = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'nodenext'];
    const tsc = [resolve('node_modules/typescript/bin/tsc'), ...options];
    const args = [...tsc, '--allowImportingTsExtensions', '--skipLibCheck', 'false', 'uses.ts'];
    const compiled = await run(process.execPath, args, { cwd: dir });
    expect(compiled.code, compiled.text).toBe(0);
  }, 400_000);

  it('gives openapi-python-client a whole client under our names', async (context) => {
    const venv = new Venv(dir);
    need(context, await venv.install(PYTHON));
    const env = { PATH: `${join(dir, 'venv', 'bin')}:${process.env.PATH}` };
    const args = ['generate', '--path', 'openapi.json', '--output-path', 'made', '--meta', 'none'];
    const made = await run(venv.bin('openapi-python-client'), [...args, '--fail-on-warning'], {
      cwd: dir,
      env,
    });
    expect(made.code, made.text).toBe(0);
    const used = await run(venv.bin('python'), ['-c', USES_CLIENT], { cwd: dir });
    expect(used.code, used.text).toBe(0);
  }, 600_000);
});
