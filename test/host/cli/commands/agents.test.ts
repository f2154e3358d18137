// The list of agents, and API keys from the command line, against a fake node.

import { beforeEach, describe, expect, it } from 'vitest';
import type { FakeNode } from '../../client/fake-node.ts';
import { fakeAgent } from '../fake-agent.ts';
import { vws } from '../harness.ts';

let node: FakeNode;
let keyPath: string;
let ownKey: string;
beforeEach(async () => {
  ({ node, keyPath, ownKey } = await fakeAgent());
});

const read = (...args: string[]) => vws([...args, '--node', node.url]);
const signed = (...args: string[]) => read(...args, '--key', keyPath);
const sent = (): unknown => JSON.parse(node.writes().at(-1)?.body ?? 'null');

describe('vws agents', () => {
  const row = {
    agent_id: 'bob',
    reputation_score: 9500,
    standing: 1_500_000,
    tasks_completed: 3,
    balance: 2_000_000,
    staked_amount: 100_000_000,
    trust_limit: 100_000_000,
  };

  it('lists them in order of registration', async () => {
    node.on('GET /v1/agents', { body: [row] });
    const { io } = await read('agents', '--limit', '7');
    expect(node.received.at(-1)?.url).toBe('/v1/agents?limit=7');
    expect(io.outLines).toEqual([
      'Agent  Reputation  Standing  Tasks done  Balance  Stake',
      'bob    95%         1.5t      3           2t       100t',
    ]);
  });

  it('or the best first, of the network or of a category', async () => {
    node.on('GET /v1/agents/leaderboard', { body: [{ ...row, rank: 1 }] });
    expect((await read('agents', '--sort', 'balance')).out).toMatch(/^Rank +Agent.*\n1 +bob /);
    expect(node.received.at(-1)?.url).toBe('/v1/agents/leaderboard?sort=balance');
    const ranked = { avg_score: 0.9, completion_rate: 0.75, overall_score: 0.81, tasks_completed: 3 };
    node.on('GET /v1/reputation/rankings', {
      body: [{ rank: 1, agent_id: 'bob', category: 'data', ...ranked }],
    });
    expect((await read('agents', '--category', 'data')).io.outLines).toEqual([
      'Rank  Agent  Score  Mean score  Completed  Tasks done',
      '1     bob    0.810  0.900       75 %       3',
    ]);
    expect(node.received.at(-1)?.url).toBe('/v1/reputation/rankings?category=data');
  });

  it.each([[['--sort', 'age']], [['--sort', 'tasks', '--category', 'data']], [['--limit', '0']]])(
    '%s: exit 2',
    async (args) => {
      expect((await read('agents', ...args)).code).toBe(2);
      expect(node.received).toEqual([]);
    },
  );
});

it('vws event shows one event by its id', async () => {
  node.on('GET /v1/events/e1', { body: { event_id: 'e1', event_type: 'transfer', amount: 4_000_000 } });
  expect((await read('event', 'e1')).out).toContain('Amount: 4000000 (4t)');
  expect((await read('event')).code).toBe(2);
});

it('vws offer categories counts the offers of each', async () => {
  node.on('GET /v1/registry/categories', { body: { data: 2, writing: 1 } });
  expect((await read('offer', 'categories')).io.outLines).toEqual([
    'Category  Offers',
    'data      2',
    'writing   1',
  ]);
});

it('vws task list --parent shows the parts of a task, and takes no other filter', async () => {
  node.on('GET /v1/tasks/subtasks/t1', { body: [] });
  expect((await read('task', 'list', '--parent', 't1', '--limit', '3')).code).toBe(0);
  expect(node.received.at(-1)?.url).toBe('/v1/tasks/subtasks/t1?limit=3');
  for (const more of [['--mine'], ['--status', 'open']])
    expect((await read('task', 'list', '--parent', 't1', ...more)).code).toBe(2);
  expect(node.received).toHaveLength(1);
});

describe('vws api-key', () => {
  const KEY = {
    key_id: '40a245efedae4852',
    name: 'build server',
    scopes: ['tasks', 'transfers'],
    hourly_limit: 100,
    created_at: 1_800_000_000,
    deposit: 100_000,
    active: true,
  };
  const ISSUER = '5d'.repeat(32);

  it('creates one, and prints the key that no later answer has', async () => {
    node.on('GET /v1/status', { body: { chain_id: 'vws-testnet-1', validator_id: 'v1' } });
    node.on('GET /v1/validators/v1', { body: { id: 'v1', consensus_public_key: ISSUER } });
    node.on('POST /v1/platform/keys', { status: 201, body: { ...KEY, key: 'vws_17' } });
    const scopes = ['--scope', 'tasks', '--scope', 'transfers', '--hourly-limit', '100'];
    const ran = await signed('api-key', 'create', 'build server', ...scopes, '--valid-for', '3600');
    expect(ran.io.outLines).toContain('Key: vws_17');
    expect(ran.err).toContain('is not shown again');
    const { expires_at, ...rest } = sent() as { expires_at: number };
    expect(rest).toEqual({
      name: 'build server',
      scopes: ['tasks', 'transfers'],
      hourly_limit: 100,
      issuing_node: ISSUER,
    });
    expect(Math.abs(expires_at - Date.now() / 1000 - 3600)).toBeLessThan(60);
  });

  it('lists those that the agent made and that are there still', async () => {
    const row = (n: number) => ({ event_id: `e${n}`, event_type: 'api_key_created', timestamp: 1 });
    node
      .on('GET /v1/events/recent', { body: [row(1), row(2)] })
      .on('GET /v1/events/e1', { body: { ...row(1), payload: { key_id: KEY.key_id } } })
      .on('GET /v1/events/e2', { body: { ...row(2), payload: { key_id: 'ab'.repeat(8) } } })
      .on(`GET /v1/platform/keys/${KEY.key_id}`, { body: KEY })
      .on(`GET /v1/platform/keys/${'ab'.repeat(8)}`, { status: 404, body: { code: 'key_not_found' } });
    const { io } = await signed('api-key', 'list');
    expect(node.received[0]?.url).toBe(`/v1/events/recent?event_type=api_key_created&agent_id=${ownKey}`);
    expect(io.outLines).toEqual([
      'Key ID            Name          Scopes           Writes/h  Deposit  Created               Expires',
      '40a245efedae4852  build server  tasks,transfers  100       0.1t     2027-01-15T08:00:00Z  -',
    ]);
  });

  it('shows and revokes one by its id, never by the key itself', async () => {
    node
      .on(`GET /v1/platform/keys/${KEY.key_id}`, { body: KEY })
      .on(`DELETE /v1/platform/keys/${KEY.key_id}`, { body: { key_id: KEY.key_id, status: 'revoked' } });
    expect((await read('api-key', 'show', KEY.key_id)).out).toContain('Deposit: 100000 (0.1t)');
    expect((await signed('api-key', 'revoke', KEY.key_id)).out).toContain('Status: revoked');
    const count = node.received.length;
    for (const verb of ['show', 'revoke']) {
      const refused = await signed('api-key', verb, `vws_${'17'.repeat(32)}`);
      expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('vws api-key list')]);
    }
    expect((await signed('api-key', 'create', 'x', '--scope', 'task')).code).toBe(2);
    expect(node.received.length).toBe(count);
  });
});
