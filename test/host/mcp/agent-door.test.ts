// What `vws mcp` asks a node for before its first tool can act.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signerFromSeed } from '../../../host/client/signer.ts';
import { agentDoor } from '../../../host/mcp/agent-door.ts';
import { callTool } from '../../../host/mcp/call-tool.ts';
import { Spending } from '../../../host/mcp/spending.ts';
import { Spool } from '../../../host/mcp/spool.ts';
import { systemClock } from '../../../host/world/system/clock.ts';
import { CHAIN, FakeNode } from '../client/fake-node.ts';
import { MemoryFiles } from './files.ts';

let node: FakeNode;
beforeEach(async () => {
  node = await FakeNode.start();
});
afterEach(() => node.stop());

const LIMITS = { perCallMicro: 100, perDayMicro: 100, recipients: undefined };

/** The context of its tools, and the chains whose account was opened. */
function open(chainId?: string) {
  const files = new MemoryFiles();
  const opened: string[] = [];
  const door = agentDoor({
    client: {
      baseUrl: node.url,
      key: signerFromSeed(new Uint8Array(32).fill(3)),
      ...(chainId ? { chainId } : {}),
      retries: 0,
    },
    spool: new Spool(files, '/s'),
    spending: (chain) => {
      opened.push(chain);
      return new Spending({ files, folder: '/s', clock: systemClock, limits: LIMITS });
    },
    startCheck: () => {
      throw new Error('no check');
    },
    allowed: undefined,
    onFault: () => {},
  });
  return { context: door.context(), opened, tools: door.tools };
}

it.each([undefined, CHAIN])(
  'a node is asked once what it is, where the given chain is %s',
  async (chainId) => {
    const { context, opened } = open(chainId);
    for (let i = 0; i < 2; i++) expect((await context.allowance!()).left_today.micro).toBe(100);
    expect(node.received.map(({ url }) => url)).toEqual(['/v1/status']);
    expect(opened).toEqual([CHAIN]);
  },
);

it('nothing is opened for the mainnet on the word of a node', async () => {
  node.on('GET /v1/status', { body: { chain_id: 'vws-mainnet-1' } });
  const { context, opened } = open();
  await expect(context.allowance!()).rejects.toMatchObject({ code: 'bad_call' });
  expect(opened).toEqual([]);
});

it('what a tool needs to say what is next is read before it writes: an answer must not be lost to a read behind it', async () => {
  const task = {
    id: '0'.repeat(32),
    poster_id: 'alice',
    title: 'Count',
    description: '',
    category: 'data',
    budget: 50,
    escrow_amount: 50,
    worker_bond: 50,
    dispute_bond: 50,
    status: 'open',
    posted_at: 1,
    success_criteria: [],
    tags: [],
    contract: { required_checks: [] },
  };
  node.on(`GET /v1/tasks/${task.id}`, { body: task });
  node.on(`POST /v1/tasks/${task.id}/claim`, { body: { ...task, status: 'claimed' } });
  const { context, tools } = open();
  const profile = `GET /v1/agents/${context.ownKey}`;
  const claim = async () => {
    const result = await callTool(
      tools.find(({ name }) => name === 'claim_task')!,
      { task_id: task.id },
      context,
      () => {},
    );
    const { error, status } = result.structuredContent as { error?: { code: string }; status?: string };
    return error?.code ?? status;
  };
  node.on(profile, { hangUp: true });
  expect(await claim()).toBe('unreachable');
  expect(node.writes()).toEqual([]);
  node.on(profile, { body: { agent_id: 'bob' } }, { hangUp: true });
  expect(await claim()).toBe('claimed');
});

