// `npm run load` where it cannot begin: one line that says why, and exit code 1.

import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtPath } from '../../../tools/load/built.ts';

/** Says which network it is of, and refuses every write. */
const fakeNode = async (genesis: string): Promise<Server> => {
  const server = createServer(({ url }, response) => {
    const isStatus = url === '/v1/status';
    const answer = isStatus
      ? { chain_id: 'vws-testnet-1', genesis_hash: genesis }
      : { code: 'rate_limited', error: 'too many registrations' };
    const body = JSON.stringify(answer);
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    response.writeHead(isStatus ? 200 : 429, headers).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
};
const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const load = (...nodes: string[]): Promise<{ code: unknown; err: string }> =>
  new Promise((done) => {
    const args = [builtPath('tools/load.js'), ...nodes.flatMap((node) => ['--node', node]), '--seconds', '1'];
    execFile(process.execPath, args, (error, _, err) => done({ code: error?.code ?? 0, err }));
  });

let servers: Server[];
beforeAll(async () => {
  servers = await Promise.all(['aa', 'aa', 'bb'].map((pair) => fakeNode(pair.repeat(32))));
});
afterAll(() => {
  for (const server of servers) server.close();
});

it('names a later node that does not answer', async () => {
  const { code, err } = await load(urlOf(servers[0]!), 'http://127.0.0.1:9');
  expect(code).toBe(1);
  expect(err).toMatch(/^error: http:\/\/127\.0\.0\.1:9 does not answer: .*\n$/);
});

it('names a node of another network', async () => {
  const { code, err } = await load(...servers.map(urlOf));
  expect(code).toBe(1);
  expect(err).toBe(
    `error: ${urlOf(servers[2]!)} is of another network (genesis ${'bb'.repeat(32)}) than ${urlOf(servers[0]!)}\n`,
  );
});

it('says that a node registers no agents', async () => {
  const { code, err } = await load(urlOf(servers[0]!));
  expect(code).toBe(1);
  expect(err).toMatch(/^error: 127\.0\.0\.1:\d+ does not register an agent: 429 \{.*rate_limited.*\}\n$/);
});
