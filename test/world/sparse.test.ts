// What one request costs a network that is idle otherwise: vertices, time, and how old the time is that it gets.

import { expect, it } from 'vitest';
import { EPOCH_LIMITS } from '../../host/wire/block.ts';
import { textOf } from './answers.ts';
import { clientOf } from './client.ts';
import { SimNetwork } from './network.ts';

const WRITES = 12;

it('a write every ten seconds costs 13 vertices of four seats, and needs no wake-up', async () => {
  const net = new SimNetwork({ seed: 4, seats: 4, limits: EPOCH_LIMITS });
  const { universe } = net;
  const vertices = async (): Promise<number> =>
    Number(/^vws_dag_size (\d+)$/m.exec(await textOf(net, 'n0', '/metrics'))![1]);
  await net.start();
  await net.run(10_000);
  let [cost, ms, oldestSecs] = [0, 0, 0];
  for (let i = 0; i < WRITES; i++) {
    // Anywhere between two of the vertices that an idle network orders.
    await net.run(9100 + 370 * i);
    const [before, startMs] = [await vertices(), universe.nowMs];
    await net.until(clientOf(net, `n${i % 4}`, i).register({}), 20_000);
    ms += universe.nowMs - startMs;
    const { consensus_time } = JSON.parse(await textOf(net, `n${i % 4}`, '/v1/status'));
    oldestSecs = Math.max(oldestSecs, startMs / 1000 - consensus_time);
    await net.run(400);
    cost += (await vertices()) - before;
  }
  expect(cost / WRITES).toBeLessThan(14);
  expect(ms / WRITES).toBeLessThan(150);
  expect(oldestSecs).toBeLessThan(5);
  for (const machine of net.machines) machine.kill();
}, 300_000);
