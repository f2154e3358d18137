// R5: what all share cannot be used up by those who cannot do what they ask for, nor by a few who can.
// A node with default limits behind a trusted proxy, so that requests come from as many addresses as wanted.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { Agent, type Answer, call, get, TOKEN } from '../e2e/agent.ts';
import { Testbed } from '../e2e/testbed.ts';
import { report } from './figures.ts';

const bed = new Testbed();
let port = 0;

beforeAll(async () => {
  const env = { SERVICE_RATE_LIMITS: 'on', SERVICE_TRUSTED_PROXIES: '127.0.0.1' };
  ({ port } = await bed.start({ dataDir: await bed.directory(), env }));
});
afterAll(() => bed.close());

const codeOf = ({ status, body }: Answer): string | number => (status < 300 ? status : body.code);

/** A signed write from an address. */
async function from(address: string, agent: Agent, path: string, body: object = {}): Promise<Answer> {
  const signed = await agent.sign('POST', path, body);
  return call(port, { ...signed, headers: { ...signed.headers, 'X-Forwarded-For': address } });
}

/** `count` writes, each signed by a fresh key that no agent has, from addresses in networks of their own. */
async function strangers(count: number, perAddress: number, path: string, body: object): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let i = 0; i < count; i++) {
    answers.push(await from(`10.${Math.floor(i / perAddress)}.0.1`, new Agent(port), path, body));
  }
  return answers;
}

const countOf = (answers: Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[codeOf(answer)] = (counts[codeOf(answer)] ?? 0) + 1;
  return counts;
};

it('200 disputes by unregistered keys from 4 addresses leave the dispute to the poster', async () => {
  const [poster, worker] = [new Agent(port), new Agent(port)];
  for (const agent of [poster, worker]) {
    expect(codeOf(await from('198.51.100.1', agent, '/v1/agents', { initial_stake: TOKEN }))).toBe(201);
  }
  const posted = await from('198.51.100.1', poster, '/v1/tasks', {
    title: 'Translate a letter',
    description: 'Translate the attached letter into plain English.',
    budget: 20 * TOKEN,
    challenge_window_secs: 3600,
  });
  expect(codeOf(posted)).toBe(201);
  const task = `/v1/tasks/${posted.body.id}`;
  expect(codeOf(await from('198.51.100.1', worker, `${task}/claim`))).toBe(200);
  expect(codeOf(await from('198.51.100.1', worker, `${task}/submit`, { result_content: 'x' }))).toBe(200);

  const dispute = { reason: 'not what was asked for' };
  const floods = await strangers(200, 50, `${task}/dispute`, dispute);
  expect(countOf(floods)).toEqual({ agent_not_found: 200 });
  // Those of registered agents who are not its poster, from the poster's own address, take nothing of it either.
  for (let i = 0; i < 10; i++) {
    expect(codeOf(await from('198.51.100.1', worker, `${task}/dispute`, dispute))).toBe('not_poster');
  }
  const own = codeOf(await from('198.51.100.1', poster, `${task}/dispute`, dispute));
  expect(own).toBe(200);
  report({
    attack: 'R5',
    what: "answer to a poster's dispute after 200 of unregistered keys from 4 addresses",
    before: '429 for an hour',
    after: String(own),
  });
});

it.each([
  ['/v1/faucet', {}],
  ['/v1/stake', { amount: 1 }],
  ['/v1/tasks', { title: 't', budget: TOKEN }],
])(
  '%s: what the state refuses uses up neither the node nor the address',
  async (path, body) => {
    // One address sends more than the whole count of an address, five together that of the node.
    const floods = await strangers(510, 102, path, body);
    expect(countOf(floods)).toEqual({ agent_not_found: 510 });
    const honest = new Agent(port);
    expect(codeOf(await from(`198.51.${path.length}.1`, honest, '/v1/agents'))).toBe(201);
    expect([200, 201]).toContain(codeOf(await from('10.0.0.1', honest, path, body)));
  },
  240_000,
);

it('registrations of ten networks leave room for an eleventh, and the refusal says when to come again', async () => {
  const codes: (string | number)[] = [];
  for (let i = 0; i < 60; i++) {
    const answer = await from(
      `10.${100 + Math.floor(i / 6)}.0.${Math.floor(i / 3)}`,
      new Agent(port),
      '/v1/agents',
    );
    codes.push(codeOf(answer));
    if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(3600);
  }
  expect(codes).toContain('rate_limited');
  expect(codeOf(await from('203.0.113.7', new Agent(port), '/v1/agents'))).toBe(201);
  expect((await get(port, '/metrics')).body).toMatch(
    /^vws_rate_limit_rejects_total\{dimension="global"\} \d+$/m,
  );
});
