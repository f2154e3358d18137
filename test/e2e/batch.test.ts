// Many writes in one request (protocol 4.14): each has the outcome that it would have had alone, in the order of the list.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignedRequest } from '../../host/client/signed-request.ts';
import { Agent, type Answer, call, get, type Json, TOKEN } from './agent.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
let port: number;
let alice: Agent;
let bob: Agent;
beforeAll(async () => {
  ({ port } = await bed.start({ dataDir: await bed.directory() }));
  alice = await new Agent(port).register();
  bob = await new Agent(port).register();
});
afterAll(() => bed.close());

const asItem = ({ method, path, headers, body }: SignedRequest): Json => ({ method, path, headers, body });
const send = (body: unknown, at = port): Promise<Answer> =>
  call(at, {
    method: 'POST',
    path: '/v1/batch',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  });
const pay = (amount: number, from = alice): Promise<SignedRequest> =>
  from.sign('POST', '/v1/transfer', { to_agent: bob.id, amount });

describe('a batch', () => {
  it('executes its writes in their order, and each has its own outcome', async () => {
    const stakes = await Promise.all(
      [3, 1, 2, 5, 4].map((n) => alice.sign('POST', '/v1/stake', { amount: n })),
    );
    // The last one is beyond what a newcomer may send.
    const good = [...stakes, await pay(TOKEN)];
    const forged = { ...asItem(await pay(7)), body: '{"amount":8}' };
    const list = [
      ...good.slice(0, 3).map(asItem),
      forged,
      { method: 'GET', path: `/v1/agents/${bob.id}` },
      { path: '/v1/batch', body: '{"requests":[]}' },
      { path: '/v1/nothing', body: '{}' },
      ...good.slice(3).map(asItem),
    ];
    const answer = await send({ requests: list });
    expect(answer.status).toBe(200);
    const { results } = answer.body as { results: Json[] };
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 400, 400, 400, 401, 200, 200, 403]);
    expect(results[3].body).toMatchObject({ code: 'tx_signature_invalid' });
    expect(results[4].body).toMatchObject({ code: 'invalid_request', error: 'a batch takes writes only' });
    const done = results.filter(({ status }) => status === 200);
    expect(done.map(({ body }) => body.event_id)).toEqual(stakes.map(({ txid }) => txid));
    expect(results[9].body).toMatchObject({ code: 'trust_limit_exceeded', txid: good[5]!.txid });
    expect(done.every(({ order }) => order > 0)).toBe(true);
    // The order of the list is the order of execution.
    const seqs = await Promise.all(
      stakes.map(async ({ txid }) => (await get(port, `/v1/events/${txid}`)).body.seq as number),
    );
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  });

  it('with one request twice runs it once, and sent again runs nothing', async () => {
    const one = asItem(await alice.sign('POST', '/v1/stake', { amount: 1 }));
    const first = (await send({ requests: [one, one] })).body.results;
    expect(first.map(({ status }: Json) => status)).toEqual([200, 409]);
    expect(first[1].body).toMatchObject({ code: 'DUPLICATE_TX', details: { executed: false } });
    const again = (await send({ requests: [one] })).body.results;
    expect(again[0].body).toMatchObject({ code: 'DUPLICATE_TX', details: { executed: true, status: 200 } });
  });

  it('of a thousand is answered whole', async () => {
    const list = await Promise.all(
      Array.from({ length: 1000 }, () => alice.sign('POST', '/v1/stake', { amount: 1 })),
    );
    const staked = async (): Promise<number> =>
      (await get(port, `/v1/agents/${alice.id}/stake`)).body.staked_amount;
    const before = await staked();
    const { status, body } = await send({ requests: list.map(asItem) });
    expect(status).toBe(200);
    expect(body.results.map((r: Json) => r.status).filter((s: number) => s !== 200)).toEqual([]);
    expect(await staked()).toBe(before + 1000);
  });

  it.each([
    ['no JSON', '{"requests":['],
    ['no list', { requests: {} }],
    ['nothing in it', { requests: [] }],
    ['another member', { requests: [{ path: '/v1/stake' }], atomic: true }],
    ['too many', { requests: Array.from({ length: 1001 }, () => ({ path: '/v1/stake' })) }],
    ['an item that is none', { requests: [1] }],
    ['an item with another member', { requests: [{ path: '/v1/stake', query: '' }] }],
    ['a body that is no text', { requests: [{ path: '/v1/stake', body: {} }] }],
    ['a path that is none', { requests: [{ path: 'v1/stake' }] }],
    ['a header that is no text', { requests: [{ path: '/v1/stake', headers: { a: 1 } }] }],
    ['a header twice', { requests: [{ path: '/v1/stake', headers: { a: '1', A: '1' } }] }],
    ['too many parts', `{"requests":[${'[],'.repeat(30_000)}[]]}`],
  ])('is refused whole: %s', async (_, body) => {
    const answer = await send(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  });

  it('takes no body above the largest of its route, and of its own', async () => {
    const large = { path: '/v1/transfer', body: ' '.repeat(70_000) };
    expect((await send({ requests: [large] })).body.results[0]).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    });
    expect((await send(' '.repeat(2_097_153))).status).toBe(413);
  });

  it('costs its address what its writes cost', async () => {
    const limited = await bed.start({ dataDir: await bed.directory(), env: { SERVICE_RATE_LIMITS: 'on' } });
    const costMs = async (): Promise<number> => {
      const { body } = await get(limited.port, '/metrics');
      return Number(/^vws_api_cost_ms_total\{lane="write"\} (\S+)$/m.exec(body)?.[1] ?? 0);
    };
    const list = Array.from({ length: 1000 }, (_, i) => ({ path: '/v1/transfer', body: `{"n":${i}}` }));
    const before = await costMs();
    const { results } = (await send({ requests: list }, limited.port)).body;
    expect(results.map(({ body }: Json) => body.code)).toEqual(list.map(() => 'auth_required'));
    // Some 20 us each; a request alone counts with its least, 0.2 ms.
    expect((await costMs()) - before).toBeGreaterThan(2);
  });
});
