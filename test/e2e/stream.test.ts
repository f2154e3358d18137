// The event stream of a real node (protocol 9, pitfall O4), on both HTTP drivers.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { checkObject } from '../../host/api/object-schema.ts';
import { STREAM_DATA } from '../../host/api/stream-events.ts';
import { followEvents, type SocketLike } from '../../host/client/index.ts';
import { requestBytes } from '../../tools/load/connection.ts';
import { drive, expectStatus } from '../../tools/load/drive.ts';
import type { NodeProcess } from '../../tools/load/node-process.ts';
import { freePort } from '../../tools/localnet/free-ports.ts';
import { Agent, get, TOKEN, until } from './agent.ts';
import { Stream } from './stream-client.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
afterAll(() => bed.close());

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);
const headOf = async (port: number): Promise<number> =>
  (await get(port, '/v1/events/recent?limit=1')).body[0].seq;
const metric = async (port: number, name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec((await get(port, '/metrics')).body)?.[1]);

/** Unsigned writes of a node that takes them, many at once. */
async function flood(port: number, count: number, to: string): Promise<void> {
  const body = JSON.stringify({ to_agent: to, amount: 1, memo: 'm'.repeat(256) });
  const headers = { 'content-type': 'application/json' };
  const bytes = requestBytes({ method: 'POST', path: '/v1/transfer', headers, body });
  const driven = await drive({ port, connections: 64, count, request: () => bytes, mostMs: 60_000 });
  expectStatus(driven, 201);
  expect(driven.answered).toBe(count);
}

