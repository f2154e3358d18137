// Whole nodes in the simulated world: a few seeds of everything, and that the world itself does what it says.

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../e2e/seed.ts';
import { clientOf } from './client.ts';
import { SimNetwork, seatKey } from './network.ts';
import { planOf } from './plan.ts';
import { runPlan } from './run.ts';
import { SimTransport } from './wires.ts';

const FIRST = testSeed(1);
const SEEDS = Number(process.env.VWS_SEEDS ?? 2);
/** A seed in which all of these strike. */
const MANY = 196;
const MET = ['kill', 'observer', 'seat: twin', 'seat: withheld', 'silent strangers'];

describe('networks of whole nodes', () => {
  it.each(Array.from({ length: SEEDS }, (_, i) => FIRST + i))('seed %i holds', async (seed) => {
    const { fault } = await runPlan(planOf(seed));
    expect(fault, `repeat: npm run world -- --seed ${seed}`).toBeUndefined();
  });
});

describe('more seats that deviate than consensus tolerates', () => {
  it('make two orders, which is noticed', async () => {
    const net = new SimNetwork({ seed: 5, seats: 4 });
    for (const seat of [2, 3]) {
      net.add({ name: `n${seat}t`, key: seatKey(seat), peers: ['n1:8337', `n${5 - seat}t:8337`] });
      for (const name of [`n${seat}`, `n${seat}t`]) net.watch.ignored.add(name);
    }
    // Each honest seat has one twin of both others, from the beginning: a twin that meets the other stops signing.
    net.cut(['n0', 'n2', 'n3'], ['n1', 'n2t', 'n3t']);
    await net.start();
    const [here, there] = [clientOf(net, 'n0', 1), clientOf(net, 'n1', 2)];
    await net.until(Promise.all([here.register({}), there.register({})]), 60_000);
    expect(net.watch.fault?.message).toMatch(/elsewhere/);
    for (const machine of net.machines) machine.kill();
  });
});

describe('the simulated world', () => {
  it('gives the same run for the same plan, byte for byte, with all that can happen in it', async () => {
    const play = async () => {
      const hash = createHash('sha256');
      const outcome = await runPlan(planOf(MANY), { onLog: (line) => hash.update(JSON.stringify(line)) });
      return { ...outcome, log: hash.digest('hex') };
    };
    const [one, other] = [await play(), await play()];
    expect(one.fault).toBeUndefined();
    expect(one).toEqual(other);
    expect([...one.struck.keys()]).toEqual(expect.arrayContaining(MET));
  });

  const play = async (seed: number) => {
    const net = new SimNetwork({ seed, seats: 4 });
    await net.start();
    const [alice, bob] = [clientOf(net, 'n0', 1), clientOf(net, 'n1', 2)];
    await net.until(alice.register({ initial_stake: 20_000_000_000 }), 20_000);
    await net.until(bob.register({}), 20_000);
    await net.until(alice.transfer({ to_agent: bob.pair.publicKeyHex, amount: 1_000_000 }), 20_000);
    await net.run(5000);
    return { net, trace: JSON.stringify([net.universe.steps, net.universe.nowMs, [...net.watch.blocks]]) };
  };

  it('gives the same run for the same seed, byte for byte', async () => {
    const [one, other, third] = [await play(7), await play(7), await play(8)];
    expect(one.trace).toBe(other.trace);
    expect(one.trace).not.toBe(third.trace);
  });

  it('notices two orders', async () => {
    const { net } = await play(9);
    const [n0, n1] = net.machines;
    const key = n0!.disk.rows({ gte: Uint8Array.of(98), lt: Uint8Array.of(99) })[0]![0];
    net.watch.written(n1!, [{ key, value: new Uint8Array(80).fill(1) }]);
    expect(net.watch.fault?.message).toMatch(/n1: block 1 is another one elsewhere/);
  });

  it('delays what follows on a narrow wire, by whatever link it comes', async () => {
    const net = new SimNetwork({ seed: 11, seats: 2, wire: { delayMs: 0, jitterMs: 0, width: 100 } });
    const { universe } = net;
    const port = (machine: string, seat: number) =>
      new SimTransport(net.wires, {
        machine,
        key: seatKey(seat),
        isAlive: () => true,
        enter: (run) => run(),
      });
    const [here, there] = [port('a', 0), port('b', 1)];
    const came: [number, number][] = [];
    const startMs = universe.nowMs;
    there.onLink = (link) =>
      link.open({ onMessage: ({ length }) => came.push([length, universe.nowMs - startMs]), onClose() {} });
    await there.listen('b', 1);
    const links = await net.until(Promise.all([here.dial('b', 1), here.dial('b', 1)]), 10);
    for (const bytes of [200_000, 100]) links[0]!.send(new Uint8Array(bytes));
    links[1]!.send(new Uint8Array(200_000));
    links[0]!.send(new Uint8Array(300));
    links[0]!.close('enough');
    await net.run(10_000);
    expect(came.map(([bytes, atMs]) => [bytes, Math.round(atMs / 100) / 10])).toEqual([
      [200_000, 2],
      [100, 2],
      [300, 2],
      [200_000, 4],
    ]);
  });

  it('answers nothing without a quorum, and all of it afterwards', async () => {
    const { net } = await play(10);
    net.cut(['n0', 'n1'], ['n2', 'n3']);
    await net.run(3000);
    const client = clientOf(net, 'n2', 5);
    const answer = client.register({});
    await expect(net.until(answer, 9000)).rejects.toThrow(/nothing came of it/);
    net.heal();
    await net.until(answer, 60_000);
  });
});
