// Webhooks of a real node to a receiver on loopback: delivery, retries over a restart, cancelling, sealed secrets
// (protocol 10).

import { createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sealWebhookSecret, VwsClient } from '../../host/client/index.ts';
import { toHex } from '../../host/wire/bytes.ts';
import { openStore } from '../../host/world/system/open-store.ts';
import { randomBytes } from '../../host/world/system/random.ts';
import { newSigner } from '../../tools/load/signed-writes.ts';
import { Agent, get, type Json, TOKEN, until } from './agent.ts';
import { everythingShown } from './market-cases.ts';
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

/** Checks the signature of a delivery as its receiver does. */
function expectSigned({ headers, raw }: Call, secret: string): void {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature']))!;
  expect(v1).toBe(createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex'));
}

/** All that a stopped node has on disk: its files as they are, and the rows of its store, which the files hold compressed. */
async function contents(dataDir: string): Promise<Buffer> {
  const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((f) => f.isFile());
  const parts = await Promise.all(files.map((f) => readFile(join(f.parentPath, f.name))));
  const store = await openStore(dataDir, 'auto', () => {});
  const everything = { gte: Uint8Array.of(0), lt: Uint8Array.of(255) };
  for await (const [key, value] of store.scan(everything)) parts.push(Buffer.from(key), Buffer.from(value));
  await store.close();
  return Buffer.concat(parts);
}

const deliveries = async (port: number, result: string): Promise<number> => {
  const text: string = (await get(port, '/metrics')).body;
  const line = text.split('\n').find((l) => l.startsWith(`vws_webhook_deliveries_total{result="${result}"}`));
  return Number(line?.split(' ')[1] ?? 0);
};

describe('a webhook', () => {
  it('is sent again after a restart with the same id and body, and signed each time', async () => {
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
    for (const call of hook.calls) expectSigned(call, 'whsec');
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

describe('a webhook secret encrypted by the client', () => {
  const TASK = { title: 'A task', category: 'sealed', budget: TOKEN };

  it('signs deliveries, and appears in plain text in no log, file, journal line or answer', async () => {
    const hook = await receiver((n) => (n === 0 ? 500 : 204));
    const dataDir = await bed.directory();
    const wrap = ['sh', '-c', `exec "$@" 2>> "${dataDir}.journal"`, 'sh'];
    const options = { dataDir, env: { ...OPEN, SERVICE_LOG_LEVEL: 'debug' }, wrap };
    let node = await bed.start(options);
    const { port } = node;
    const secret = `whsec_${toHex(randomBytes(16))}`;
    const [poster, worker] = [await new Agent(port).register(), newSigner()];
    const client = new VwsClient({ baseUrl: `http://127.0.0.1:${port}`, key: worker });
    await client.register({ agent_id: 'harbour-watch' });
    await client.market.register({
      categories: [TASK.category],
      webhook_url: hook.url,
      webhook_secret: secret,
    });
    await poster.do('/v1/tasks', TASK);
    await arrived(hook.calls, 1);
    await until(
      () => deliveries(port, 'retry'),
      (n) => n === 1,
    );
    const log = await fetch(`http://127.0.0.1:${port}/v1/log/vertices?epoch=0&from=0`);
    const vertices = Buffer.from(await log.arrayBuffer());
    const shown = Buffer.from(await everythingShown(port));
    await node.stop();
    // The delivery waits on disk for its second attempt.
    const waiting = await contents(dataDir);
    node = await bed.start(options);
    await arrived(hook.calls, 2);
    await node.stop();
    const journal = await readFile(`${dataDir}.journal`);
    const over = await contents(dataDir);

    for (const call of hook.calls) {
      expect(call.body.agent_id).toBe('harbour-watch');
      expectSigned(call, secret);
    }
    // What is looked into does hold the registration and the delivery, and what the node said.
    for (const bytes of [vertices, waiting, over]) expect(bytes.includes('vws-hook-v1:')).toBe(true);
    expect(waiting.includes('"attempts":1')).toBe(true);
    expect(shown.includes('harbour-watch')).toBe(true);
    expect(journal.includes('"msg":"ready"')).toBe(true);
    for (const bytes of [vertices, shown, journal, waiting, over]) {
      expect(bytes.includes(secret)).toBe(false);
    }
  }, 60_000);

  it('that the seat cannot decrypt stops the delivery: dropped, counted, and logged without the secret', async () => {
    const hook = await receiver(() => 204);
    const { dataDir, operator } = await bed.network();
    const node = await bed.start({ dataDir, env: OPEN });
    const { port } = node;
    const [poster, worker] = [await new Agent(port).register(), await new Agent(port).register()];
    const toOther = sealWebhookSecret(newSigner().publicKey, worker.id, 'whsec', randomBytes);
    const forOther = sealWebhookSecret(operator.publicKey, poster.id, 'whsec', randomBytes);
    const good = sealWebhookSecret(operator.publicKey, worker.id, 'whsec', randomBytes);
    let count = 0;
    for (const webhook_secret of [toOther, forOther]) {
      await worker.do('/v1/router/register', {
        categories: ['sealed'],
        webhook_url: hook.url,
        webhook_secret,
      });
      await poster.do('/v1/tasks', TASK);
      count++;
      await until(
        () => deliveries(port, 'dropped'),
        (n) => n === count,
      );
      expect(node.logged).not.toContain(webhook_secret);
    }
    expect(node.logged.match(/its encrypted secret cannot be decrypted/g)).toHaveLength(2);
    await worker.do('/v1/router/register', {
      categories: ['sealed'],
      webhook_url: hook.url,
      webhook_secret: good,
      max_concurrent: 3,
    });
    await poster.do('/v1/tasks', TASK);
    await arrived(hook.calls, 1);
    expect(hook.calls).toHaveLength(1);
    expectSigned(hook.calls[0]!, 'whsec');
  }, 60_000);
});
