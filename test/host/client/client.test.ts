import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ClientEnvironment,
  sealWebhookSecret,
  signerFromSeed,
  systemEnvironment,
  VwsClient,
} from '../../../host/client/index.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { signingSecret } from '../../../host/webhooks/secret.ts';
import { utf8 } from '../../../host/wire/bytes.ts';
import { CHAIN, FakeNode, type Received } from './fake-node.ts';
import { hurriedClock } from './hurried-clock.ts';

let node: FakeNode;
beforeEach(async () => {
  node = await FakeNode.start();
});
afterEach(() => node.stop());

const environment: ClientEnvironment = { ...systemEnvironment, clock: hurriedClock };
const key = signerFromSeed(new Uint8Array(32).fill(7));
const agent = () => new VwsClient({ baseUrl: `${node.url}/`, key, environment });
const stranger = () => new VwsClient({ baseUrl: node.url, environment });
const duplicateOf = (status: number) => ({
  status: 409,
  body: {
    error: 'duplicate transaction',
    code: 'DUPLICATE_TX',
    details: { executed: true, status, order: 9 },
  },
});

describe('reads', () => {
  it('encode ids and leave out absent query values', async () => {
    node.on('GET /v1/agents/a%2Fb/balance', { body: { balance: 5 } });
    node.on('GET /v1/pending', { body: [] });
    expect((await stranger().balance('a/b')).balance).toBe(5);
    await stranger().pending({ event_type: 'transfer', limit: undefined });
    expect(node.received.at(-1)?.url).toBe('/v1/pending?event_type=transfer');
  });

  it('return the headers of lists', async () => {
    const headers = { 'X-Service-Order': '12', 'X-Total-Count': '345' };
    node.on('GET /v1/agents', { body: [], headers });
    expect(await stranger().read('/v1/agents')).toMatchObject({ order: 12, total: 345, body: [] });
  });

  it("throw the node's code, text and details", async () => {
    const body = { error: 'no such agent', code: 'agent_not_found', details: { id: 'x' } };
    node.on('GET /v1/agents/x', { status: 404, body });
    await expect(stranger().agent('x')).rejects.toMatchObject({
      status: 404,
      code: 'agent_not_found',
      message: 'no such agent',
      details: { id: 'x' },
    });
  });

  it.each([200, 404])('end where an answer with status %i has no end', async (status) => {
    const piece = new Uint8Array(4_000_000).fill(0x20);
    let pieces = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pieces += 1;
        controller.enqueue(piece);
        if (pieces === 100) controller.close();
      },
    });
    const lying = { ...environment, fetch: async () => new Response(endless, { status }) };
    const client = new VwsClient({ baseUrl: node.url, environment: lying });
    await expect(client.status()).rejects.toMatchObject({ status, code: 'bad_answer' });
    expect(pieces).toBeLessThan(50);
  });

  it('are repeated while the node is busy', async () => {
    node.on(
      'GET /v1/economics',
      { status: 503, body: { error: 'x', code: 'not_ready' } },
      { body: { ok: 1 } },
    );
    expect(await stranger().economics()).toEqual({ ok: 1 });
  });

  it('wait five seconds at most, whatever the node asks for', async () => {
    const busy = { status: 503, body: { error: 'x', code: 'not_ready' } };
    node.on('GET /v1/economics', { ...busy, headers: { 'retry-after': '3600' } }, { body: { ok: 1 } });
    const pauses: number[] = [];
    const noted: ClientEnvironment['clock'] = {
      ...environment.clock,
      setTimer: (run, ms) => {
        if (ms !== 15_000) pauses.push(ms);
        return environment.clock.setTimer(run, Math.min(ms, 15_000));
      },
    };
    await new VwsClient({ baseUrl: node.url, environment: { ...environment, clock: noted } }).economics();
    expect(pauses).toEqual([5000]);
  });

  it('refuse ids that no URL can carry', async () => {
    for (const id of ['.', '..', '', '\ud800'])
      await expect(stranger().agent(id)).rejects.toThrow(/no URL can carry/);
  });

  it('report when nothing answers, or something other than a node', async () => {
    const nobody = new VwsClient({ baseUrl: 'http://127.0.0.1:9', environment });
    await expect(nobody.status()).rejects.toMatchObject({ status: 0, code: 'unreachable' });
    node.on('GET /v1/status', { body: '<html>' });
    await expect(stranger().status()).rejects.toMatchObject({ code: 'bad_answer' });
    node.on('GET /v1/status', { status: 502, body: '<html>' });
    await expect(stranger().status()).rejects.toMatchObject({ status: 502, code: 'bad_answer' });
    node.on('GET /v1/status', { status: 302, headers: { location: '/elsewhere' } });
    await expect(stranger().status()).rejects.toMatchObject({ status: 302 });
  });
});

