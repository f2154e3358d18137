// vws export before it has anything to export: what it waits for, and what ends it.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { FakeIo, vws } from '../harness.ts';

const HASH = 'ab'.repeat(32);

/** Answers /v1/genesis with this network. */
function nodeOf(genesis_hash: string): Server {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ genesis_hash }));
  });
  onTestFinished(() => void server.close());
  return server;
}

const listening = (server: Server, port: number): Promise<number> =>
  new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

const command = (port: number, ...more: string[]): string[] =>
  `export --to postgres://nobody@127.0.0.1:1/none --trust-stream --genesis ${HASH} --node http://127.0.0.1:${port}`
    .split(' ')
    .concat(more);

/** Where nobody listens. */
async function freePort(): Promise<number> {
  const server = nodeOf('');
  const port = await listening(server, 0);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it('waits for a node that starts after it, as when a machine starts', { timeout: 60_000 }, async () => {
  const port = await freePort();
  const io = new FakeIo();
  const running = vws(command(port), { io });
  while (!io.stderr.includes('asked again')) await new Promise((next) => setTimeout(next, 50));
  await listening(nodeOf('cd'.repeat(32)), port);
  // The node was asked: it is of another network.
  expect(await running).toMatchObject({ code: 10, err: expect.stringContaining('DIFFERS') });
  expect(io.errLines.filter((line) => line.includes('asked again'))).toHaveLength(1);
});

it('does not wait with --once', { timeout: 60_000 }, async () => {
  const { code, err } = await vws(command(await freePort(), '--once'));
  expect([code, err]).toEqual([5, expect.stringContaining('error: ')]);
});
