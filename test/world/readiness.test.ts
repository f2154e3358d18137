// Readiness of a seat: it flips when the quorum is gone, and back when it returns; the process is live all the while.

import { expect, it } from 'vitest';
import { jsonOf } from './answers.ts';
import { SimNetwork } from './network.ts';

it('a seat that lost its quorum is live and not ready, says why, and is ready again with the others', async () => {
  const net = new SimNetwork({ seed: 5, seats: 4 });
  await net.start();
  await net.run(5000);
  const ready = () => jsonOf<{ ready: boolean; reasons: string[] }>(net, 'n0', '/health/ready');
  expect(await ready()).toEqual({ ready: true, reasons: [] });

  for (const name of ['n2', 'n3']) net.machine(name).kill();
  await net.run(40_000);
  expect(await ready()).toEqual({
    ready: false,
    reasons: ['nothing was ordered for 30 s', 'it is connected to fewer seats than a quorum'],
  });
  expect(await jsonOf(net, 'n0', '/health/live')).toEqual({ uptime_seconds: expect.any(Number) });
  expect(await jsonOf(net, 'n0', '/health')).toMatchObject({
    status: 'degraded',
    reason: 'it is connected to fewer seats than a quorum',
  });

  for (const name of ['n2', 'n3']) void net.machine(name).start();
  await net.run(20_000);
  expect(await ready()).toEqual({ ready: true, reasons: [] });
  for (const machine of net.machines) machine.kill();
});
