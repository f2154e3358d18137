// R11: secrets in the public log, names that look like accounts of the system, a page without a policy, a wrong
// diagnosis of a data directory that cannot be written.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sealWebhookSecret } from '../../host/client/sealed.ts';
import { fromHex } from '../../host/wire/bytes.ts';
import { randomBytes } from '../../host/world/system/random.ts';
import type { NodeProcess } from '../../tools/load/node-process.ts';
import { Agent, call, get } from '../e2e/agent.ts';
import { Testbed } from '../e2e/testbed.ts';
import { report } from './figures.ts';

const SECRET = 's3cret-value';
const HOOK = { categories: ['c'], webhook_url: 'https://hook.example/', webhook_secret: SECRET };
const ROUTER = '/v1/router/register';
const bed = new Testbed();
afterAll(() => bed.close());

/** Everything of the log that anybody can read. */
async function logOf({ port }: NodeProcess): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${port}/v1/log/vertices?epoch=0&from=0`);
  return Buffer.from(await reply.arrayBuffer()).toString('latin1');
}

describe('a webhook secret', () => {
  it('in plain text is refused on mainnet, and an encrypted one taken', async () => {
    const env = { SERVICE_TESTNET: 'false', SERVICE_RATE_LIMITS: 'on' };
    const node = await bed.start({ dataDir: await bed.directory(), env });
    const main = { chainId: 'vws-mainnet-1' };
    const alice = new Agent(node.port);
    expect((await alice.post('/v1/agents', {}, main)).status).toBe(201);
    const plain = await alice.post(ROUTER, HOOK, main);
    const isReadable = (await logOf(node)).includes(SECRET);
    report({
      attack: 'R11',
      what: 'plain secrets in the public log (mainnet)',
      before: '1',
      after: isReadable ? '1' : '0',
    });
    expect([plain.status, plain.body.code, isReadable]).toEqual([400, 'invalid_request', false]);
    const key = fromHex(node.agentId)!;
    const webhook_secret = sealWebhookSecret(key, alice.id, SECRET, randomBytes);
    expect((await alice.post(ROUTER, { ...HOOK, webhook_secret }, main)).status).toBe(201);
    // It must also be one: a prefix is not enough.
    const fake = await alice.post(ROUTER, { ...HOOK, webhook_secret: 'vws-hook-v1:s3cret' }, main);
    expect(fake.body.code).toBe('invalid_request');
  });

  it('sent with an API key is encrypted by the node before it is ordered', async () => {
    const node = await bed.start({ dataDir: await bed.directory() });
    const alice = await new Agent(node.port).register();
    const { key } = await alice.do('/v1/platform/keys', { name: 'k' });
    const headers = { 'X-API-Key': key };
    const sent = await call(node.port, { method: 'POST', path: ROUTER, headers, body: JSON.stringify(HOOK) });
    const log = await logOf(node);
    expect([sent.status, log.includes('hook.example'), log.includes(SECRET)]).toEqual([201, true, false]);
    expect(log).toContain('vws-hook-v1:');
  });
});

describe('names', () => {
  it('of accounts, path segments, scripts and validators are nobody to register', async () => {
    const { port } = await bed.start({ dataDir: await bed.directory() });
    const names = [
      'SYSTEM:x',
      'Escrow:x',
      'gEnEsIs:x',
      '.',
      '..',
      'a/../b',
      '__proto__',
      'constructor',
      'v1',
    ];
    const taken: string[] = [];
    for (const agent_id of names) {
      const { status, body } = await new Agent(port).post('/v1/agents', { agent_id });
      if (status === 201) taken.push(agent_id);
      else expect([agent_id, status, body.code]).toEqual([agent_id, 400, 'invalid_request']);
    }
    report({
      attack: 'R11',
      what: 'reserved names registered, of 9',
      before: '9',
      after: String(taken.length),
    });
    expect(taken).toEqual([]);
    for (const agent_id of ['systems', 'a..b', 'proto', 'v2'])
      expect((await new Agent(port).post('/v1/agents', { agent_id })).status).toBe(201);
  });
});

it('/docs runs nothing, loads nothing, and shows its own style only', async () => {
  const { port } = await bed.start({ dataDir: await bed.directory() });
  const { headers, body } = await get(port, '/docs');
  const policy = headers.get('content-security-policy') ?? '';
  report({ attack: 'R11', what: '/docs', before: 'no CSP', after: policy ? "default-src 'none'" : 'no CSP' });
  const style = /<style>([\s\S]*)<\/style>/.exec(body)![1]!;
  const hash = createHash('sha256').update(style).digest('base64');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`style-src 'sha256-${hash}'`);
  expect(policy).not.toContain('script-src');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  // What the policy would hide.
  expect(body).not.toMatch(/<script| style=| on\w+=/);
});

it('a data directory that cannot be written is reported as such', async () => {
  const dataDir = await bed.directory();
  const node = await bed.start({ dataDir });
  await node.stop();
  execFileSync('chmod', ['-R', 'a+rX,a-w', dirname(dataDir)]);
  // Permissions do not bind root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync('chmod', ['-R', 'a+r', dataDir]);
  const wrap = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
  const { code, log } = await bed.refusal({ dataDir, wrap });
  execFileSync('chmod', ['-R', 'u+w', dirname(dataDir)]);
  report({
    attack: 'R11',
    what: 'a read-only data directory is reported as',
    before: 'in use by another process',
    after: /cannot be written/.test(log) ? 'read-only' : log,
  });
  expect(code).toBe(1);
  expect(log).toMatch(/cannot be written: it is read-only, or belongs to another user/);
  expect(log).not.toContain('another process');
});
