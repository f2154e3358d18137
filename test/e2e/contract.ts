// The contract of the HTTP API (pitfall O2, O6): every route succeeds with an answer that matches the table of objects
// exactly, and refuses with every error that it lists. Run against real nodes in several configurations.
// Keeps: a route or an error that is added without a case here fails the suite.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkObject } from '../../host/api/object-schema.ts';
import { ROUTES } from '../../host/api/routes.ts';
import { Agent, type Answer, call, get, type Json, TOKEN } from './agent.ts';
import { caseWrites, refuseCaseWrites } from './case-cases.ts';
import { marketRefusals, marketSteps } from './market-cases.ts';
import { programWrites, refusePrograms } from './program-cases.ts';
import { READ_REFUSALS, READS, UNKNOWN } from './reads.ts';
import { type Story, tell } from './story.ts';
import { refuseTaskWrites, taskWrites } from './task-cases.ts';
import { Testbed } from './testbed.ts';
import { UNREACHED } from './unreached.ts';
import { refuseValidatorWrites, validatorSteps } from './validator-cases.ts';
import { commitStep, refuseVotes } from './vote-cases.ts';

const PAGES = new Set(['text', 'json', 'html', 'bytes']);

const template = (method: string, path: string): string => {
  const parts = path.split('?')[0]!.split('/');
  const fits = (p: string): boolean => {
    const own = p.split('/');
    return own.length === parts.length && own.every((x, i) => x.startsWith('{') || x === parts[i]);
  };
  const found = ROUTES.filter((r) => r.method === method && fits(r.path));
  return found.sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))[0]?.path ?? 'none';
};

