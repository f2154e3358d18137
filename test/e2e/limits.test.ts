// Limits on clients: hourly limits, forged addresses, other origins.

import { afterAll, describe, expect, it } from 'vitest';
import { asItem } from '../../host/client/batches.ts';
import { Agent, type Answer, call, get, TOKEN } from './agent.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());

const codeOf = ({ status, body }: Answer): string | number => (status < 300 ? status : body.code);

describe('limits (pitfall A8, O7)', () => {
  it('100 forged X-Forwarded-For headers give three registrations', async () => {
    const { port } = await bed.start({ dataDir: await bed.directory(), env: { SERVICE_RATE_LIMITS: 'on' } });
    const codes: (string | number)[] = [];
    for (let i = 0; i < 100; i++) {
      const signed = await new Agent(port).sign('POST', '/v1/agents', {});
      const answer = await call(port, {
        ...signed,
        headers: { ...signed.headers, 'X-Forwarded-For': `10.0.0.${i}` },
      });
      codes.push(codeOf(answer));
      if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(3600);
    }
    expect(codes).toEqual([201, 201, 201, ...Array(97).fill('rate_limited')]);
  });

  it('reads that come all at once are answered as long as the burst of their address lasts', async () => {
    const { port } = await bed.start({ dataDir: await bed.directory(), env: { SERVICE_RATE_LIMITS: 'on' } });
    const answers = await Promise.all(Array.from({ length: 400 }, () => get(port, '/v1/status')));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('exactly the limit of an agent passes on each endpoint, and no other cap fires first', async () => {
    const env = { SERVICE_RATE_LIMITS: 'on', SERVICE_TRUSTED_PROXIES: '127.0.0.1' };
    const { port } = await bed.start({ dataDir: await bed.directory(), env });
    const alice = await new Agent(port).register({ initial_stake: 1000 * TOKEN });
    const bob = await new Agent(port).register();
    const rows: [string, number, object][] = [
      ['/v1/transfer', 120, { to_agent: bob.id, amount: 1 }],
      ['/v1/generation', 60, { claimed_value: 1, evidence_hash: 'e' }],
      ['/v1/stake', 20, { amount: 1 }],
      ['/v1/unstake', 20, { amount: 1 }],
      ['/v1/faucet', 1, {}],
    ];
    for (const [path, limit, body] of rows) {
      for (let i = 0; i < limit; i++) {
        const answer = await alice.post(path, body);
        expect([path, i, answer.status < 300]).toEqual([path, i, true]);
        expect(Number(answer.headers.get('x-ratelimit-remaining'))).toBeLessThanOrEqual(limit - i - 1);
      }
      const refused = await alice.post(path, body);
      expect([path, refused.status, refused.body.code]).toEqual([path, 429, 'rate_limited']);
    }
    // Others are not touched, behind another address of the trusted proxy not even by the limit of the address.
    expect(codeOf(await bob.post('/v1/stake', { amount: 1 }))).toBe(200);
    for (let i = 0; i < 6; i++) {
      const signed = await new Agent(port).sign('POST', '/v1/agents', {});
      const headers = { ...signed.headers, 'X-Forwarded-For': `10.0.0.${Math.floor(i / 3)}` };
      expect(codeOf(await call(port, { ...signed, headers }))).toBe(201);
    }
    expect((await get(port, '/metrics')).body).toMatch(
      /^vws_rate_limit_rejects_total\{dimension="agent"\} 5$/m,
    );
  });
});

it('an API key that used up its hourly limit does not use up the limit of its owner', async () => {
  const { port } = await bed.start({ dataDir: await bed.directory(), env: { SERVICE_RATE_LIMITS: 'on' } });
  const alice = await new Agent(port).register();
  const { key } = await alice.do('/v1/platform/keys', { name: 'k', hourly_limit: 1 });
  const codes: (string | number)[] = [];
  for (let i = 0; i < 30; i++) {
    const headers = { 'X-API-Key': key };
    codes.push(
      codeOf(await call(port, { method: 'POST', path: '/v1/stake', headers, body: '{"amount":1}' })),
    );
  }
  expect(codes).toEqual([200, ...Array(29).fill('rate_limited')]);
  expect(codeOf(await alice.post('/v1/stake', { amount: 1 }))).toBe(200);
});

describe('browsers (pitfall A11)', () => {
  it('writes of other origins get no permission, unless the origin is listed', async () => {
    const env = { SERVICE_CORS_ORIGINS: 'https://good.example' };
    const { port } = await bed.start({ dataDir: await bed.directory(), env });
    const alice = await new Agent(port).register();
    for (const [origin, allowed] of [
      ['https://evil.example', null],
      ['https://good.example', 'https://good.example'],
    ] as const) {
      const signed = await alice.sign('POST', '/v1/stake', { amount: 1 });
      const answer = await call(port, { ...signed, headers: { ...signed.headers, Origin: origin } });
      const batch = await call(port, {
        method: 'POST',
        path: '/v1/batch',
        headers: { Origin: origin },
        body: JSON.stringify({ requests: [asItem(await alice.sign('POST', '/v1/stake', { amount: 1 }))] }),
      });
      const refused = await call(port, { method: 'POST', path: '/v1/batch', headers: { Origin: origin } });
      const seen = [answer, batch, refused].map(({ status, headers }) => [
        status,
        headers.get('access-control-allow-origin'),
      ]);
      expect(seen).toEqual([
        [200, allowed],
        [200, allowed],
        [400, allowed],
      ]);
    }
    for (const [origin, isListed] of [
      [undefined, false],
      ['https://evil.example', false],
      ['https://good.example', true],
    ] as const) {
      const headers: Record<string, string> = origin ? { Origin: origin } : {};
      const preflight = await call(port, { method: 'OPTIONS', path: '/v1/stake', headers });
      const allowed = (of: string) => (preflight.headers.get(`access-control-allow-${of}`) ?? '').split(', ');
      expect([preflight.status, allowed('methods').includes('POST')]).toEqual([204, isListed]);
      const names = Object.keys((await alice.sign('POST', '/v1/stake', { amount: 1 })).headers);
      expect(names.filter((name) => allowed('headers').includes(name))).toEqual(isListed ? names : []);
    }
  });
});
