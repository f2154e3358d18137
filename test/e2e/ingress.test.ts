// A node whose requests are taken in by threads of their own (SERVICE_INGRESS): reads, writes, batches and streams are what
// they are without them, and a read on any connection sees what was acknowledged on another.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NodeProcess } from '../../tools/load/node-process.ts';
import { Agent, call, get, type Json, TOKEN } from './agent.ts';
import { Stream } from './stream-client.ts';
import { Testbed } from './testbed.ts';

const bed = new Testbed();
const env = { SERVICE_INGRESS: '2' };
let node: NodeProcess;
let port: number;
let alice: Agent;
let bob: Agent;
beforeAll(async () => {
  node = await bed.start({ dataDir: await bed.directory(), env });
  ({ port } = node);
  alice = await new Agent(port).register();
  bob = await new Agent(port).register();
});
afterAll(() => bed.close());

describe('a node with two threads for requests', () => {
  it('shows on every connection what was acknowledged on any', async () => {
    for (let i = 1; i <= 20; i++) {
      const { status, body } = await alice.post('/v1/stake', { amount: i });
      expect(status).toBe(200);
      const seen = await Promise.all(
        Array.from({ length: 4 }, () => get(port, `/v1/events/${body.event_id}`)),
      );
      expect(seen.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    }
  });

  it('judges signatures as any node: forged ones, other keys, another path', async () => {
    const signed = await alice.sign('POST', '/v1/transfer', { to_agent: bob.id, amount: 7 });
    const forged = [
      { ...signed, body: signed.body.replace('7', '8') },
      { ...signed, path: '/v1/stake' },
      { ...signed, headers: { ...signed.headers, 'X-Service-Actor': bob.id } },
    ];
    for (const one of forged) {
      const { status, body } = await call(port, one);
      expect([status, body.code]).toEqual([400, 'tx_signature_invalid']);
    }
    expect((await call(port, signed)).status).toBe(201);
    expect((await call(port, signed)).body.code).toBe('DUPLICATE_TX');
    const cut = await call(port, { ...signed, headers: { ...signed.headers, 'X-Service-Signature': 'aa' } });
    expect(cut.body.code).toBe('tx_signature_invalid');
  });

  it('takes batches in requests and in streams, each write with its own outcome', async () => {
    const pay = async (amount: number): Promise<Json> => {
      const { method, path, headers, body } = await alice.sign('POST', '/v1/transfer', {
        to_agent: bob.id,
        amount,
      });
      return { method, path, headers, body };
    };
    const forged = { ...(await pay(3)), body: '{"amount":4}' };
    const requests = [await pay(1), forged, await pay(2)];
    const answer = await call(port, {
      method: 'POST',
      path: '/v1/batch',
      body: JSON.stringify({ requests }),
    });
    expect(answer.body.results.map(({ status }: Json) => status)).toEqual([201, 400, 201]);
    const stream = await Stream.open(port, '?writes=true');
    stream.ws.send(JSON.stringify({ id: 'a', requests: [forged, await pay(5)] }));
    await stream.until(({ messages }) => messages.some((one) => one.id === 'a'));
    const { results } = stream.messages.find((one) => one.id === 'a')!;
    expect(results.map(({ status }: Json) => status)).toEqual([400, 201]);
    stream.close();
  });

  // One stream in 600 was closed as it was opened: uWebSockets.js, where an upgrade was decided later and inside of a cork.
  it('keeps every stream that it has opened', async () => {
    for (let i = 1; i <= 100; i++) {
      const streams = await Promise.all(Array.from({ length: 10 }, () => Stream.open(port)));
      const { body } = await alice.post('/v1/stake', { amount: i });
      const hasIt = ({ messages }: Stream) => messages.some(({ data }) => data.event_id === body.event_id);
      await Promise.all(streams.map((stream) => stream.until(hasIt)));
      for (const stream of streams) stream.close();
    }
  });

  it('reads bodies of a megabyte once they are admitted, and refuses longer ones', async () => {
    const long = (bytes: number) =>
      call(port, { method: 'POST', path: '/v1/batch', body: `{"requests":["${'x'.repeat(bytes)}"]}` });
    expect((await long(1_500_000)).body.code).toBe('invalid_request');
    expect((await long(3_000_000)).status).toBe(413);
  });

  it('loses nothing that it acknowledged when it is killed, and answers what is under way when it stops', async () => {
    const dataDir = await bed.directory();
    const first = await bed.start({ dataDir, env });
    const agent = await new Agent(first.port).register();
    const { body } = await agent.post('/v1/stake', { amount: TOKEN / 1000 });
    await first.kill();
    const second = await bed.start({ dataDir, env });
    expect((await get(second.port, `/v1/events/${body.event_id}`)).status).toBe(200);
    const again = new Agent(second.port, agent.signer);
    const under = Array.from({ length: 30 }, (_, i) => again.post('/v1/stake', { amount: i + 1 }));
    await Promise.race(under);
    const [all] = await Promise.all([Promise.all(under), second.stop()]);
    expect(all.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  });
});
