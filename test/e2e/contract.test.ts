// The API contract in every configuration that a node can run in, and the refusals that need another kind of node.

import { afterAll, describe, expect, it } from 'vitest';
import { Agent, call, get, TOKEN } from './agent.ts';
import { apiContract } from './contract.ts';
import { YOUNG_PROOFS } from './proof-cases.ts';
import { Testbed } from './testbed.ts';

apiContract('uWebSockets.js and RocksDB', { SERVICE_API_DRIVER: 'uws', SERVICE_STORE: 'rocksdb' });
apiContract('node:http and LevelDB', { SERVICE_API_DRIVER: 'node', SERVICE_STORE: 'classic' });

describe('refusals of nodes of another kind', () => {
  const bed = new Testbed();
  afterAll(() => bed.close());

  it('a young chain has no checkpoint and no proofs, and an empty faucet says so', async () => {
    const env = {
      SERVICE_PARAM_FAUCET_AMOUNT: String(10_000_000 * TOKEN),
      SERVICE_PARAM_ONBOARDING_DAILY_BUDGET: String(1_000_000_000 * TOKEN),
    };
    const { port } = await bed.start({ dataDir: await bed.directory(), env });
    const early = await get(port, '/v1/checkpoints/latest');
    expect([early.status, early.body.code]).toEqual([404, 'checkpoint_not_found']);
    for (const path of YOUNG_PROOFS) {
      const proof = await get(port, path);
      expect([path, proof.status, proof.body.code]).toEqual([path, 503, 'not_ready']);
      expect(proof.headers.get('retry-after')).toBe('1');
    }
    const alice = await new Agent(port).register();
    const bob = await new Agent(port).register();
    const { amount } = await alice.do('/v1/faucet');
    expect(amount).toBe(10_000_000 * TOKEN);
    const empty = await bob.post('/v1/faucet');
    expect([empty.status, empty.body.code]).toEqual([503, 'faucet_empty']);
    expect(empty.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('mainnet has no faucet, no API keys, no REQUEST-V1, and its own addresses', async () => {
    const env = { SERVICE_TESTNET: 'false', SERVICE_RATE_LIMITS: 'on' };
    const { port } = await bed.start({ dataDir: await bed.directory(), env });
    const alice = new Agent(port);
    const main = { chainId: 'vws-mainnet-1' };
    const registered = await alice.post('/v1/agents', {}, main);
    expect(registered.status).toBe(201);
    expect(registered.body.deposit_address).toMatch(/^vws1/);
    for (const [method, path] of [
      ['POST', '/v1/faucet'],
      ['POST', '/v1/platform/keys'],
      ['DELETE', '/v1/platform/keys/0123456789abcdef'],
    ] as const) {
      const answer = await alice.send(method, path, { name: 'k' }, main);
      expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'not_found']);
    }
    const v1 = await call(port, await alice.signV1('/v1/stake', { amount: 1 }));
    expect([v1.status, v1.body.code]).toEqual([401, 'auth_failed']);
    const key = { 'X-API-Key': `vws_${'0'.repeat(64)}` };
    const keyed = await call(port, { method: 'POST', path: '/v1/stake', headers: key, body: '{"amount":1}' });
    expect([keyed.status, keyed.body.code]).toEqual([401, 'invalid_api_key']);
    expect((await alice.post('/v1/stake', { amount: 1 })).body.code).toBe('tx_chain_mismatch');
  });
});
