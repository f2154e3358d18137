// A POST that only reads: whom it is charged to, when, and how it fails.

import { expect, it } from 'vitest';
import type { ExchangeRoute } from '../../../host/api/route.ts';
import { Server, type ServerOptions } from '../../../host/api/server.ts';
import { ServiceError } from '../../../host/errors.ts';
import { NOTHING_HIDDEN } from '../../../host/views/hidden.ts';
import type { HttpReply, HttpRequest } from '../../../host/world/http.ts';
import { type Budgeted, openBudget } from './charges.ts';

type Exchange = ExchangeRoute<unknown>['exchange'];
const ROUTE = { method: 'POST', path: '/x', tag: 't', summary: 's', reply: 'json', maxBodyBytes: 100 };

function serverOf({ budget }: Budgeted, exchange: Exchange): Server {
  return new Server({
    routes: [{ ...ROUTE, exchange }],
    costs: { read: budget },
    reads: { hidden: NOTHING_HIDDEN },
    clientIp: { of: () => '10.0.0.1', isTrusted: () => false },
    corsOrigins: [],
    files: { find: () => undefined, has: () => false },
    sequencer: { busy: undefined, order: 7 },
    metrics: { request() {}, error() {} },
    log: { debug() {}, error() {} },
    isLimited: true,
    clock: { monotonicMs: () => 0, soon: setImmediate },
  } as unknown as ServerOptions);
}

const post = (server: Server): Promise<HttpReply> =>
  new Promise((send) => {
    const request = { method: 'POST', path: '/x', query: '', header: () => undefined, body: Buffer.alloc(0) };
    server.handle(request as unknown as HttpRequest, send);
  });

it('is charged to the reads of its address until the answer is there, and then refused', async () => {
  const budgeted = openBudget('read');
  const server = serverOf(budgeted, async () => {
    await new Promise(setImmediate);
    budgeted.time.ms += 90;
    return { body: { done: true } };
  });
  const statuses: number[] = [];
  for (let i = 0; i < 9; i++) statuses.push((await post(server)).status);
  expect(budgeted.cost.ms).toBeGreaterThan(90 * statuses.filter((status) => status === 200).length);
  expect(statuses[0]).toBe(200);
  expect(statuses.at(-1)).toBe(429);
  budgeted.time.ms += 60_000;
  expect((await post(server)).status).toBe(200);
});

it('that fails is an error like any other, and is charged', async () => {
  const budgeted = openBudget('read');
  const refusing = serverOf(budgeted, async () => {
    budgeted.time.ms += 40;
    throw new ServiceError('origin_not_allowed');
  });
  expect((await post(refusing)).status).toBe(403);
  expect(budgeted.cost.ms).toBeGreaterThanOrEqual(40);
  const failing = serverOf(budgeted, async () => {
    throw new Error('secret');
  });
  const reply = await post(failing);
  expect([reply.status, String(reply.body).includes('secret')]).toEqual([500, false]);
});

it('has its own largest body', () => {
  expect(serverOf(openBudget(), async () => ({ body: 1 })).maxBodyBytes('POST', '/x')).toBe(100);
});
