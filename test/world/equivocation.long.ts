// One seat that shows two branches to two parts of the network must not stop it: the part that was away gets the branch
// that the others built on, however large it is and whatever it holds of the other one (consensus 5.12).

import { expect, it } from 'vitest';
import { EPOCH_LIMITS } from '../../host/wire/block.ts';
import { clientOf, registered } from './client.ts';
import { Equivocator } from './equivocator.ts';
import { SimNetwork } from './network.ts';

const HONEST = ['n0', 'n1', 'n2'];
/** Of real time, on a busy machine. */
const MAX_TEST_MS = 600_000;
const BIG = Math.floor(2.6 * 1024 * 1024);
/** For each write once all can talk again; the large branch is sent twice, one vertex in each round trip. */
const WRITE_MS = 60_000;

async function started(seed: number): Promise<SimNetwork> {
  const net = new SimNetwork({ seed, seats: 4, limits: EPOCH_LIMITS });
  for (const name of HONEST) void net.machine(name).start();
  await net.run(60_000, () => HONEST.every((name) => net.machine(name).isUp));
  await net.until(clientOf(net, 'n1', 1).register({}), 30_000);
  return net;
}

/** Which of them have stored the large branch. */
const withLarge = (net: SimNetwork): string[] =>
  HONEST.filter((name) => net.machine(name).disk.bytes > 20 * BIG);

/** Every honest node answers a write, and all of them have one order. */
async function expectLive(net: SimNetwork): Promise<void> {
  const writes = HONEST.map((name, i) => registered(net, clientOf(net, name, 10 + i)));
  await net.until(Promise.all(writes), WRITE_MS);
  expect(net.watch.fault).toBeUndefined();
  for (const name of HONEST) expect(net.machine(name).failures).toEqual([]);
}

it(
  'a large branch shown while one node was down, a small one as it comes back',
  async () => {
    const net = await started(1);
    const seat = new Equivocator(net, 3);
    net.machine('n0').kill();
    const large = seat.branch(48, BIG, net.universe.nowMs);
    await net.until(Promise.all(['n1', 'n2'].map((name) => seat.give(name, large))), 20_000);
    await net.run(20_000);
    expect(withLarge(net)).toEqual(['n1', 'n2']);
    void net.machine('n0').start();
    await net.run(30_000, () => net.machine('n0').isUp);
    await net.until(seat.give('n0', seat.branch(48, 0, net.universe.nowMs)), 20_000);
    await net.run(200);
    await seat.fallSilent();
    await expectLive(net);
  },
  MAX_TEST_MS,
);

it(
  'the same with a node that was cut off',
  async () => {
    const net = await started(2);
    const seat = new Equivocator(net, 3);
    net.cut(['n0'], ['n1', 'n2']);
    const large = seat.branch(20, BIG, net.universe.nowMs);
    await net.until(Promise.all(['n1', 'n2'].map((name) => seat.give(name, large))), 20_000);
    await net.until(seat.give('n0', seat.branch(48, 0, net.universe.nowMs)), 20_000);
    await net.run(20_000);
    expect(withLarge(net)).toEqual(['n1', 'n2']);
    await seat.fallSilent();
    net.heal();
    await expectLive(net);
  },
  MAX_TEST_MS,
);

it(
  'the large branch at the node that was cut off, the small one at the others',
  async () => {
    const net = await started(3);
    const seat = new Equivocator(net, 3);
    net.cut(['n0'], ['n1', 'n2']);
    const small = seat.branch(48, 0, net.universe.nowMs);
    await net.until(Promise.all(['n1', 'n2'].map((name) => seat.give(name, small))), 20_000);
    await net.until(seat.give('n0', seat.branch(20, BIG, net.universe.nowMs)), 20_000);
    await net.run(20_000);
    expect(withLarge(net)).toEqual(['n0']);
    await seat.fallSilent();
    net.heal();
    await expectLive(net);
  },
  MAX_TEST_MS,
);
