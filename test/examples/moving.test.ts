// The program for clients of the reference implementation, as a process in front of a fake node that checks signatures.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClientKeyFile } from '../../host/crypto/client-key-file.ts';
import { FakeNode } from '../host/client/fake-node.ts';

let node: FakeNode;
let proxy: ChildProcess;
let url: string;
let key: string;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vws-moving-'));
  key = createClientKeyFile(join(dir, 'agent.key')).publicKeyHex;
  node = await FakeNode.start();
  proxy = spawn(process.execPath, ['examples/moving/proxy.mjs', join(dir, 'agent.key'), node.url, '0']);
  const line = await new Promise<string>((resolve, reject) => {
    proxy.stdout!.once('data', (data) => resolve(String(data)));
    proxy.stderr!.once('data', (data) => reject(new Error(String(data))));
  });
  [url = ''] = line.split(' ');
});
afterAll(async () => {
  proxy.kill();
  await node.stop();
  await rm(dir, { recursive: true, force: true });
});

const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
  const reply = await fetch(url + path, { method: 'POST', body: JSON.stringify(body), headers });
  return { status: reply.status, body: await reply.json() };
};
const get = async (path: string) => (await fetch(url + path)).json();

describe('a client of the reference implementation', () => {
  it('sends a transfer, which is signed, without what has no meaning here', async () => {
    node.on('POST /v1/transfer', ({ txid }) => ({ status: 201, body: { event_id: txid } }));
    const body = {
      to_agent: 'bob',
      amount: 5,
      currency: 'X',
      memo: '',
      stake_amount: 5000,
      causal_refs: ['a'],
    };
    const answer = await post('/v1/transfer', body);
    const [sent] = node.writes();
    expect(JSON.parse(sent!.body)).toEqual({ to_agent: 'bob', amount: 5, memo: '' });
    expect(sent!.txid).toBeDefined();
    expect(sent!.headers['x-service-actor']).toBe(key);
    expect(answer).toEqual({ status: 200, body: { event_id: sent!.txid, id: sent!.txid } });
  });

  it('offers at a price in its token, and claims for a beneficiary', async () => {
    node.on('POST /v1/registry', { body: {} }).on('POST /v1/generation', { body: {} });
    node.on('POST /v1/router/register', { body: {} });
    await post('/v1/registry', { name: 'n', category: 'c', price_abc: 3 });
    expect(JSON.parse(node.writes().at(-1)!.body)).toEqual({ name: 'n', category: 'c', price_tok: 3 });
    await post('/v1/router/register', { categories: ['c'], price_per_task: 3 });
    expect(JSON.parse(node.writes().at(-1)!.body)).toEqual({ categories: ['c'], price_per_task: 3 });
    await post('/v1/generation', { claimed_value: 1, evidence_hash: 'h', beneficiary_agent: 'bob' });
    expect(JSON.parse(node.writes().at(-1)!.body)).toMatchObject({ beneficiary: 'bob' });
  });

  it('registers as often as it likes', async () => {
    node.on('POST /v1/agents', {
      status: 409,
      body: { error: 'already registered', code: 'already_registered' },
    });
    node.on(`GET /v1/agents/${key}`, { body: { agent_id: key, capability_fingerprint: 'f' } });
    expect(await post('/v1/agents', { capabilities: [] })).toEqual({
      status: 200,
      body: { agent_id: key, capability_fingerprint: 'f', fingerprint_hash: 'f' },
    });
  });

  it('reads with offsets and ratios, and finds the names it knows', async () => {
    node.on('GET /v1/events/recent', { body: [{ event_id: 'e', event_type: 'transfer', order: 1 }] });
    expect(await get('/v1/events/recent?limit=20&offset=40&agent_id=')).toEqual([
      { event_id: 'e', id: 'e', event_type: 'transfer', type: 'transfer', order: 1 },
    ]);
    expect(node.received.at(-1)!.url).toBe('/v1/events/recent?limit=20&page=3');
    node.on('GET /v1/discover', { body: [] });
    await get('/v1/discover?min_reputation=0.5');
    expect(node.received.at(-1)!.url).toBe('/v1/discover?min_reputation=5000');
    node.on('GET /v1/economics', { body: { total_fees_collected: 7, treasury_balance: 8 } });
    expect(await get('/v1/economics')).toMatchObject({ total_collected: 7, treasury_accrued: 8 });
  });

  it('gets refusals with status, text and code', async () => {
    node.on('POST /v1/stake', { status: 402, body: { error: 'too little', code: 'insufficient_balance' } });
    const answer = await post('/v1/stake', { amount: 5 });
    expect(answer).toEqual({ status: 402, body: { error: 'too little', code: 'insufficient_balance' } });
    expect((await fetch(`${url}/v1/stake`, { method: 'POST', body: '{' })).status).toBe(400);
  });

  it('no web page spends with the key', async () => {
    const before = node.writes().length;
    const body = { to_agent: 'x', amount: 1 };
    expect((await post('/v1/transfer', body, { origin: 'https://evil.example' })).status).toBe(403);
    expect(node.writes()).toHaveLength(before);
  });
});

it('is some 60 lines', () => {
  const lines = readFileSync('examples/moving/proxy.mjs', 'utf8').split('\n');
  expect(
    lines.filter((line) => line.trim() !== '' && !/^\s*(\/\/|\/\*\*)/.test(line)).length,
  ).toBeLessThanOrEqual(70);
});
