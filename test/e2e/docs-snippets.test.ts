// What a stranger copies from /docs signs a first request. The program in Python runs with the Python SDK's tests.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SIGNING } from '../../host/api/docs-signing.ts';
import { SIGN_BYTES, SIGNATURE, TXID } from '../host/wire/vectors.ts';
import { get } from './agent.ts';
import { snippetOf } from './docs-snippets.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
let port: number;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vws-docs-'));
  ({ port } = await bed.start({ dataDir: await bed.directory() }));
});
afterAll(async () => {
  await bed.close();
  await rm(dir, { recursive: true, force: true });
});

/** What a program prints; fails unless it ends with 0. */
const run = (file: string, args: string[]): Promise<string> =>
  new Promise((done, fail) => {
    execFile(file, args, { cwd: dir, timeout: 60_000 }, (error, out, err) =>
      error ? fail(new Error(`${error.message}\n${err}`)) : done(out),
    );
  });

/** The transaction that a program printed is that of the agent it registered. */
async function expectRegistered(out: string): Promise<void> {
  const txid = /^transaction ([0-9a-f]{64})$/m.exec(out)?.[1];
  expect(txid, out).toBeDefined();
  const { body } = await get(port, `/v1/events/${txid}`);
  expect(body).toMatchObject({
    event_id: txid,
    event_type: 'registration',
    payload: { display_name: 'First' },
  });
}

describe('a program of /docs registers an agent', () => {
  it('in TypeScript', async () => {
    const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
    const { outputText } = ts.transpileModule(await snippetOf(port, 'TypeScript'), {
      compilerOptions: options,
    });
    await writeFile(join(dir, 'first.mjs'), outputText);
    await expectRegistered(await run(process.execPath, ['first.mjs']));
  });

  it('in a shell', async () => {
    await writeFile(join(dir, 'first.sh'), await snippetOf(port, 'curl and openssl'));
    await expectRegistered(await run('sh', ['-eu', 'first.sh']));
  });
});

it.each(['/docs', '/openapi.json'])('%s goes out packed to whoever takes that', async (path) => {
  const bytes = async (accepted: string): Promise<number> => {
    const { headers } = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'HEAD',
      headers: { 'accept-encoding': accepted },
    });
    expect(headers.get('content-encoding')).toBe(accepted === 'gzip' ? 'gzip' : null);
    return Number(headers.get('content-length'));
  };
  expect(await bytes('gzip')).toBeLessThan((await bytes('identity')) / 4);
});

it('the vector of /docs is that of the protocol', () => {
  const text = SIGNING.replaceAll('&quot;', '"');
  for (const value of [SIGNATURE, SIGN_BYTES, TXID, `The ${SIGN_BYTES.length} bytes`])
    expect(text).toContain(value);
});
