// Who may do what: the three schemes, the ownership of every write, reserved accounts, API keys, open mode.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WriteRoute } from '../../host/api/route.ts';
import { ROUTES } from '../../host/api/routes.ts';
import { OPERATIONS, type Operation } from '../../host/wire/operations.ts';
import { fillPlaceholders } from '../../host/wire/placeholders.ts';
import { Agent, type Answer, call, get, type Json, nowSecs, TOKEN, until } from './agent.ts';
import { type Network, Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());

/** protocol 1.7. */
const ACTOR_FIELDS = [
  'from_agent',
  'agent_id',
  'claimer_id',
  'poster_id',
  'approver_id',
  'challenger_id',
  'submitter_id',
  'validator_id',
];
const RESERVED = [
  'genesis:treasury',
  'genesis:rewards',
  'genesis:faucet',
  'escrow:transfer:x',
  'system:stake:x',
  'system:dispute_reserve',
  'system:node',
];

const codeOf = ({ status, body }: Answer): string | number => (status < 300 ? status : body.code);

describe('ownership (pitfall A1, A2, A7)', () => {
  let network: Network;
  let port: number;
  let alice: Agent;
  let bob: Agent;
  let event: string;
  let keyId: string;
  let taskId: string;
  beforeAll(async () => {
    network = await bed.network(['active']);
    ({ port } = await bed.start(network));
    alice = await new Agent(port).register({ initial_stake: 100 * TOKEN });
    bob = await new Agent(port).register({ agent_id: 'bob', initial_stake: 100 * TOKEN });
    event = (await bob.do('/v1/transfer', { to_agent: alice.id, amount: TOKEN })).event_id;
    const issuing_node = network.operator.publicKeyHex;
    keyId = (await bob.do('/v1/platform/keys', { name: 'bobs', issuing_node })).key_id;
    taskId = (await bob.do('/v1/tasks', { title: 'work', budget: TOKEN })).id;
  });

  /** A rotation is signed by a key and not by an agent: the table of acting agents does not apply (protocol 4.3). */
  const WRITES = (ROUTES.filter((r) => 'operation' in r) as WriteRoute[]).filter(
    ({ operation }) => !(OPERATIONS[operation] as Operation).isSignedByKey,
  );
  /** The path of a write on bob's things, or, where it names the acting agent, on this one's. */
  const pathOf = (path: string, agentId: string): string =>
    path.replace('{key}', keyId).replace('{id}', taskId).replace('{agent_id}', agentId);

  /** All that money and events show, but for the order, which idle vertices move on. */
  const state = async (): Promise<Json> => {
    const [stats, economics, agents, pending, tasks] = await Promise.all(
      ['/v1/dag/stats', '/v1/economics', '/v1/agents', '/v1/pending', '/v1/tasks'].map((path) =>
        get(port, path),
      ),
    );
    return [stats!.body.events_by_type, economics!.body, agents!.body, pending!.body, tasks!.body];
  };

  it.each(WRITES.map((r) => [r.method, r.path, r.operation] as const))(
    '%s %s: a foreign actor in any field is refused, nothing changes',
    async (method, path, operation) => {
      const before = await state();
      const isRegister = path === '/v1/agents';
      const who = isRegister ? new Agent(port) : alice;
      const foreign = [
        'bob',
        bob.id,
        bob.id.toUpperCase(),
        network.operator.publicKeyHex,
        'nobody',
        'genesis:treasury',
      ];
      for (const field of ACTOR_FIELDS) {
        if (isRegister && field === 'agent_id') continue;
        for (const id of field === 'validator_id' ? [...foreign, 'seat-1'] : foreign) {
          const values = { event_id: event, task_id: taskId } as Record<string, string>;
          const example = fillPlaceholders(OPERATIONS[operation].example, (name) => values[name] ?? 'bob');
          const answer = await who.send(method, pathOf(path, who.id), { ...example, [field]: id });
          expect([field, id, codeOf(answer)]).toEqual([field, id, 'forbidden_actor']);
          expect(answer.status).toBe(403);
        }
      }
      if (path.includes('{key}') || path.includes('{agent_id}')) {
        const { example } = OPERATIONS[operation];
        expect(codeOf(await who.send(method, pathOf(path, 'bob'), example))).toBe('forbidden_actor');
      }
      expect(await state()).toEqual(before);
    },
  );

  it("nobody rotates a seat's key by naming its operator", async () => {
    const before = await state();
    const operator = network.operator.publicKeyHex;
    const body = { new_public_key: new Agent(port).id };
    const named = { ...body, agent_id: operator, validator_id: 'seat-0' };
    for (const id of ['seat-0', operator]) {
      expect(codeOf(await alice.post(`/v1/validators/${id}/rotate`, body))).toBe('forbidden_actor');
      expect(codeOf(await alice.post(`/v1/validators/${id}/rotate`, named))).toBe('invalid_request');
    }
    const stranger = new Agent(port);
    expect(codeOf(await stranger.post('/v1/validators/seat-0/rotate', body))).toBe('forbidden_actor');
    expect(await state()).toEqual(before);
  });

  it("the signer's own id passes in any form, and an empty id counts as absent", async () => {
    for (const id of [bob.id, bob.id.toUpperCase(), 'bob', '', null]) {
      expect(codeOf(await bob.post('/v1/stake', { amount: 1, agent_id: id }))).toBe(200);
      expect(codeOf(await bob.post('/v1/stake', { amount: 1 }, { actor: id || 'bob' }))).toBe(200);
    }
    const seat = new Agent(port, network.operator);
    const vote = { event_id: event, verdict: true, validator_id: 'seat-0', agent_id: seat.id };
    expect(codeOf(await seat.post('/v1/verify', vote))).toBe(200);
  });

  it("a free-form id gives no rights to others, and a 64-hex id must be the signer's key", async () => {
    const mallory = new Agent(port);
    expect(codeOf(await mallory.post('/v1/stake', { amount: 1 }, { actor: 'bob' }))).toBe(
      'tx_signature_invalid',
    );
    expect(codeOf(await mallory.post('/v1/agents', { agent_id: alice.id }))).toBe('forbidden_actor');
    expect(codeOf(await mallory.post('/v1/agents', { agent_id: 'a'.repeat(64) }))).toBe('forbidden_actor');
    const key = Buffer.from(alice.signer.publicKey).toString('base64');
    expect(codeOf(await mallory.post('/v1/agents', { public_key_b64: key }))).toBe('forbidden_actor');
    expect(
      codeOf(await mallory.post('/v1/agents', { public_key_b64: Buffer.alloc(32).toString('base64') })),
    ).toBe('invalid_request');
    expect((await get(port, `/v1/agents/${mallory.id}`)).status).toBe(404);
  });

  it.each(RESERVED)('%s can neither register, pay, be paid, nor be looked at as an agent', async (name) => {
    const before = await state();
    expect(codeOf(await new Agent(port).post('/v1/agents', { agent_id: name }))).toBe('invalid_request');
    expect(codeOf(await alice.post('/v1/transfer', { from_agent: name, to_agent: 'bob', amount: 1 }))).toBe(
      'forbidden_actor',
    );
    expect(codeOf(await alice.post('/v1/transfer', { to_agent: name, amount: 1 }))).toBe('agent_not_found');
    const claim = { claimed_value: 1, evidence_hash: 'e', beneficiary: name };
    expect(codeOf(await alice.post('/v1/generation', claim))).toBe('agent_not_found');
    expect(codeOf(await alice.post('/v1/stake', { amount: 1 }, { actor: name }))).toBe(
      'tx_signature_invalid',
    );
    expect((await get(port, `/v1/agents/${encodeURIComponent(name)}`)).body.code).toBe('agent_not_found');
    expect(await state()).toEqual(before);
  });

  it('parties never vote on their own event, however they are named (pitfall V8)', async () => {
    const seat = new Agent(port, network.operator);
    const second = new Agent(port, network.others[0]!.signer);
    const stake = await second.do('/v1/stake', { amount: 1 });
    expect(stake.staked_amount).toBeGreaterThan(0);
    const { event_id } = await second.do('/v1/transfer', { to_agent: seat.id, amount: TOKEN });
    for (const party of [seat, second]) {
      const answer = await party.post('/v1/verify', { event_id, verdict: true });
      expect(answer.body).toMatchObject({
        code: 'self_dealing',
        error: 'validator cannot verify transactions they are party to',
      });
    }
    const claim = (
      await alice.do('/v1/generation', { claimed_value: 9, evidence_hash: 'e', beneficiary: seat.id })
    ).event_id;
    expect(codeOf(await seat.post('/v1/verify', { event_id: claim, verdict: true }))).toBe('self_dealing');
    for (const verified_value of [0, 10]) {
      const answer = await second.post('/v1/verify', { event_id: claim, verdict: true, verified_value });
      expect(codeOf(answer)).toBe('invalid_request');
    }
  });
});

