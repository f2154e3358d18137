// An agent reads its own writes at any node, and learns when a node is behind.

import { afterEach, expect, it } from 'vitest';
import { clientOf } from './client.ts';
import { SimNetwork } from './network.ts';

let net: SimNetwork;
afterEach(() => expect(net.watch.fault).toBeUndefined());

const begin = async () => {
  net = new SimNetwork({ seed: 3, seats: 4 });
  await net.start();
  const writer = clientOf(net, 'n0', 1);
  const reader = clientOf(net, 'n1', 1, undefined, writer.seenOrder);
  const poor = clientOf(net, 'n0', 2);
  await net.until(writer.register({ initial_stake: 20_000_000_000 }), 20_000);
  await net.until(poor.register({}), 20_000);
  // What others receive has far to go to the node that is read from.
  for (const from of ['n0', 'n2', 'n3']) net.wires.wire(from, 'n1').delayMs = 400;
  return { writer, reader, poor: poor.pair.publicKeyHex };
};

it('what was written at one node is seen at another at once', async () => {
  const { writer, reader, poor } = await begin();
  const stranger = clientOf(net, 'n1', 3);
  let tooEarly = 0;
  for (let i = 1; i <= 10; i++) {
    const { event_id } = await net.until(writer.transfer({ to_agent: poor, amount: 1_000_000 }), 20_000);
    // Who names no order sees what n1 has, which may be less.
    await net.until(stranger.event(event_id), 20_000).catch(({ code }) => {
      expect(code).toBe('event_not_found');
      tooEarly += 1;
    });
    expect(await net.until(reader.event(event_id), 20_000)).toMatchObject({ event_id });
  }
  expect(tooEarly).toBeGreaterThan(5);
});

it('a node that cannot follow answers behind after two seconds; a forgotten order is not asked for', async () => {
  const { writer, reader, poor } = await begin();
  net.cut(['n1'], ['n0', 'n2', 'n3']);
  await net.until(writer.transfer({ to_agent: poor, amount: 1_000_000 }), 20_000);
  const startMs = net.universe.nowMs;
  const answer = net.machine('n1').request({
    method: 'GET',
    path: `/v1/agents/${poor}/balance`,
    headers: { 'X-Service-Min-Order': String(writer.seenOrder.newest) },
  });
  const reply = await net.until(answer, 20_000);
  expect([reply.status, JSON.parse(reply.body as string).code, reply.headers['Retry-After']]).toEqual([
    503,
    'behind',
    '1',
  ]);
  expect(net.universe.nowMs - startMs).toBeGreaterThanOrEqual(2000);
  expect(net.universe.nowMs - startMs).toBeLessThan(2100);
  await expect(net.until(reader.balance(poor), 60_000)).rejects.toMatchObject({ code: 'behind' });
  reader.forgetOrder();
  await net.until(reader.balance(poor), 1000);
});

it('a malformed order is refused, and pages of the node need none', async () => {
  await begin();
  const ask = async (path: string) => {
    const headers = { 'X-Service-Min-Order': 'newest' };
    return (await net.until(net.machine('n1').request({ method: 'GET', path, headers }), 20_000)).status;
  };
  expect([await ask('/v1/status'), await ask('/health')]).toEqual([400, 200]);
});
