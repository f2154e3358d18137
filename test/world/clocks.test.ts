// Wrong clocks: a jump of one clock, two wrong clocks of four, a wrong clock at a start, a machine that slept. Consensus
// time stays with the right clocks, writes are executed, and whoever looks at the node learns what is wrong.

import { expect, it } from 'vitest';
import { jsonOf, textOf } from './answers.ts';
import { clientOf } from './client.ts';
import { SimNetwork } from './network.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Health {
  status: string;
  reason?: string;
}

const healthOf = async (net: SimNetwork, name: string): Promise<Health> =>
  (await jsonOf<Health>(net, name, '/health')) ?? { status: 'silent' };

/** How far consensus time at a machine is ahead of true time, seconds. */
async function aheadSecs(net: SimNetwork, name: string): Promise<number> {
  const status = await jsonOf<{ consensus_time: number }>(net, name, '/v1/status');
  return status!.consensus_time - Math.floor(net.universe.nowMs / 1000);
}

let agents = 0;
/** A write of a new agent at a machine is executed. */
async function writes(net: SimNetwork, name: string): Promise<void> {
  agents += 1;
  await net.until(clientOf(net, name, agents).register({}), 30_000);
}

async function networkOf(seats: number): Promise<SimNetwork> {
  const net = new SimNetwork({ seed: 3, seats });
  await net.start();
  await net.run(5000);
  return net;
}

function end(net: SimNetwork): void {
  expect(net.watch.fault).toBeUndefined();
  expect(net.machines.flatMap(({ failures }) => failures.map(String))).toEqual([]);
  for (const machine of net.machines) machine.kill();
}

it('a lone seat whose clock is a day ahead for 8 s keeps its time, and says so', async () => {
  const net = await networkOf(1);
  await writes(net, 'n0');
  net.machine('n0').skewMs += DAY_MS;
  await net.run(8000);
  expect(await healthOf(net, 'n0')).toMatchObject({
    status: 'degraded',
    reason: expect.stringContaining('86400 s ahead'),
  });
  expect(await textOf(net, 'n0', '/metrics')).toMatch(/^vws_clock_offset_seconds 86400$/m);
  await writes(net, 'n0');
  net.machine('n0').skewMs -= DAY_MS;
  await net.run(2000);
  await writes(net, 'n0');
  expect(await aheadSecs(net, 'n0')).toBeLessThanOrEqual(1);
  expect((await healthOf(net, 'n0')).status).toBe('healthy');
  end(net);
});

it('a lone seat follows a clock that holds its new time for a minute', async () => {
  const net = await networkOf(1);
  net.machine('n0').skewMs += HOUR_MS;
  await net.run(50_000);
  expect(await aheadSecs(net, 'n0')).toBeLessThanOrEqual(1);
  await net.run(25_000);
  expect(await aheadSecs(net, 'n0')).toBeGreaterThan(3590);
  expect((await healthOf(net, 'n0')).status).toBe('healthy');
  end(net);
});

it('two of four clocks an hour ahead do not move consensus time, and every node takes writes', async () => {
  const net = await networkOf(4);
  for (const name of ['n2', 'n3']) net.machine(name).skewMs += HOUR_MS;
  await net.run(90_000);
  for (const name of ['n0', 'n1', 'n2', 'n3']) {
    await writes(net, name);
    expect(await aheadSecs(net, name)).toBeLessThanOrEqual(1);
  }
  expect((await healthOf(net, 'n0')).status).toBe('healthy');
  expect(await healthOf(net, 'n2')).toMatchObject({
    status: 'degraded',
    reason: expect.stringContaining('3600 s ahead'),
  });
  for (const name of ['n2', 'n3']) net.machine(name).skewMs -= HOUR_MS;
  await net.run(10_000);
  for (const name of ['n0', 'n1', 'n2', 'n3']) {
    await writes(net, name);
    expect((await healthOf(net, name)).status).toBe('healthy');
  }
  end(net);
});

