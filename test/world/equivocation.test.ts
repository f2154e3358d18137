// A seat that signs two vertices with one number is named in the log of every node, with both vertices (docs/operate).

import { expect, it } from 'vitest';
import { clientOf, registered } from './client.ts';
import { Equivocator } from './equivocator.ts';
import { SimNetwork } from './network.ts';

const HONEST = ['n0', 'n1', 'n2'];

it('every node logs it once for the epoch, with the ids of both', async () => {
  const net = new SimNetwork({ seed: 1, seats: 4 });
  for (const name of HONEST) void net.machine(name).start();
  await net.run(60_000, () => HONEST.every((name) => net.machine(name).isUp));
  await net.until(registered(net, clientOf(net, 'n1', 1)), 30_000);
  const seat = new Equivocator(net, 3);
  const branches = [0, 1].map((i) => seat.branch(4, 0, net.universe.nowMs + i));
  await net.until(Promise.all(['n0', 'n1'].map((name, i) => seat.give(name, branches[i]!))), 20_000);
  await net.until(Promise.all(HONEST.map((name, i) => registered(net, clientOf(net, name, 10 + i)))), 60_000);
  await net.run(10_000);
  const lines = net.log.filter(({ text }) => text.startsWith('a seat signed two vertices'));
  expect(lines.map(({ machine }) => machine).sort()).toEqual(HONEST);
  for (const { level, fields } of lines) {
    expect([level, fields]).toMatchObject(['error', { seat: 3, epoch: 0 }]);
    const [one, other] = (fields as { vertices: string[] }).vertices;
    expect(one).not.toBe(other);
  }
  for (const machine of net.machines) machine.kill();
}, 60_000);