describe('signed writes', () => {
  it('carry a signature an independent verifier accepts', async () => {
    node.on('POST /v1/transfer', ({ txid }) => ({ status: 201, body: { event_id: txid, memo: 'x' } }));
    const answer = await agent().transfer({ to_agent: 'Zoë €', amount: 5, memo: undefined });
    const [sent] = node.writes() as [Received];
    expect(sent.txid).toBeDefined();
    expect(answer.event_id).toBe(sent.txid);
    expect(JSON.parse(sent.body)).toEqual({ to_agent: 'Zoë €', amount: 5 });
  });

  it('sign every endpoint, DELETE with an encoded path included', async () => {
    const ok = ({ txid }: Received) => (txid ? { body: { event_id: txid } } : { status: 401 });
    const posts = [
      'agents',
      'faucet',
      'stake',
      'unstake',
      'transfer',
      'generation',
      'verify',
      'platform/keys',
    ];
    for (const path of posts) node.on(`POST /v1/${path}`, ok);
    node.on('DELETE /v1/platform/keys/a%20b', ok);
    const a = agent();
    await a.register({ initial_stake: 1 });
    await a.faucet();
    await a.stake({ amount: 1 });
    await a.unstake({ amount: 1 });
    await a.transfer({ to_agent: 'b', amount: 1 });
    await a.generation({ claimed_value: 1, evidence_hash: 'e' });
    await a.verify({ event_id: 'e', verdict: true });
    await a.createApiKey({ name: 'n' });
    await a.revokeApiKey('a b');
    expect(node.writes()).toHaveLength(9);
    expect(new Set(node.writes().map((request) => request.txid)).size).toBe(9);
  });

  it('ask for the chain once, unless it is given', async () => {
    node.on('POST /v1/stake', { body: {} });
    const a = agent();
    await a.stake({ amount: 1 });
    await a.stake({ amount: 1 });
    expect(node.received.filter(({ url }) => url === '/v1/status')).toHaveLength(1);
    const pinned = new VwsClient({ baseUrl: node.url, key, chainId: 'vws-mainnet-1', environment });
    await pinned.stake({ amount: 1 });
    expect(node.writes().at(-1)?.headers['x-service-chain-id']).toBe('vws-mainnet-1');
    // A node's word is not enough for it.
    node.on('GET /v1/status', { body: { chain_id: 'vws-mainnet-1' } });
    const written = node.writes().length;
    await expect(agent().stake({ amount: 1 })).rejects.toMatchObject({ code: 'bad_call' });
    expect(node.writes()).toHaveLength(written);
    expect(await agent().chainId()).toBe('vws-mainnet-1');
    expect(CHAIN).toBe('vws-testnet-1');
    // A list of it is not equal to its name, and would be signed as it.
    for (const chain_id of [['vws-mainnet-1'], [['vws-mainnet-1']], undefined, 7, 'vws-devnet-1']) {
      node.on('GET /v1/status', { body: { chain_id } });
      await expect(agent().stake({ amount: 1 })).rejects.toMatchObject({ code: 'bad_call' });
    }
    expect(node.writes()).toHaveLength(written);
  });

  it('rebuild the answer of a stake that was executed while the connection broke', async () => {
    node.on('POST /v1/stake', { hangUp: true }, duplicateOf(200));
    node.on('GET /v1/agents/me/stake', { body: { staked_amount: 10, trust_limit: 20 } });
    node.on('GET /v1/agents/me/balance', { body: { balance: 3 } });
    const prepared = await agent().prepare('POST', '/v1/stake', { amount: 10 });
    const headers = { 'X-Service-Order': '9' };
    node.on(`GET /v1/events/${prepared.txid}`, {
      body: { event_id: prepared.txid, agent_id: 'me' },
      headers,
    });
    const a = agent();
    a.prepare = async () => prepared;
    expect(await a.stake({ amount: 10 })).toEqual({
      event_id: prepared.txid,
      agent_id: 'me',
      staked_amount: 10,
      trust_limit: 20,
      balance: 3,
    });
    expect(node.writes().map(({ txid }) => txid)).toEqual([prepared.txid, prepared.txid]);
    // What was executed is read back, at any node.
    const read = node.received.find(({ url }) => url === '/v1/agents/me/stake');
    expect(read?.headers['x-service-min-order']).toBe('9');
  });

  it('can be resent by the caller: an executed one is not an error', async () => {
    const prepared = await agent().prepare('POST', '/v1/stake', { amount: 10 });
    node.on('POST /v1/stake', duplicateOf(200));
    node.on(`GET /v1/events/${prepared.txid}`, { body: { event_id: prepared.txid } });
    const answer = await agent().submit(prepared, async (event) => event.event_id);
    expect(answer).toBe(prepared.txid);
    await expect(agent().submit(prepared)).rejects.toMatchObject({ code: 'bad_answer', txid: prepared.txid });
  });

  it('that ran report so, with their TxID, if the answer cannot be rebuilt', async () => {
    const prepared = await agent().prepare('POST', '/v1/stake', { amount: 10 });
    node.on('POST /v1/stake', { hangUp: true }, duplicateOf(200));
    node.on(`GET /v1/events/${prepared.txid}`, { body: { event_id: prepared.txid, agent_id: 'me' } });
    node.on('GET /v1/agents/me/stake', { status: 429, body: { error: 'x', code: 'rate_limited' } });
    const a = agent();
    a.prepare = async () => prepared;
    await expect(a.stake({ amount: 10 })).rejects.toMatchObject({
      code: 'bad_answer',
      message: 'the write was executed, but its answer was lost',
      txid: prepared.txid,
    });
  });

  it('need a key to be prepared', async () => {
    await expect(stranger().prepare('POST', '/v1/stake', {})).rejects.toMatchObject({ code: 'bad_call' });
  });
});

