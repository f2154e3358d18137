// A node that is stopped, as for its restart or an upgrade: what it had taken is answered first.

import { expect, it } from 'vitest';
import { clientOf } from './client.ts';
import { SimNetwork } from './network.ts';

const ALL = ['n0', 'n1', 'n2', 'n3'];
const HEAL_MS = 60_000;

async function networkOf(seed: number): Promise<SimNetwork> {
  const net = new SimNetwork({ seed, seats: 4, wire: { delayMs: 50, jitterMs: 5 } });
  await net.start();
  await net.until(clientOf(net, 'n0', 1).register({}), HEAL_MS);
  return net;
}

/** Stops a machine; how long that took, ms. */
async function stopped(net: SimNetwork, name: string): Promise<number> {
  const startMs = net.universe.nowMs;
  await net.until(net.machine(name).stop(), HEAL_MS);
  return net.universe.nowMs - startMs;
}

function end(net: SimNetwork): void {
  expect(net.watch.fault).toBeUndefined();
  expect(net.machines.flatMap(({ failures }) => failures.map(String))).toEqual([]);
  for (const machine of net.machines) machine.kill();
}

it('all nodes are restarted one after the other, and each answers the writes under way first', async () => {
  const net = await networkOf(81);
  for (const [i, name] of ALL.entries()) {
    const writes = [10, 40, 90].map(async (atMs, n) => {
      await net.universe.pause(atMs);
      return clientOf(net, name, 100 + 10 * i + n, undefined, undefined, 0).register({});
    });
    const all = Promise.allSettled(writes);
    await net.run(100);
    expect(await stopped(net, name)).toBeLessThan(2000);
    expect((await net.until(all, 1000)).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    await net.until(net.machine(name).start(), HEAL_MS);
    const ready = async (): Promise<void> => {
      for (let n = 0; ; n++) {
        const client = clientOf(net, name, 1000 + 100 * i + n, undefined, undefined, 0);
        if (
          await client.register({}).then(
            () => true,
            () => false,
          )
        )
          return;
        await net.universe.pause(200);
      }
    };
    await net.until(ready(), HEAL_MS);
  }
  end(net);
});

it('where they cannot be ordered it stops all the same, and says that they may still execute', async () => {
  const net = await networkOf(82);
  net.cut(['n0'], ['n1', 'n2', 'n3']);
  const write = expect(clientOf(net, 'n0', 2, undefined, undefined, 0).register({})).rejects.toMatchObject({
    code: 'no_quorum',
  });
  await net.run(100);
  expect(await stopped(net, 'n0')).toBeLessThan(5000);
  await net.until(write, 1000);
  net.heal();
  await net.until(net.machine('n0').start(), HEAL_MS);
  // Its vertex is on the disk, and goes out now.
  const client = clientOf(net, 'n1', 2, undefined, undefined, 0);
  const isThere = (): Promise<boolean> =>
    client.balance(client.pair.publicKeyHex).then(
      () => true,
      () => false,
    );
  const there = (async () => {
    while (!(await isThere())) await net.universe.pause(200);
  })();
  await net.until(there, HEAL_MS);
  end(net);
});