/** The whole contract against a node with these settings. */
export function apiContract(name: string, env: Record<string, string>): void {
  describe(`the API: ${name}`, () => {
    const bed = new Testbed();
    const seen = new Set<string>();
    let s: Story;
    beforeAll(async () => {
      s = await tell(bed, env);
    });
    afterAll(() => bed.close());

    const expectRefusal = (method: string, path: string, answer: Answer, code: string): void => {
      const at = `${method} ${path}: ${JSON.stringify(answer.body)}`;
      expect(answer.body.code, at).toBe(code);
      expect(checkObject('Error', answer.body), at).toEqual([]);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      if (answer.status === 503 || answer.status === 429)
        expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      seen.add(`${method} ${template(method, path)} ${code}`);
    };
    const refused = async (
      who: Agent,
      path: string,
      body: object | string,
      code: string,
    ): Promise<Answer> => {
      const answer = await who.post(path, body);
      expectRefusal('POST', path, answer, code);
      expect(answer.body.txid).toMatch(/^[0-9a-f]{64}$/);
      return answer;
    };

    it('has a case for every read', () => {
      // The stream is no read that answers: stream.test.ts.
      const paths = ROUTES.filter((r) => r.method === 'GET' && !r.stream).map((r) => r.path);
      expect(Object.keys(READS).sort()).toEqual(paths.sort());
    });

    it.each(Object.keys(READS))('GET %s answers with its object, no field more or less', async (path) => {
      const route = ROUTES.find((r) => r.method === 'GET' && r.path === path)!;
      for (const url of READS[path]!(s)) {
        const { status, body, headers } = await get(s.port, url);
        expect(status, `${url}: ${JSON.stringify(body)}`).toBe(200);
        expect(headers.get('access-control-allow-origin')).toBe('*');
        if (PAGES.has(route.reply)) {
          expect(body.length ?? Object.keys(body).length).toBeGreaterThan(0);
          continue;
        }
        expect(checkObject(route.reply, body), url).toEqual([]);
        if (!path.startsWith('/health')) expect(headers.get('x-service-order')).toMatch(/^\d+$/);
        if (route.reply.endsWith('[]'))
          expect(Number(headers.get('x-total-count'))).toBeGreaterThanOrEqual(body.length);
        const head = await call(s.port, { method: 'HEAD', path: url });
        expect([head.status, head.body]).toEqual([200, '']);
      }
    });

    it.each(READ_REFUSALS)('GET %s is refused with %s', async (path, code) => {
      expectRefusal('GET', path, await get(s.port, path), code);
    });

    it('every write answers with its object, its TxID and its order', async () => {
      const carol = new Agent(s.port);
      const applicant = await new Agent(s.port).register({ initial_stake: 10_000 * TOKEN });
      const created: Json[] = [];
      const steps: [Agent, string, string, object][] = [
        [carol, 'POST', '/v1/agents', { initial_stake: 1000 * TOKEN, display_name: 'Carol' }],
        [carol, 'POST', '/v1/faucet', {}],
        [carol, 'POST', '/v1/stake', { amount: 5 }],
        [carol, 'POST', '/v1/unstake', { amount: 5 }],
        [carol, 'POST', '/v1/transfer', { to_agent: s.bob.id, amount: 1000 }],
        [carol, 'POST', '/v1/generation', { claimed_value: 100, evidence_hash: 'sha256:x' }],
        ...marketSteps(carol),
        ...validatorSteps(applicant, s.second),
        [carol, 'POST', '/v1/platform/keys', { name: 'mine', issuing_node: s.operator.id }],
      ];
      for (const [who, method, path, body] of steps) created.push(await done(who, method, path, body));
      const keyId = created.at(-1)!.key_id;
      await done(carol, 'DELETE', `/v1/platform/keys/${keyId}`, {});
      const gone = `/v1/platform/keys/${keyId}`;
      expectRefusal('DELETE', gone, await carol.send('DELETE', gone), 'key_not_found');
      for (const event_id of [created[4].event_id, created[5].event_id]) {
        const vote = await done(s.second, 'POST', '/v1/verify', { event_id, verdict: true });
        expect(vote.status).toBe('pending');
        const decided = await done(s.operator, 'POST', '/v1/verify', { event_id, verdict: true });
        expect([decided.status, decided.settlement_reason]).toEqual(['settled', 'verified']);
      }
      const [judge, path, body] = await commitStep(s);
      await done(judge, 'POST', path, body);
      for (const writes of [taskWrites(s), caseWrites(s), programWrites(s)]) {
        for (let step = await writes.next(); !step.done; ) {
          const [who, path, body] = step.value;
          step = await writes.next(await done(who, 'POST', path, body));
        }
      }
      async function done(who: Agent, method: string, path: string, body: object): Promise<Json> {
        const signed = await who.sign(method, path, body);
        const answer = await call(s.port, signed);
        expect([200, 201], `${path}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
        const route = ROUTES.find((r) => r.method === method && r.path === template(method, path))!;
        expect(checkObject(route.reply, answer.body), path).toEqual([]);
        expect(answer.headers.get('x-service-txid')).toBe(signed.txid);
        const order = answer.headers.get('x-service-order');
        const event = (await get(s.port, `/v1/events/${signed.txid}`)).body;
        if (event.code !== undefined) return answer.body;
        expect(checkObject('Event', event)).toEqual([]);
        expect(String(event.order)).toBe(order);
        return answer.body;
      }
    });

    it('refuses writes with the exact code, and a refused write changes nothing', async () => {
      const before = (await get(s.port, '/v1/dag/stats')).body.total_events;
      const { alice, bob, operator } = s;
      const pay = (more: object): object => ({ to_agent: 'bob', amount: 1, ...more });
      await refused(alice, '/v1/agents', {}, 'already_registered');
      await refused(new Agent(s.port), '/v1/agents', { agent_id: 'bob' }, 'already_registered');
      await refused(new Agent(s.port), '/v1/agents', { agent_id: 'escrow:x' }, 'invalid_request');
      await refused(new Agent(s.port), '/v1/stake', { amount: 1 }, 'agent_not_found');
      await refused(alice, '/v1/transfer', pay({ to_agent: 'nobody' }), 'agent_not_found');
      await refused(alice, '/v1/transfer', pay({ to_agent: alice.id }), 'invalid_request');
      const limit = await refused(
        alice,
        '/v1/transfer',
        pay({ amount: 9_995 * TOKEN + 1 }),
        'trust_limit_exceeded',
      );
      expect(limit.body.details).toEqual({
        trust_limit: 10_000 * TOKEN,
        exposure: 5 * TOKEN,
        amount: 9_995 * TOKEN + 1,
      });
      await refused(alice, '/v1/stake', { amount: 60_000 * TOKEN }, 'insufficient_balance');
      const poor = await new Agent(s.port).register({ initial_stake: 49_999 * TOKEN });
      await refused(poor, '/v1/transfer', pay({ amount: TOKEN + 1 }), 'insufficient_balance');
      await refused(alice, '/v1/unstake', { amount: 10_000 * TOKEN + 1 }, 'insufficient_stake');
      const locked = await refused(alice, '/v1/unstake', { amount: 9_999 * TOKEN }, 'stake_locked');
      expect(locked.body.details).toEqual({ reason: 'exposure', releasable: 9_995 * TOKEN });
      const seat = await refused(operator, '/v1/unstake', { amount: 1 }, 'stake_locked');
      expect(seat.body.details.reason).toBe('validator_lock');
      await refused(
        bob,
        '/v1/generation',
        { claimed_value: 5, evidence_hash: 'e', beneficiary: 'nobody' },
        'agent_not_found',
      );
      const vote = { event_id: s.pendingTransfer, verdict: true };
      await refused(operator, '/v1/verify', { ...vote, event_id: UNKNOWN }, 'event_not_found');
      await refused(operator, '/v1/verify', { ...vote, event_id: s.settledTransfer }, 'not_pending');
      await refused(operator, '/v1/verify', { ...vote, event_id: s.stakeEvent }, 'not_pending');
      await refused(alice, '/v1/verify', vote, 'self_dealing');
      await refused(await new Agent(s.port).register(), '/v1/verify', vote, 'not_a_validator');
      await refused(s.probationer, '/v1/verify', vote, 'already_voted');
      await refused(operator, '/v1/verify', { ...vote, verified_value: 5 * TOKEN + 1 }, 'invalid_request');
      await refused(operator, '/v1/verify', { ...vote, ground: 'fraud' }, 'invalid_request');
      await refused(operator, '/v1/verify', { ...vote, verdict: false, ground: 'fraud' }, 'invalid_request');
      await refused(operator, '/v1/verify', { ...vote, worker_share_bp: 5000 }, 'invalid_request');
      await refused(operator, '/v1/verify', { ...vote, worker_share_bp: 5001 }, 'invalid_request');
      await refused(alice, '/v1/platform/keys', { name: '' }, 'invalid_request');
      // The registrations of the poor one and of the one that is no validator.
      expect((await get(s.port, '/v1/dag/stats')).body.total_events).toBe(before + 2);
    });

    it('refuses each step of a task that its state or its parties do not allow', async () => {
      await refuseTaskWrites(s, refused);
      await refusePrograms(s, refused);
      await refuseVotes(s, refused);
    });

    it('refuses challenges, votes on them and reports of replays with the exact code', async () => {
      await refuseCaseWrites(s, refused);
    });

    it('refuses what a validator or its keys do not allow', async () => {
      await refuseValidatorWrites(s, refused, () => new Agent(s.port));
    });

    it('refuses writes of registry and router with the exact code', async () => {
      for (const [method, path, body, code] of marketRefusals(s.bob, s.alice)) {
        expectRefusal(method, path, await s.bob.send(method, path, body), code);
      }
    });

    it('refuses rows to whoever cannot pay for them (protocol 6.18)', async () => {
      const poor = await new Agent(s.port).register({ initial_stake: 50_000 * TOKEN });
      const { balance, staked_amount } = (await get(s.port, `/v1/agents/${poor.id}/balance`)).body;
      expect([balance, staked_amount]).toEqual([0, 50_000 * TOKEN]);
      const key = { name: 'k', issuing_node: s.operator.id };
      await refused(poor, '/v1/platform/keys', key, 'insufficient_balance');
      await refused(poor, '/v1/router/register', { categories: ['code'] }, 'insufficient_balance');
      await refused(poor, '/v1/validators', { categories: ['never-named'] }, 'insufficient_balance');
    });

    it('refuses requests of models from pages of others', async () => {
      const headers = { 'content-type': 'application/json', origin: 'http://evil.example' };
      const answer = await call(s.port, { method: 'POST', path: '/mcp', body: '{}', headers });
      expectRefusal('POST', '/mcp', answer, 'origin_not_allowed');
    });

    it('refuses a second grant, keys of others, unknown keys, and the 51st key', async () => {
      const { bob, alice } = s;
      await bob.do('/v1/faucet');
      const again = await refused(bob, '/v1/faucet', {}, 'faucet_cooldown');
      expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(86_000);
      const key = { name: 'k', issuing_node: s.operator.id };
      for (let i = 0; i < 50; i++) await bob.do('/v1/platform/keys', key);
      await refused(bob, '/v1/platform/keys', key, 'invalid_state');
      await refused(alice, '/v1/platform/keys', { name: 'k' }, 'invalid_request');
      await refused(alice, '/v1/platform/keys', { name: 'k', issuing_node: alice.id }, 'invalid_request');
      const other = `/v1/platform/keys/${s.keyId}`;
      expectRefusal('DELETE', other, await bob.send('DELETE', other), 'forbidden_actor');
      const none = '/v1/platform/keys/0000000000000000';
      expectRefusal('DELETE', none, await alice.send('DELETE', none), 'key_not_found');
      expectRefusal('GET', other, await get(s.port, `/v1/platform/keys/${s.key}`), 'key_not_found');
    });

    it('refuses amounts that are not integers from 0 to 2^53 - 1, and bodies that are not JSON objects', async () => {
      for (const amount of [
        '0',
        '-1',
        '1.5',
        '"1"',
        'true',
        '9007199254740992',
        '9007199254740993',
        '1e400',
        '[1]',
      ]) {
        await refused(s.alice, '/v1/stake', `{"amount":${amount}}`, 'invalid_request');
      }
      for (const body of ['', '{}', '[]', '1', 'null', '{', '{"amount":1}x', '{"amount":null}']) {
        await refused(s.alice, '/v1/stake', body, 'invalid_request');
      }
      await refused(
        s.alice,
        '/v1/stake',
        `{"amount":1,"x":${'['.repeat(33)}${']'.repeat(33)}}`,
        'invalid_request',
      );
      await refused(s.alice, '/v1/stake', '{"amount":1,"x":"\\u0000"}', 'invalid_request');
      await refused(s.alice, '/v1/stake', '{"amount":1,"x":"\\ud800"}', 'invalid_request');
      // 1e0 and 1.0 are integers; of repeated names the last counts.
      for (const body of ['{"amount":1e0}', '{"amount":1.0}', '{"amount":-5,"amount":1}']) {
        expect((await s.alice.post('/v1/stake', body)).status).toBe(200);
      }
    });

    it('refuses wrong methods, queries on writes, and what is too large', async () => {
      const put = await s.alice.send('PUT', '/v1/transfer');
      expectRefusal('PUT', '/v1/transfer', put, 'method_not_allowed');
      expect(put.headers.get('allow')).toBe('POST, OPTIONS');
      expectRefusal('POST', '/v1/x', await s.alice.post('/v1/x'), 'not_found');
      expectRefusal(
        'POST',
        '/v1/stake',
        await s.alice.post('/v1/stake?a=1', { amount: 1 }, { signedPath: '/v1/stake' }),
        'invalid_request',
      );
      const large = { amount: 1, pad: 'x'.repeat(65_536) };
      const tooLarge = await s.alice.post('/v1/stake', large);
      expect([tooLarge.status, tooLarge.body.code]).toEqual([413, 'body_too_large']);
      const longUrl = await get(s.port, `/v1/agents?x=${'y'.repeat(9000)}`);
      expect([longUrl.status, longUrl.body.code]).toEqual([414, 'uri_too_long']);
      const longHead = await call(s.port, {
        method: 'GET',
        path: '/v1/status',
        headers: { 'x-pad': 'y'.repeat(20_000) },
      });
      expect([longHead.status, longHead.body.code]).toEqual([431, 'headers_too_large']);
    });

    it('refuses each fault of a signature with its code', async () => {
      const stake = { amount: 1 };
      const now = Math.floor(Date.now() / 1000);
      const faults: [Parameters<Agent['post']>[2], string][] = [
        [{ chainId: 'vws-mainnet-1' }, 'tx_chain_mismatch'],
        [{ created: now - 300 }, 'tx_expired'],
        [{ created: now + 100 }, 'tx_expired'],
        [{ expires: now + 121, created: now }, 'tx_expired'],
        [{ nonce: 'xyz' }, 'tx_invalid_nonce'],
        [{ actor: s.bob.id }, 'tx_signature_invalid'],
        [{ signedPath: '/v1/unstake' }, 'tx_signature_invalid'],
        [{ actor: 'nobody' }, 'tx_signature_invalid'],
      ];
      for (const [odd, code] of faults) {
        expectRefusal('POST', '/v1/stake', await s.alice.post('/v1/stake', stake, odd), code);
      }
      const change = async (edit: Record<string, string>): Promise<Answer> => {
        const signed = await s.alice.sign('POST', '/v1/stake', stake);
        return call(s.port, { ...signed, headers: { ...signed.headers, ...edit } });
      };
      expectRefusal(
        'POST',
        '/v1/stake',
        await change({ 'X-Service-Version': 'V2' }),
        'tx_unsupported_version',
      );
      expectRefusal(
        'POST',
        '/v1/stake',
        await change({ 'X-Service-Created': '1.5' }),
        'tx_invalid_timestamp',
      );
      expectRefusal('POST', '/v1/stake', await change({ 'X-Service-Signature': '' }), 'tx_missing_header');
      expectRefusal(
        'POST',
        '/v1/stake',
        await change({ 'X-Service-Signature': '0'.repeat(128) }),
        'tx_signature_invalid',
      );
      expectRefusal(
        'POST',
        '/v1/stake',
        await call(s.port, { method: 'POST', path: '/v1/stake' }),
        'auth_required',
      );
      const forged = { ...(await s.alice.sign('POST', '/v1/stake', stake)), body: '{"amount":2}' };
      expectRefusal('POST', '/v1/stake', await call(s.port, forged), 'tx_signature_invalid');
    });

    it('accepts a transaction once', async () => {
      const signed = await s.alice.sign('POST', '/v1/stake', { amount: 1 });
      const first = await call(s.port, signed);
      expect(first.status).toBe(200);
      const again = await call(s.port, signed);
      expectRefusal('POST', '/v1/stake', again, 'DUPLICATE_TX');
      const order = Number(first.headers.get('x-service-order'));
      expect(again.body).toMatchObject({
        txid: signed.txid,
        details: { executed: true, status: 200, order },
      });
      const racing = await s.alice.sign('POST', '/v1/stake', { amount: 1 });
      const answers = await Promise.all(Array.from({ length: 10 }, () => call(s.port, racing)));
      expect(answers.map((a) => a.status).sort()).toEqual([200, ...Array(9).fill(409)]);
    });

    it('pages are disjoint, complete and in a stable order', async () => {
      for (const list of [
        '/v1/agents',
        '/v1/events/recent',
        '/v1/agents/leaderboard',
        '/v1/dag/vertices',
        '/v1/validators',
      ]) {
        const whole = (await get(s.port, `${list}?per_page=200`)).body;
        const keyOf = (row: Json): string => row.event_id ?? row.hash ?? row.id ?? row.agent_id;
        const expected = whole.slice(0, 12).map(keyOf);
        const paged: string[] = [];
        for (let page = 1; page <= 4; page++)
          paged.push(...(await get(s.port, `${list}?per_page=3&page=${page}`)).body.map(keyOf));
        // The node orders an empty vertex now and then, which shifts no list but that of vertices at its end.
        expect(paged, list).toEqual(expected);
        expect(new Set(whole.map(keyOf)).size, list).toBe(whole.length);
      }
    });

    it('every error that a route lists was provoked', () => {
      const listed = ROUTES.flatMap((r) => (r.errors ?? []).map((code) => `${r.method} ${r.path} ${code}`));
      expect(listed.filter((pair) => !seen.has(pair) && !UNREACHED.includes(pair))).toEqual([]);
    });
  });
}
