// Writes of one client under load: few alone, the rest together, each with its own reply.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { signerFromSeed, systemEnvironment, VwsClient, VwsError } from '../../../host/client/index.ts';
import { type Answer, FakeNode, type Received } from './fake-node.ts';
import { hurriedClock } from './hurried-clock.ts';

let node: FakeNode;
let client: VwsClient;
beforeEach(async () => {
  node = await FakeNode.start();
  const key = await signerFromSeed(new Uint8Array(32).fill(7));
  client = new VwsClient({
    baseUrl: node.url,
    key,
    environment: { ...systemEnvironment, clock: hurriedClock },
  });
  node.on('POST /v1/stake', ({ txid }) => ({ body: { event_id: txid } }));
});
afterEach(() => node.stop());

const requestsOf = ({ body }: Received): { body: string; headers: Record<string, string> }[] =>
  JSON.parse(body).requests;
/** Answers each with its amount; an odd one is refused. */
const outcomes = (received: Received): Answer => ({
  body: {
    results: requestsOf(received).map(({ body }) => {
      const { amount } = JSON.parse(body);
      return amount % 2 === 0
        ? { status: 200, order: amount, body: { amount } }
        : { status: 402, body: { error: 'no', code: 'insufficient_balance' } };
    }),
  },
});
/** Signed before the first is sent, so that they are under way at once. */
async function stakeAll(count: number): Promise<PromiseSettledResult<unknown>[]> {
  const signed = await Promise.all(
    Array.from({ length: count }, (_, amount) => client.prepare('POST', '/v1/stake', { amount })),
  );
  return Promise.allSettled(signed.map((request) => client.submit(request)));
}

it('go out alone while few are under way', async () => {
  for (let i = 0; i < 20; i++) await client.stake({ amount: i });
  expect(node.received.filter(({ url }) => url === '/v1/batch')).toEqual([]);
  expect(node.received.filter(({ url }) => url === '/v1/stake').length).toBe(20);
});

it('leave together where many wait, and each has its own reply', async () => {
  node.on('POST /v1/batch', outcomes);
  const results = await stakeAll(100);
  const batches = node.received.filter(({ url }) => url === '/v1/batch');
  const inBatches = new Set(batches.flatMap(requestsOf).map(({ body }) => JSON.parse(body).amount as number));
  const alone = node.received.filter(({ url }) => url === '/v1/stake').length;
  expect(alone).toBeLessThanOrEqual(16);
  expect(alone + inBatches.size).toBe(100);
  for (const [amount, result] of results.entries()) {
    if (!inBatches.has(amount)) continue;
    if (amount % 2 === 0) expect(result).toMatchObject({ status: 'fulfilled', value: { amount } });
    else expect(result).toMatchObject({ status: 'rejected', reason: { code: 'insufficient_balance' } });
  }
});

it('refused as a whole are sent again, the same requests', async () => {
  node.on('POST /v1/batch', { status: 503, body: { error: 'busy', code: 'overloaded' } }, ({ body }) => ({
    body: {
      results: (JSON.parse(body).requests as unknown[]).map(() => ({ status: 200, order: 1, body: {} })),
    },
  }));
  const results = await stakeAll(60);
  expect(results.every(({ status }) => status === 'fulfilled')).toBe(true);
  const bodies = node.received.filter(({ url }) => url === '/v1/batch').flatMap(requestsOf);
  const nonces = new Map<string, string>();
  for (const { body, headers } of bodies) {
    const signature = headers['X-Service-Signature']!;
    expect(nonces.get(body) ?? signature).toBe(signature);
    nonces.set(body, signature);
  }
});

it('whose answer is no outcome for each are lost answers, not refusals', async () => {
  node.on('POST /v1/batch', { body: { results: [] } });
  const list = await Promise.all([1, 2].map((amount) => client.prepare('POST', '/v1/stake', { amount })));
  await expect(client.batch(list)).rejects.toMatchObject({ code: 'bad_answer' });
  await expect(client.batch(list)).rejects.toBeInstanceOf(VwsError);
});
