// A call that its client has given up costs the node nothing more.

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { builtPath } from '../../tools/load/built.ts';
import { FakeNode } from '../host/client/fake-node.ts';

const ID = '42'.repeat(16);
const TASK = { id: ID, status: 'open', success_criteria: [], tags: [], contract: { required_checks: [] } };

let node: FakeNode;
beforeEach(async () => {
  node = await FakeNode.start();
  node.on(`GET /v1/tasks/${ID}`, { body: { ...TASK, poster_id: 'bob', category: 'data', title: 'x' } });
});
afterEach(() => node.stop());

const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it.each(['auto', 'legacy'] as const)('wait_for_task ends when a %s client cancels it', async (mode) => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [builtPath('host/cli/main.js'), 'mcp', '--node', node.url],
      env: { PATH: process.env.PATH ?? '' },
      stderr: 'ignore',
    }),
  );
  const stop = new AbortController();
  const call = { name: 'wait_for_task', arguments: { task_id: ID, timeout_secs: 30 } };
  const waiting = client.callTool(call, { signal: stop.signal }).catch(() => 'cancelled');
  while (node.received.length < 2) await passed(20);
  stop.abort();
  expect(await waiting).toBe('cancelled');
  await passed(300);
  const before = node.received.length;
  await passed(2_500);
  expect(node.received.length).toBe(before);
  await client.close();
});
