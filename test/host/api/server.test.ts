// The server around a handler that fails: no exception leaves it, and the answer does not reveal the cause.

import { expect, it } from 'vitest';
import { Server, type ServerOptions } from '../../../host/api/server.ts';
import { ServiceError } from '../../../host/errors.ts';
import { NOTHING_HIDDEN } from '../../../host/views/hidden.ts';
import type { HttpReply, HttpRequest } from '../../../host/world/http.ts';
import { openBudget } from './charges.ts';

const { budget } = openBudget();
const SECRET = 'the disk at /srv/secret is on fire';

const handlers: Record<string, () => unknown> = {
  '/throws': () => {
    throw new Error(SECRET);
  },
  '/rejects': () => ({ body: Promise.reject(new Error(SECRET)) }),
};

it.each(Object.keys(handlers))('GET %s is 500 internal without the cause, which is logged', async (path) => {
  const logged: unknown[] = [];
  const counted: string[] = [];
  const server = new Server({
    routes: [
      { method: 'GET', path, id: 'pages_home', summary: 's', reply: 'Status', handle: handlers[path] },
    ],
    costs: { read: budget, page: budget },
    reads: { hidden: NOTHING_HIDDEN, ordersBehind: () => undefined },
    clientIp: { of: () => '127.0.0.1' },
    corsOrigins: [],
    files: { find: () => undefined, has: () => false },
    sequencer: { busy: undefined, order: 7 },
    metrics: { request() {}, error: (code: string) => counted.push(code) },
    log: { debug() {}, error: (entry: unknown) => logged.push(entry) },
    clock: { monotonicMs: () => 0, soon: setImmediate },
  } as unknown as ServerOptions);
  const request = { method: 'GET', path, query: '', header: () => undefined, body: Buffer.alloc(0) };
  const reply = await new Promise<HttpReply>((send) =>
    server.handle(request as unknown as HttpRequest, send),
  );
  expect([reply.status, JSON.parse(reply.body as string)]).toEqual([
    500,
    { error: 'internal error', code: 'internal' },
  ]);
  expect(logged).toEqual([{ request: 1, method: 'GET', route: path, err: expect.any(Error) }]);
  expect(counted).toEqual(['internal']);
});

it.each([
  [{}, '12', '12'],
  [{ exempt: true }, '12', undefined],
  [{}, undefined, undefined],
])('a read %j of a node that is %s orders behind says so: %s', async (more, behind, expected) => {
  const server = new Server({
    routes: [
      {
        method: 'GET',
        path: '/a',
        id: 'pages_home',
        summary: 's',
        reply: 'Status',
        handle: () => ({ body: 1 }),
        ...more,
      },
    ],
    reads: {
      hidden: NOTHING_HIDDEN,
      ordersBehind: () => (behind === undefined ? undefined : Number(behind)),
    },
    costs: { read: budget, page: budget },
    clientIp: { of: () => '127.0.0.1' },
    corsOrigins: [],
    files: { find: () => undefined, has: () => false },
    sequencer: { busy: undefined, order: 7 },
    metrics: { request() {} },
    log: { debug() {} },
    clock: { monotonicMs: () => 0, soon: setImmediate },
  } as unknown as ServerOptions);
  const request = { method: 'GET', path: '/a', query: '', header: () => undefined, body: Buffer.alloc(0) };
  const reply = await new Promise<HttpReply>((send) =>
    server.handle(request as unknown as HttpRequest, send),
  );
  expect(reply.headers['X-Service-Behind']).toBe(expected);
});

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

it.each([
  [TRACE, TRACE, '4bf92f3577b34da6a3ce929d0e0e4736'],
  [`${TRACE}-more`, undefined, undefined],
  ['00-00000000000000000000000000000000-00f067aa0ba902b7-01', undefined, undefined],
  ['x\r\nSet-Cookie: a=b', undefined, undefined],
  [undefined, undefined, undefined],
])(
  'a request with the traceparent %j is answered with %s, and logged by its trace',
  async (given, echoed, id) => {
    const logged: Record<string, unknown>[] = [];
    const server = new Server({
      routes: [
        {
          method: 'GET',
          path: '/a',
          id: 'pages_home',
          summary: 's',
          reply: 'Status',
          handle: () => ({ body: 1 }),
        },
      ],
      reads: { hidden: NOTHING_HIDDEN, ordersBehind: () => undefined },
      costs: { read: budget, page: budget },
      clientIp: { of: () => '127.0.0.1' },
      corsOrigins: [],
      files: { find: () => undefined, has: () => false },
      sequencer: { busy: undefined, order: 7 },
      metrics: { request() {}, error() {} },
      log: { debug: (entry: Record<string, unknown>) => logged.push(entry) },
      clock: { monotonicMs: () => 0, soon: setImmediate },
    } as unknown as ServerOptions);
    // A refusal carries it, too.
    for (const path of ['/a', '/nowhere']) {
      const header = (name: string) => (name === 'traceparent' ? given : undefined);
      const request = { method: 'GET', path, query: '', header, body: Buffer.alloc(0) };
      const reply = await new Promise<HttpReply>((send) =>
        server.handle(request as unknown as HttpRequest, send),
      );
      expect(reply.headers.traceparent).toBe(echoed);
    }
    expect(logged.map((entry) => entry.trace_id)).toEqual([id, id]);
  },
);

it('an answer names the order that it is of, and how far behind that is, whatever the answers before named', async () => {
  const node = { busy: undefined, order: 7 };
  let behind: number | undefined;
  const list = { path: '/list', handle: () => ({ body: [1], total: 1 }) };
  const text = { path: '/text', handle: () => ({ body: 'a', contentType: 'text/plain' }) };
  const missing = {
    path: '/missing',
    handle: () => {
      throw new ServiceError('task_not_found');
    },
  };
  const one = { path: '/one', handle: () => ({ body: node.order }) };
  const server = new Server({
    routes: [one, list, text, missing].map((route) => ({ method: 'GET', summary: 's', ...route })),
    reads: { hidden: NOTHING_HIDDEN, ordersBehind: () => behind },
    costs: { read: budget, page: budget },
    clientIp: { of: () => '127.0.0.1' },
    files: { find: () => undefined, has: () => false },
    sequencer: node,
    metrics: { request() {}, error() {} },
    log: { debug() {} },
    clock: { monotonicMs: () => 0, soon: setImmediate },
  } as unknown as ServerOptions);
  const get = (path: string): Promise<HttpReply> => {
    const request = { method: 'GET', path, query: '', header: () => undefined, body: Buffer.alloc(0) };
    return new Promise((send) => server.handle(request as unknown as HttpRequest, send));
  };
  for (const [order, ordersBehind] of [[7], [7], [8], [8, 3], [8, 2], [8], [9]] as const) {
    node.order = order;
    behind = ordersBehind;
    for (const path of ['/one', '/list', '/text', '/missing', '/one']) {
      const { body, headers } = await get(path);
      expect(headers).toMatchObject({ 'X-Service-Order': String(order), 'Access-Control-Allow-Origin': '*' });
      expect(headers['X-Service-Behind']).toBe(ordersBehind === undefined ? undefined : String(ordersBehind));
      expect(headers['Content-Type']).toMatch(path === '/text' ? /^text\/plain$/ : /^application\/json/);
      expect(headers['X-Total-Count']).toBe(path === '/list' ? '1' : undefined);
      if (path === '/one') expect(body).toBe(String(order));
    }
  }
});
