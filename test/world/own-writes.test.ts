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

it('a node that just started does not say of a request that was carried out that its agent is unknown', async () => {
  net = new SimNetwork({ seed: 5, seats: 4 });
  await net.start(new Set(['n3']));
  const [writer, poor] = [clientOf(net, 'n0', 1), clientOf(net, 'n0', 2)];
  await net.until(writer.register({ initial_stake: 20_000_000_000 }), 20_000);
  await net.until(poor.register({}), 20_000);
  void net.machine('n3').start();
  await net.run(20_000, () => net.machine('n3').isUp);
  const codes: unknown[] = [];
  const late = clientOf(net, 'n3', 1, ({ code }) => codes.push(code));
  // One of them falls between the first heads and the vertices that they announce.
  const transfers = Array.from({ length: 25 }, async (_, i) => {
    await net.universe.pause(20 * i);
    await late.transfer({ to_agent: poor.pair.publicKeyHex, amount: 1_000_000 });
  });
  await net.until(Promise.all(transfers), 60_000);
  expect(new Set(codes)).toEqual(new Set([undefined, 'not_ready']));
});

it('a node that just started is not healthy before it takes writes', async () => {
  net = new SimNetwork({ seed: 5, seats: 4 });
  await net.start();
  const first = net.machine('n3');
  first.kill();
  // Clocks of other seats arrive later than their heads.
  for (const from of ['n0', 'n1', 'n2']) net.wires.wire(from, 'n3').delayMs = 100;
  void first.start();
  await net.run(20_000, () => net.machine('n3').isUp);
  const ask = (method: string, path: string) =>
    net.until(
      net.machine('n3').request({ method, path, headers: { 'X-Service-Version': 'SERVICE-TX-V1' } }),
      5000,
    );
  const seen: boolean[] = [];
  while (seen.length < 400 && !seen.at(-1)) {
    seen.push((await ask('GET', '/health')).status === 200);
    await net.run(5);
  }
  const reply = await ask('POST', '/v1/agents');
  expect([seen.at(-1), seen.length > 5, reply.status]).toEqual([true, true, 400]);
});

it('a malformed order is refused, and pages of the node need none', async () => {
  await begin();
  const ask = async (path: string) => {
    const headers = { 'X-Service-Min-Order': 'newest' };
    return (await net.until(net.machine('n1').request({ method: 'GET', path, headers }), 20_000)).status;
  };
  expect([await ask('/v1/status'), await ask('/health')]).toEqual([400, 200]);
});