it('a node that starts with a clock an hour ahead takes the time of the others, and says so', async () => {
  const net = await networkOf(4);
  net.machine('n3').kill();
  await net.run(5000);
  net.machine('n3').skewMs += HOUR_MS;
  void net.machine('n3').start();
  await net.run(20_000);
  expect(await healthOf(net, 'n3')).toMatchObject({
    status: 'degraded',
    reason: expect.stringContaining('3600 s ahead'),
  });
  expect(net.log.some((line) => line.machine === 'n3' && /clock/.test(line.text))).toBe(true);
  await writes(net, 'n3');
  await writes(net, 'n0');
  expect(await aheadSecs(net, 'n3')).toBeLessThanOrEqual(1);
  net.machine('n3').skewMs -= HOUR_MS;
  await net.run(5000);
  expect((await healthOf(net, 'n3')).status).toBe('healthy');
  end(net);
});

it('a node that starts with a wrong clock does not judge requests by it', async () => {
  const net = await networkOf(4);
  net.machine('n3').kill();
  await net.run(5000);
  net.machine('n3').skewMs -= DAY_MS;
  void net.machine('n3').start();
  const refusals = new Set<string>();
  const client = clientOf(net, 'n3', 500);
  const tryFor = async (endMs: number): Promise<void> => {
    while (net.universe.nowMs < endMs) {
      await client.register({}).catch(({ code }) => refusals.add(code));
      await net.universe.pause(20);
    }
  };
  await net.until(tryFor(net.universe.nowMs + 5000), 30_000);
  expect(refusals).not.toContain('tx_expired');
  await writes(net, 'n3');
  end(net);
});

it('four nodes that start with two wrong clocks order nothing until the clocks are mended', async () => {
  const net = new SimNetwork({ seed: 4, seats: 4 });
  for (const name of ['n0', 'n1']) net.machine(name).skewMs += HOUR_MS;
  await net.start();
  await net.run(30_000);
  for (const name of ['n0', 'n3'])
    expect(await healthOf(net, name)).toMatchObject({ reason: expect.stringContaining('clocks') });
  expect((await jsonOf<{ order: number }>(net, 'n3', '/v1/status'))!.order).toBe(0);
  for (const name of ['n0', 'n1']) net.machine(name).skewMs -= HOUR_MS;
  await net.run(5000);
  for (const name of ['n0', 'n3']) await writes(net, name);
  expect(await aheadSecs(net, 'n0')).toBeLessThanOrEqual(1);
  end(net);
});

it.each([1, 4])(
  'all of %i machines sleep for 10 minutes: they follow their clocks after a minute',
  async (seats) => {
    const net = await networkOf(seats);
    await writes(net, 'n0');
    await net.until(Promise.all(net.machines.map((machine) => machine.suspend(600_000))), 700_000);
    await net.run(120_000);
    for (const { name } of net.machines) {
      await writes(net, name);
      expect(Math.abs(await aheadSecs(net, name))).toBeLessThanOrEqual(5);
      expect((await healthOf(net, name)).status).toBe('healthy');
    }
    end(net);
  },
);

it.each([0, -200_000])('one of four sleeps for 200 s, its clock is then off by %i ms', async (offMs) => {
  const net = await networkOf(4);
  const sleep = net.machine('n1').suspend(200_000);
  await net.run(5000);
  net.machine('n1').skewMs += offMs;
  await writes(net, 'n0');
  await net.until(sleep, 700_000);
  await net.run(30_000);
  await writes(net, 'n1');
  expect(Math.abs(await aheadSecs(net, 'n1'))).toBeLessThanOrEqual(5);
  const { status, reason } = await healthOf(net, 'n1');
  if (offMs === 0) expect(status).toBe('healthy');
  else expect(reason).toContain('200 s behind');
  end(net);
});