describe('SERVICE-REQUEST-V1', () => {
  it('works on the testnet, is marked deprecated, and fails with one code', async () => {
    const { port } = await bed.start({ dataDir: await bed.directory() });
    const alice = await new Agent(port).register();
    const good = await alice.signV1('/v1/stake', { amount: 5 });
    const answer = await call(port, good);
    expect([answer.status, answer.headers.get('deprecation')]).toEqual([200, 'true']);
    const event = (await get(port, `/v1/events/${answer.body.event_id}`)).body;
    expect([event.auth, event.agent_id]).toEqual(['request_v1', alice.id]);
    expect(codeOf(await call(port, good))).toBe('DUPLICATE_TX');
    const faults = [
      await alice.signV1('/v1/stake', { amount: 5 }, { timestamp: nowSecs() - 40 }),
      await alice.signV1('/v1/stake', { amount: 5 }, { agentId: 'nobody' }),
      { ...(await alice.signV1('/v1/stake', { amount: 5 })), body: '{"amount":6}' },
      { ...(await alice.signV1('/v1/stake', { amount: 5 })), path: '/v1/unstake' },
    ];
    for (const fault of faults) {
      const refused = await call(port, fault);
      expect([refused.status, refused.body.code, refused.headers.get('deprecation')]).toEqual([
        401,
        'auth_failed',
        'true',
      ]);
    }
    const other = await alice.signV1('/v1/stake', { amount: 5, agent_id: 'other' });
    expect(codeOf(await call(port, other))).toBe('forbidden_actor');
    expect(codeOf(await call(port, await alice.signV1('/v1/agents', {})))).toBe('auth_required');
  });

  it('is off where it is switched off', async () => {
    const { port } = await bed.start({
      dataDir: await bed.directory(),
      env: { SERVICE_REQUEST_V1: 'false' },
    });
    const alice = await new Agent(port).register();
    expect(codeOf(await call(port, await alice.signV1('/v1/stake', { amount: 5 })))).toBe('auth_failed');
  });
});

