// Which answers end their connection: those of addresses that go on asking for what they do not get, or for what nobody pays.

import { expect, it } from 'vitest';
import { FreeRequests, MAX_FREE_A_SECOND } from '../../../host/api/free-requests.ts';
import { Server, type ServerOptions } from '../../../host/api/server.ts';
import { rateLimited } from '../../../host/errors.ts';
import { NOTHING_HIDDEN } from '../../../host/views/hidden.ts';
import type { HttpReply, HttpRequest } from '../../../host/world/http.ts';

const PROXY = '10.0.0.9';
const ROUTE = { id: 'network_live', summary: 's', reply: 'Status', handle: () => ({ body: 1 }) };

/** A server whose budget is used up. */
function serverOf(isLimited = true): Server {
  const refuse = {
    open() {
      throw rateLimited(1000);
    },
  };
  return new Server({
    routes: [
      { ...ROUTE, method: 'GET', path: '/a' },
      { ...ROUTE, method: 'GET', path: '/free', exempt: true, isFree: true },
      {
        method: 'POST',
        path: '/x',
        id: 'pages_mcp',
        summary: 's',
        reply: 'json',
        exchange: async () => ({}),
      },
    ],
    costs: { read: refuse, page: refuse, write: refuse },
    reads: { hidden: NOTHING_HIDDEN, ordersBehind: () => undefined },
    clientIp: { of: () => '127.0.0.1', isTrusted: (address: string) => address === PROXY },
    corsOrigins: [],
    files: { find: () => undefined, has: () => false },
    sequencer: { busy: undefined, order: 7 },
    metrics: { request() {}, error() {} },
    log: { debug() {}, error() {} },
    isLimited,
    clock: { monotonicMs: () => 0, soon: setImmediate },
  } as unknown as ServerOptions);
}

const ask = (
  server: Server,
  method: string,
  path: string,
  remoteAddress = '127.0.0.1',
  length: string | undefined = '0',
) =>
  new Promise<[status: number, connection: string | undefined]>((resolve) => {
    const headers = length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': length };
    const header = (name: string): string | undefined =>
      Object.entries(headers).find(([own]) => own === name)?.[1];
    const request = { method, path, query: '', header, body: Buffer.alloc(0), remoteAddress };
    server.handle(request as unknown as HttpRequest, ({ status, headers }: HttpReply) =>
      resolve([status, headers.Connection]),
    );
  });

it('ends the connection with a refusal for cost, whatever body comes, but not where others share it', async () => {
  const server = serverOf();
  expect(await ask(server, 'GET', '/a')).toEqual([429, 'close']);
  expect(await ask(server, 'POST', '/x', '127.0.0.1', '16384')).toEqual([429, 'close']);
  // A chunked one may be empty.
  expect(await ask(server, 'POST', '/x', '127.0.0.1', undefined)).toEqual([429, 'close']);
  expect(await ask(server, 'GET', '/a', PROXY)).toEqual([429, undefined]);
});

it('answers what is free however often, and ends the connection beyond a number in a second', async () => {
  const server = serverOf();
  const asked: unknown[] = [];
  for (let n = 0; n < MAX_FREE_A_SECOND; n++) asked.push(await ask(server, 'GET', '/free'));
  expect(new Set(asked.map(String))).toEqual(new Set(['200,']));
  expect(await ask(server, 'GET', '/free')).toEqual([200, 'close']);
  // Without a body none ends a connection.
  expect(await ask(server, 'OPTIONS', '/a')).toEqual([200, 'close']);
  expect(await ask(server, 'GET', '/free', PROXY)).toEqual([200, undefined]);
  const unlimited = serverOf(false);
  for (let n = 0; n <= MAX_FREE_A_SECOND; n++)
    expect(await ask(unlimited, 'OPTIONS', '/a')).toEqual([204, undefined]);
});

it('counts by address and second', () => {
  const free = new FreeRequests();
  for (let n = 0; n < MAX_FREE_A_SECOND; n++) expect(free.isFlooded('a', 999)).toBe(false);
  expect([free.isFlooded('a', 999), free.isFlooded('b', 999)]).toEqual([true, false]);
  expect(free.isFlooded('a', 1000)).toBe(false);
});