describe('the name of a new category', () => {
  const post = async (category: string | undefined, budget: string) => {
    const { context, tools } = open();
    const result = await callTool(
      tools.find(({ name }) => name === 'post_task')!,
      { title: 'Count', category, budget, idempotency_key: 'k' },
      context,
      () => {},
    );
    const { error, next } = result.structuredContent as { error?: { code: string }; next: string };
    return { code: error?.code, next, left: (await context.allowance!()).left_today.micro };
  };
  beforeEach(() => {
    node.on(`GET /v1/agents/${signerFromSeed(new Uint8Array(32).fill(3)).publicKeyHex}`, {
      body: { agent_id: 'bob' },
    });
    node.on('POST /v1/tasks', { status: 402, body: { error: 'poor', code: 'insufficient_balance' } });
  });
  const priced = (fee: unknown) =>
    node.on('GET /v1/network/state', {
      body: { category_name: { category: 'ships', is_known: false, fee } },
    });

  it('is counted with the budget, because the network takes it from the poster', async () => {
    priced(60);
    expect(await post('ships', '0.00003')).toMatchObject({ code: 'insufficient_balance', left: 10 });
    expect(node.received.find(({ url }) => url.startsWith('/v1/network/state'))!.url).toContain(
      'category=ships',
    );
  });

  it('is refused where it is above the limit, with what costs nothing', async () => {
    priced(60);
    const { code, next } = await post('ships', '0.00005');
    expect(code).toBe('spending_limit');
    expect(next).toContain('category');
    expect(node.writes()).toEqual([]);
  });

  it('is not asked for where no category is given', async () => {
    expect(await post(undefined, '0.00005')).toMatchObject({ code: 'insufficient_balance', left: 50 });
  });

  it('costs nothing that is no amount: nothing is sent then', async () => {
    for (const fee of [-50, 'none', undefined]) {
      priced(fee);
      expect((await post('ships', '0.00005')).code).toBe('bad_answer');
    }
    expect(node.writes()).toEqual([]);
  });
});

it('a refusal that stays with its key says so, the first time and again: what mends it needs another key', async () => {
  const { context, tools } = open();
  node.on('POST /v1/transfer', { status: 403, body: { error: 'too much', code: 'trust_limit_exceeded' } });
  const pay = async () => {
    const transfer = tools.find(({ name }) => name === 'transfer')!;
    const args = { to: 'bob', amount: '0.00005', idempotency_key: 'k' };
    const result = await callTool(transfer, args, context, () => {});
    return result.structuredContent as { error: { code: string }; next: string };
  };
  const first = await pay();
  expect(first).toMatchObject({ error: { code: 'trust_limit_exceeded' } });
  expect(first.next).toMatch(/^Transfers .*stake more.* choose a new one\.$/);
  node.on('POST /v1/transfer', { body: {} });
  expect(await pay()).toEqual(first);

  const register = tools.find(({ name }) => name === 'register')!;
  node.on('POST /v1/agents', { status: 409, body: { error: 'there', code: 'already_registered' } });
  const { structuredContent } = await callTool(register, {}, context, () => {});
  expect(structuredContent.next).toBe('Nothing to do: whoami shows the account.');
});

describe('a transfer that is asked for again', () => {
  const PAID = { event_id: 'e', to_agent: 'bob', amount: 50, balance: 7, status: 'optimistic', deadline: 1 };
  /** The same call, and the event that the node has by then. */
  async function pay(context: ReturnType<typeof open>, event: object) {
    const transfer = context.tools.find(({ name }) => name === 'transfer')!;
    node.on('POST /v1/transfer', ({ txid }) => {
      node.on(`GET /v1/events/${txid}`, event);
      return { body: PAID };
    });
    const txid = node.writes()[0]?.txid;
    if (txid !== undefined) node.on(`GET /v1/events/${txid}`, event);
    const args = { to: 'bob', amount: '0.00005', idempotency_key: 'k' };
    return (await callTool(transfer, args, context.context, () => {})).structuredContent;
  }

  it('says what became of it, not what the first answer said', async () => {
    const context = open();
    const optimistic = { body: { settlement_state: 'optimistic' } };
    expect(await pay(context, optimistic)).toMatchObject({ state: 'pending', balance: { micro: 7 } });
    const settled = await pay(context, {
      body: { settlement_state: 'settled', settlement_reason: 'verified' },
    });
    expect(settled).toMatchObject({ state: 'settled', amount: { micro: 50 } });
    expect(settled).not.toHaveProperty('balance');
    for (const settlement_reason of ['rejected', 'expired']) {
      const body = { settlement_state: 'adjusted', settlement_reason };
      const returned = await pay(context, { body });
      expect(returned).toMatchObject({ state: 'returned', reason: settlement_reason });
      expect(returned.next).toContain('nothing was paid');
    }
    expect(node.writes().length).toBe(1);
  });

  it('is pending as far as anybody knows where its event cannot be read', async () => {
    const context = open();
    for (const event of [
      { hangUp: true },
      { status: 404, body: { error: 'none', code: 'event_not_found' } },
    ]) {
      expect(await pay(context, event)).toMatchObject({ state: 'pending' });
    }
  });
});