describe('API keys (pitfall A4)', () => {
  const withKey = (port: number, key: string, path: string, body: object): Promise<Answer> =>
    call(port, { method: 'POST', path, headers: { 'X-API-Key': key }, body: JSON.stringify(body) });

  it('act for their owner within scope, lifetime and limit, and are stored nowhere in plain text', async () => {
    const dataDir = await bed.directory();
    const node = await bed.start({ dataDir, env: { SERVICE_LOG_LEVEL: 'debug', SERVICE_RATE_LIMITS: 'on' } });
    const { port } = node;
    expect(codeOf(await withKey(port, `vws_${'0'.repeat(64)}`, '/v1/stake', { amount: 1 }))).toBe(
      'invalid_api_key',
    );
    const alice = await new Agent(port).register();
    const bob = await new Agent(port).register();

    const full = await alice.do('/v1/platform/keys', { name: 'all' });
    expect(full).toMatchObject({ scopes: ['*'], owner_id: alice.id, hourly_limit: 1000 });
    const staked = await withKey(port, full.key, '/v1/stake', { amount: 5 });
    expect([staked.status, staked.body.agent_id, staked.body.staked_amount]).toEqual([200, alice.id, 5]);
    expect((await get(port, `/v1/events/${staked.body.event_id}`)).body).toMatchObject({
      auth: 'api_key',
      agent_id: alice.id,
    });
    expect(codeOf(await withKey(port, full.key, '/v1/stake', { amount: 1, agent_id: bob.id }))).toBe(
      'forbidden_actor',
    );
    for (const path of ['/v1/agents', '/v1/platform/keys']) {
      expect([path, codeOf(await withKey(port, full.key, path, { name: 'k' }))]).toEqual([
        path,
        'auth_required',
      ]);
    }

    const narrow = await alice.do('/v1/platform/keys', { name: 'n', scopes: ['transfers'], hourly_limit: 2 });
    const scope = await withKey(port, narrow.key, '/v1/stake', { amount: 5 });
    expect(scope.body).toMatchObject({ code: 'insufficient_scope', details: { required: 'staking' } });
    expect(codeOf(await withKey(port, narrow.key, '/v1/transfer', { to_agent: bob.id, amount: 1 }))).toBe(
      201,
    );
    const limited = await withKey(port, narrow.key, '/v1/transfer', { to_agent: bob.id, amount: 1 });
    expect([limited.status, codeOf(limited)]).toEqual([429, 'rate_limited']);

    const short = await alice.do('/v1/platform/keys', { name: 's', expires_at: nowSecs() + 2 });
    expect(codeOf(await withKey(port, short.key, '/v1/stake', { amount: 1 }))).toBe(200);
    await until(
      async () => codeOf(await withKey(port, short.key, '/v1/stake', { amount: 1 })),
      (c) => c === 'invalid_api_key',
    );
    // Reads go by consensus time, which an idle node moves on every few seconds.
    await until(
      async () => (await get(port, `/v1/platform/keys/${short.key_id}`)).body.active,
      (active) => !active,
    );
    for (const expires_at of [nowSecs() - 1, 1, 0]) {
      expect(codeOf(await alice.post('/v1/platform/keys', { name: 'k', expires_at }))).toBe(
        'invalid_request',
      );
    }

    expect(codeOf(await alice.send('DELETE', `/v1/platform/keys/${full.key}`))).toBe(200);
    expect(codeOf(await withKey(port, full.key, '/v1/stake', { amount: 1 }))).toBe('invalid_api_key');

    const shown = await Promise.all(
      [
        '/v1/events/recent',
        `/v1/events/${narrow.event_id}`,
        `/v1/platform/keys/${narrow.key_id}`,
        '/metrics',
      ].map((p) => get(port, p)),
    );
    const told = JSON.stringify(shown.map((a) => a.body));
    await node.stop();
    const { log } = await node.ended();
    const files = await readdir(join(dataDir, 'db'));
    const stored = Buffer.concat(await Promise.all(files.map((f) => readFile(join(dataDir, 'db', f)))));
    for (const { key } of [narrow, short]) {
      expect(told.includes(key) || log.includes(key) || stored.includes(key)).toBe(false);
    }
  });
});