describe('writes without a key', () => {
  it('carry the API key and no signature', async () => {
    node.on('POST /v1/stake', { body: {} });
    await new VwsClient({ baseUrl: node.url, apiKey: 'vws_1', environment }).stake({ amount: 1 });
    const [sent] = node.writes() as [Received];
    expect(sent.headers['x-api-key']).toBe('vws_1');
    expect(sent.headers['x-service-version']).toBeUndefined();
  });

  it('are never sent twice', async () => {
    node.on('POST /v1/stake', { hangUp: true }, { body: {} });
    await expect(stranger().stake({ amount: 1 })).rejects.toMatchObject({ code: 'unreachable' });
    node.on('POST /v1/stake', { status: 503, body: { error: 'x', code: 'no_quorum' } }, { body: {} });
    await expect(stranger().stake({ amount: 1 })).rejects.toMatchObject({ code: 'no_quorum' });
    expect(node.writes()).toHaveLength(2);
  });
});

describe('registering a capability', () => {
  const seat = keyPairFromSeed(new Uint8Array(32).fill(9));
  const hook = { categories: ['c'], webhook_url: 'https://hook.example/' };
  const sent = (): string => JSON.parse(node.writes().at(-1)!.body).webhook_secret;
  beforeEach(() => {
    node.on(`GET /v1/agents/${key.publicKeyHex}`, { body: { agent_id: 'anna' } });
    node.on('GET /v1/agents/anna', { body: { agent_id: 'anna' } });
    node.on('GET /v1/status', { body: { chain_id: CHAIN, validator_id: 'seat-3' } });
    node.on('GET /v1/validators/seat-3', { body: { consensus_public_key: seat.publicKeyHex } });
    node.on('POST /v1/router/register', { status: 201, body: {} });
  });

  it('encrypts the secret to the seat of the node, for the registered id of the signer', async () => {
    const body = { ...hook, webhook_secret: 'whsec' };
    await agent().market.register(body);
    expect(node.writes()[0]!.body).not.toContain('whsec');
    expect(signingSecret(sent(), 'anna', seat)).toEqual(utf8('whsec'));
    expect(body.webhook_secret).toBe('whsec');
  });

  it('without a signature encrypts for the agent of the body, which is required', async () => {
    await stranger().market.register({ ...hook, webhook_secret: 'whsec', agent_id: 'anna' });
    expect(signingSecret(sent(), 'anna', seat)).toEqual(utf8('whsec'));
    await expect(stranger().market.register({ ...hook, webhook_secret: 'whsec' })).rejects.toMatchObject({
      code: 'bad_call',
      message: expect.stringContaining('agent_id'),
    });
    expect(node.writes()).toHaveLength(1);
  });

  it('leaves an encrypted secret as it is, and reads nothing if there is none', async () => {
    const sealed = sealWebhookSecret(seat.publicKey, 'anna', 'whsec', systemEnvironment.randomBytes);
    await agent().market.register({ ...hook, webhook_secret: sealed });
    expect(sent()).toBe(sealed);
    await agent().market.register(hook);
    expect(node.received.map(({ url }) => url)).not.toContain(`/v1/agents/${key.publicKeyHex}`);
  });

  it('sends nothing if the secret is too long, or the node has no seat or its key is unknown', async () => {
    const register = (webhook_secret: string) => agent().market.register({ ...hook, webhook_secret });
    await expect(register('x'.repeat(40))).rejects.toMatchObject({
      code: 'bad_call',
      message: 'an encrypted webhook secret has 1 to 39 bytes, not 40',
    });
    node.on('GET /v1/validators/seat-3', { body: {} });
    await expect(register('whsec')).rejects.toMatchObject({ code: 'bad_call' });
    node.on('GET /v1/status', { body: { chain_id: CHAIN } });
    await expect(register('whsec')).rejects.toMatchObject({ code: 'bad_call' });
    expect(node.writes()).toEqual([]);
  });
});
