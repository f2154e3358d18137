// Webhooks of a real node to a receiver on loopback: delivery, retries over a restart, cancelling (DECISIONS 10).

import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { Agent, get, type Json, TOKEN, until } from './agent.ts';
import { Testbed } from './testbed.ts';

const OPEN = { SERVICE_WEBHOOK_ALLOW_PRIVATE: 'true' };

interface Call {
  headers: IncomingHttpHeaders;
  raw: string;
  body: Json;
}

const bed = new Testbed();
const closing: (() => void)[] = [];
afterAll(async () => {
  for (const close of closing) close();
  await bed.close();
});

/** `status(n)`: answer to the n-th call, from 0. */
async function receiver(status: (n: number) => number): Promise<{ url: string; calls: Call[] }> {
  const calls: Call[] = [];
  const server = createServer((req, res) => {
    let raw = '';
    req.on('data', (chunk) => {
      raw += chunk;
    });
    req.on('end', () => {
      res.writeHead(status(calls.length)).end();
      calls.push({ headers: req.headers, raw, body: JSON.parse(raw) });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`, calls };
}

const arrived = (calls: Call[], count: number): Promise<number> =>
  until(
    async () => calls.length,
    (n) => n >= count,
  );

/** A poster and a worker, to whom the poster's task is routed. */
async function route(port: number, url: string): Promise<{ worker: Agent; poster: Agent; task: Json }> {
  const [poster, worker] = await Promise.all([new Agent(port).register(), new Agent(port).register()]);
  await worker.do('/v1/router/register', {
    categories: ['hooks'],
    webhook_url: url,
    webhook_secret: 'whsec',
  });
  const task = await poster.do('/v1/tasks', {
    title: 'A task',
    description: 'what to do',
    category: 'hooks',
    budget: TOKEN,
  });
  return { worker, poster, task };
}

const deliveries = async (port: number, result: string): Promise<number> => {
  const text: string = (await get(port, '/metrics')).body;
  const line = text.split('\n').find((l) => l.startsWith(`vws_webhook_deliveries_total{result="${result}"}`));
  return Number(line?.split(' ')[1] ?? 0);
};

describe('a webhook', () => {
  it('comes again after a restart with the same id and body, and is signed each time', async () => {
    const hook = await receiver((n) => (n < 2 ? 500 : 204));
    const options = { dataDir: await bed.directory(), env: OPEN };
    let node = await bed.start(options);
    const { worker, poster, task } = await route(node.port, hook.url);
    await arrived(hook.calls, 1);
    await until(
      () => deliveries(node.port, 'retry'),
      (n) => n === 1,
    );
    await node.stop();
    node = await bed.start(options);
    // Stored as failed once: due 5 s after that attempt, and the next one 30 s later.
    await arrived(hook.calls, 2);
    const [first, second] = hook.calls as [Call, Call];
    expect(second.raw).toBe(first.raw);
    expect(second.headers['x-service-delivery']).toBe(first.headers['x-service-delivery']);
    for (const { headers, raw } of hook.calls) {
      const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature']))!;
      expect(v1).toBe(createHmac('sha256', 'whsec').update(`${t}.${raw}`).digest('hex'));
    }
    expect(first.body).toEqual({
      event: 'task_assigned',
      delivery_id: first.headers['x-service-delivery'],
      task_id: task.id,
      agent_id: worker.id,
      task: {
        id: task.id,
        title: 'A task',
        description: 'what to do',
        category: 'hooks',
        poster_id: poster.id,
        budget: TOKEN,
        status: 'open',
      },
      issued_at: expect.any(Number),
    });
    const event = (await get(node.port, `/v1/events/${first.body.delivery_id}`)).body;
    expect(event).toMatchObject({
      event_type: 'task_routed',
      timestamp: first.body.issued_at,
      payload: { task_id: task.id, routed_to: worker.id },
    });
    const [shown] = (await get(node.port, '/v1/router/routes')).body;
    expect(shown).toMatchObject({ task_id: task.id, agent_id: worker.id, routed_at: first.body.issued_at });
  }, 60_000);

  it('is not sent any more once the task is cancelled', async () => {
    const hook = await receiver(() => 500);
    const { port } = await bed.start({ dataDir: await bed.directory(), env: OPEN });
    const { poster, task } = await route(port, hook.url);
    await arrived(hook.calls, 1);
    await poster.do(`/v1/tasks/${task.id}/cancel`);
    await new Promise((resolve) => setTimeout(resolve, 6500));
    expect(hook.calls).toHaveLength(1);
    expect(await deliveries(port, 'dropped')).toBe(0);
  }, 60_000);

  it('to a name that is this machine is blocked and counted', async () => {
    const hook = await receiver(() => 200);
    const { port } = await bed.start({ dataDir: await bed.directory() });
    await route(port, hook.url.replace('127.0.0.1', 'localhost'));
    await until(
      () => deliveries(port, 'blocked'),
      (n) => n === 1,
    );
    expect(hook.calls).toHaveLength(0);
  }, 60_000);
});
