// The node's /mcp, with clients of both generations of the MCP library and with requests by hand.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Agent, call, TOKEN } from './agent.ts';
import { done, ERAS, type McpClient, overHttp, REVISIONS, refused } from './mcp-clients.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
const clients: McpClient[] = [];
let port = 0;
let node = '';
beforeAll(async () => {
  ({ port } = await bed.start({ dataDir: await bed.directory() }));
  node = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await bed.close();
});

describe.each(ERAS)('/mcp of a node with a %s client', (era) => {
  it('offers the reading tools', async () => {
    const client = await overHttp(era, `${node}/mcp`);
    clients.push(client);
    expect(client.revision).toBe(REVISIONS[era]);
    const tools = await client.tools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['status', 'balance', 'find_workers', 'find_tasks', 'get_task', 'get_result'],
    ]);
    expect(tools.every((tool) => tool.annotations?.readOnlyHint === true)).toBe(true);
    const carol = await new Agent(port).register({ initial_stake: TOKEN });
    const { id } = await carol.do('/v1/tasks', { title: 'Paint a hull', budget: TOKEN });
    expect((await done(client, 'status')).chain_id).toBe('vws-testnet-1');
    expect(await done(client, 'get_task', { task_id: id })).toMatchObject({
      task_id: id,
      poster_id: carol.id,
    });
    expect((await done(client, 'find_tasks', { poster_id: carol.id })).tasks.length).toBe(1);
    expect((await done(client, 'balance', { agent_id: carol.id })).staked.micro).toBe(TOKEN);
    expect((await refused(client, 'get_task', { task_id: 'f'.repeat(32) })).error.code).toBe(
      'task_not_found',
    );
    expect((await refused(client, 'balance')).error.code).toBe('invalid_request');
    expect((await refused(client, 'balance', { agent_id: '\ud800' })).error.code).toBe('bad_call');
    expect((await refused(client, 'balance', { agent_id: '..' })).error.code).toBe('bad_call');
    await expect(client.call('transfer', {})).rejects.toThrow(/Unknown tool/);
  });
});

describe('/mcp of a node', () => {
  const MESSAGE = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const post = (headers: Record<string, string>, message: unknown = MESSAGE) =>
    call(port, {
      method: 'POST',
      path: '/mcp',
      body: JSON.stringify(message),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    });

  it('refuses pages of others', async () => {
    expect((await post({})).status).toBe(200);
    expect((await post({ origin: node })).status).toBe(200);
    for (const origin of ['http://evil.example', 'null', `http://127.0.0.1:${port + 1}`]) {
      const { status, body } = await post({ origin });
      expect([status, body.code]).toEqual([403, 'origin_not_allowed']);
    }
  });

  it('takes one message a request, and no other method', async () => {
    const batch = await post({}, [MESSAGE, MESSAGE]);
    expect([batch.status, batch.body.error.code]).toEqual([400, -32600]);
    expect((await call(port, { method: 'GET', path: '/mcp' })).status).toBe(405);
    expect((await post({}, { ...MESSAGE, params: { x: 'x'.repeat(20_000) } })).status).toBe(413);
  });
});