describe('open mode (--no-auth)', () => {
  it('acts for the agent named in the body, still checks ownership and signatures, and ignores API keys', async () => {
    const { port, agentId } = await bed.start({ dataDir: await bed.directory(), flags: ['--no-auth'] });
    const post = (path: string, body: object, headers = {}): Promise<Answer> =>
      call(port, { method: 'POST', path, headers, body: JSON.stringify(body) });
    expect((await get(port, '/v1/status')).body.no_auth).toBe(true);
    const keyless = await post('/v1/agents', { agent_id: 'robot' });
    expect([keyless.status, keyless.body.agent_id, keyless.body.public_key]).toEqual([
      201,
      'robot',
      undefined,
    ]);
    expect((await get(port, '/v1/agents/robot/address')).body.code).toBe('address_not_found');
    const staked = await post(
      '/v1/stake',
      { agent_id: 'robot', amount: 10 },
      { 'X-API-Key': 'vws_nonsense' },
    );
    expect([staked.status, staked.body.agent_id]).toEqual([200, 'robot']);
    expect((await get(port, `/v1/events/${staked.body.event_id}`)).body.auth).toBe('unsigned');
    expect((await post('/v1/stake', { amount: 1 })).body.agent_id).toBe(agentId);
    expect(codeOf(await post('/v1/stake', { agent_id: 'nobody', amount: 1 }))).toBe('agent_not_found');
    // Two fields that name different agents: whoever acts, the other is foreign.
    expect(
      codeOf(
        await post('/v1/transfer', { from_agent: 'robot', agent_id: agentId, to_agent: agentId, amount: 1 }),
      ),
    ).toBe('forbidden_actor');
    // Nobody signed; whoever named the agent in another field learns who acts, and by which field it is named.
    const misnamed = await post(`/v1/tasks/${'0'.repeat(32)}/approve`, { agent_id: 'robot' });
    expect(misnamed.body.error).toBe(
      `agent_id names another agent than ${agentId}, which acts; it is named by approver_id or poster_id`,
    );
    const alice = await new Agent(port).register();
    expect(codeOf(await alice.post('/v1/stake', { amount: 1, agent_id: 'robot' }))).toBe('forbidden_actor');
    const forged = await alice.sign('POST', '/v1/stake', { amount: 1 });
    expect(codeOf(await call(port, { ...forged, body: '{"amount":2}' }))).toBe('tx_signature_invalid');
  });

  it('parties are recognized in open mode too: the seat does not vote on its own transfer', async () => {
    const { port, agentId } = await bed.start({ dataDir: await bed.directory(), flags: ['--no-auth'] });
    const post = (path: string, body: object): Promise<Answer> =>
      call(port, { method: 'POST', path, body: JSON.stringify(body) });
    await post('/v1/agents', { agent_id: 'robot', initial_stake: 1000 });
    const { event_id } = (await post('/v1/transfer', { from_agent: 'robot', to_agent: agentId, amount: 10 }))
      .body;
    for (const who of [{}, { validator_id: agentId }, { agent_id: 'robot' }]) {
      expect(codeOf(await post('/v1/verify', { event_id, verdict: true, ...who }))).toBe('self_dealing');
    }
  });
});