describe.each(['uws', 'node'])('the stream, driver %s', (driver) => {
  let node: NodeProcess;
  let port: number;
  let alice: Agent;
  let bob: Agent;
  const env = { SERVICE_API_DRIVER: driver, SERVICE_TRUSTED_PROXIES: '127.0.0.1' };
  const from = (address: string): Record<string, string> => ({ 'X-Forwarded-For': address });

  beforeAll(async () => {
    node = await bed.start({ dataDir: await bed.directory(), env });
    port = node.port;
    alice = await new Agent(port).register({ initial_stake: 1000 * TOKEN });
    bob = await new Agent(port).register();
  });

  it('sends every event once, in order, equal to the detail of the event and to the table', async () => {
    const top = await headOf(port);
    const stream = await Stream.open(port);
    const paid = await alice.do('/v1/transfer', { to_agent: bob.id, amount: 5, memo: 'hi' });
    const claimed = await bob.do('/v1/generation', { claimed_value: 7, evidence_hash: 'e' });
    const operator = node.agentId;
    await alice.do('/v1/stake', { amount: 3 });
    await bob.do('/v1/faucet');
    const key = await bob.do('/v1/platform/keys', { name: 'k' });
    await stream.event(key.event_id);
    expect(stream.seqs).toEqual(range(top + 1, top + 5));
    const transfer = stream.messages.find((m) => m.data.event_id === paid.event_id);
    expect(transfer.data).toEqual({
      event_id: paid.event_id,
      agent_id: alice.id,
      from: alice.id,
      to: bob.id,
      amount: 5,
      memo: 'hi',
      deadline: paid.deadline,
      settlement_state: 'optimistic',
    });
    expect(stream.messages.find((m) => m.data.event_id === claimed.event_id).data.beneficiary).toBe(bob.id);
    for (const message of stream.messages) {
      expect(checkObject('StreamMessage', message)).toEqual([]);
      const members = Object.keys(STREAM_DATA[message.type as keyof typeof STREAM_DATA]);
      const extra = Object.keys(message.data).filter((name) => !members.includes(name));
      expect(extra.sort(), message.type).toEqual(['agent_id', 'event_id']);
      const { body } = await get(port, `/v1/events/${message.data.event_id}`);
      const { seq, event_type: type, timestamp, agent_id } = body;
      expect({ seq, type, timestamp, agent_id }).toEqual({
        seq: message.seq,
        type: message.type,
        timestamp: message.timestamp,
        agent_id: message.data.agent_id,
      });
    }
    expect(operator).not.toBe('');
    stream.close();
  });

  it('sends the same later, through a filter, and when resumed in the middle of writes', async () => {
    const all = await Stream.open(port, '?since=0');
    const stakes = await Stream.open(port, '?since=0&filter=stake,%20faucet_grant');
    const writes = Promise.all(
      range(1, 10).map(async (i) => {
        for (let k = 0; k < 20; k++) await (i % 2 ? alice : bob).do('/v1/stake', { amount: i + k + 1 });
      }),
    );
    await until(
      () => headOf(port),
      (seq) => seq > 60,
    );
    const middle = await Stream.open(port, '?since=5');
    await writes;
    const top = await headOf(port);
    for (const stream of [all, middle, stakes]) await stream.until((s) => s.seqs.at(-1) === top);
    expect(all.seqs).toEqual(range(1, top));
    expect(all.messages[0].type).toBe('genesis');
    expect(middle.messages).toEqual(all.messages.slice(5));
    const wanted = all.messages.filter((m) => ['stake', 'faucet_grant'].includes(m.type));
    expect(stakes.messages).toEqual(wanted);
    for (const stream of [all, middle, stakes]) stream.close();
  });

  it('sends a gap when since is above the head', async () => {
    const top = await headOf(port);
    const stream = await Stream.open(port, `?since=${top + 50}`);
    await stream.until((s) => s.messages.length === 1);
    const [gap] = stream.messages;
    expect(gap).toEqual({
      seq: top,
      type: 'gap',
      timestamp: gap.timestamp,
      data: { from: top + 50, to: top },
    });
    expect(Math.abs(gap.timestamp - Date.now() / 1000)).toBeLessThan(60);
    const { event_id } = await alice.do('/v1/stake', { amount: 1 });
    expect((await stream.event(event_id)).seq).toBe(top + 1);
    stream.close();
  });

  it('refuses a bad since before it opens, and an ordinary request', async () => {
    for (const since of ['-1', 'x', '1.5', '']) {
      const { status, body } = await Stream.refusal(port, `?since=${since}`);
      expect([since, status, body.code]).toEqual([since, 400, 'invalid_request']);
    }
    const plain = await get(port, '/v1/ws');
    expect([plain.status, plain.body.code]).toEqual([426, 'upgrade_required']);
    expect(plain.headers.get('upgrade')).toBe('websocket');
  });

  it('accepts 20 streams from an address, also behind trusted proxies, and frees the place of one that ends', async () => {
    const mine = await Promise.all(range(1, 20).map(() => Stream.open(port, '', from('192.0.2.1'))));
    const { status, body, headers } = await Stream.refusal(port, '', from('192.0.2.1'));
    expect([status, body.code]).toEqual([503, 'too_many_streams']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    const other = await Stream.open(port, '', from('192.0.2.2'));
    expect(await metric(port, 'vws_ws_connections')).toBe(21);
    mine[0]!.close();
    await until(
      () => metric(port, 'vws_ws_connections'),
      (count) => count === 20,
    );
    mine.push(await Stream.open(port, '', from('192.0.2.1')));
    for (const stream of [...mine, other]) stream.close();
    await until(
      () => metric(port, 'vws_ws_connections'),
      (count) => count === 0,
    );
  });

  it('does not count towards the reads of an address', async () => {
    const limits = { ...env, SERVICE_RATE_LIMITS: 'on' };
    const limited = await bed.start({ dataDir: await bed.directory(), env: limits });
    for (let i = 0; i < 600; i++) {
      expect((await Stream.refusal(limited.port, '?since=x', from('192.0.2.3'))).status).toBe(400);
      if (i % 100 === 0) expect((await get(limited.port, '/v1/status')).status).toBe(200);
    }
    await limited.stop();
  });

  it('ends a client that sends more than 1 KiB with 1009, and ignores smaller frames', async () => {
    const stream = await Stream.open(port);
    stream.ws.send('{"subscribe":"all"}');
    const { event_id } = await alice.do('/v1/stake', { amount: 1 });
    await stream.event(event_id);
    stream.ws.send('x'.repeat(2000));
    await stream.until((s) => s.code !== undefined);
    expect(stream.code).toBe(1009);
  });

  it('ends with 1001 at shutdown; a client resumes after the next start without a gap', async () => {
    const dataDir = await bed.directory();
    // The same address again, as an operator restarts a node.
    const again = { dataDir, env: { ...env, SERVICE_API: `127.0.0.1:${await freePort()}` } };
    const first = await bed.start(again);
    const agent = await new Agent(first.port).register();
    const stream = await Stream.open(first.port);
    const seqs: number[] = [];
    const control = new AbortController();
    const following = (async () => {
      const openSocket = (url: string) => new WebSocket(url) as unknown as SocketLike;
      const baseUrl = `http://127.0.0.1:${first.port}`;
      for await (const { seq } of followEvents({ baseUrl, since: 0, openSocket, signal: control.signal })) {
        seqs.push(seq);
      }
    })();
    for (let i = 0; i < 10; i++) await agent.do('/v1/stake', { amount: 1 });
    await first.stop();
    await stream.until((s) => s.code !== undefined);
    expect(stream.code).toBe(1001);
    await bed.start(again);
    for (let i = 0; i < 10; i++) await agent.do('/v1/stake', { amount: 1 });
    const top = await headOf(first.port);
    await until(
      async () => seqs.at(-1),
      (seq) => seq === top,
      30_000,
    );
    expect(seqs).toEqual(range(1, top));
    control.abort();
    await following;
  });

  it('closes a client that does not read with 1013 and skips nothing before that; other clients get everything', async () => {
    const open = await bed.start({ dataDir: await bed.directory(), env, flags: ['--no-auth'] });
    const receiver = await new Agent(open.port).register();
    const top = await headOf(open.port);
    const [slow, quick] = [await Stream.open(open.port), await Stream.open(open.port)];
    slow.ws.pause();
    let written = 0;
    while ((await metric(open.port, 'vws_ws_slow_consumers_total')) === 0) {
      if (written >= 60_000) throw new Error('60,000 events were not too many');
      await flood(open.port, 2000, receiver.id);
      written += 2000;
    }
    slow.ws.resume();
    await slow.until((s) => s.code !== undefined);
    expect(slow.code).toBe(1013);
    expect(slow.seqs).toEqual(range(top + 1, top + slow.seqs.length));
    expect(slow.seqs.length).toBeLessThan(written - 1024);
    await quick.until((s) => s.messages.length >= written);
    expect(quick.seqs).toEqual(range(top + 1, top + written));
    // It goes on where it was.
    const since = slow.seqs.at(-1)!;
    const resumed = await Stream.open(open.port, `?since=${since}`);
    await resumed.until((s) => s.seqs.at(-1) === top + written);
    expect(resumed.seqs).toEqual(range(since + 1, top + written));
    expect(await metric(open.port, 'vws_ws_slow_consumers_total')).toBe(1);
    expect(await metric(open.port, 'vws_ws_messages_total')).toBeGreaterThanOrEqual(2 * written);
    await open.stop();
  });
});
