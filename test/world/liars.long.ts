// A peer that lies about seals and states, or floods, neither fools nor stops those who join or come back.

import { expect, it } from 'vitest';
import { keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { clientOf } from './client.ts';
import { type Deviation, deviate } from './deviants.ts';
import { lyingState, ROW_LIES, SEAL_LIES } from './lies.ts';
import { SimNetwork } from './network.ts';

/** Four seats of which n3 deviates; past their first seal. */
async function begun(seed: number, how: Deviation): Promise<{ net: SimNetwork; struck(): number }> {
  const net = new SimNetwork({ seed, seats: 4, env: { SERVICE_OBSERVERS: '*' } });
  let count = 0;
  net.watch.ignored.add('n3');
  deviate(how, {
    net,
    seat: 3,
    name: 'n3',
    honest: ['n0', 'n1', 'n2'],
    dice: net.universe.dice,
    nowMs: () => net.universe.nowMs,
    moment: () => net.universe.pause(5000),
    struck: () => {
      count += 1;
    },
  });
  await net.start();
  for (let agent = 1; agent <= 4; agent++) await net.until(clientOf(net, 'n0', agent).register({}), 20_000);
  // Documents of several kinds, for those who join.
  const poster = clientOf(net, 'n0', 1);
  await net.until(
    poster.tasks.create({ title: 'Tide table', description: 'Of May', budget: 10_000_000 }),
    20_000,
  );
  await net.until(poster.market.list({ name: 'Tides', category: 'research' }), 20_000);
  await net.run(90_000);
  return { net, struck: () => count };
}

/** A machine has the block that all have, and nobody disagrees. */
async function expectSame(net: SimNetwork, name: string): Promise<void> {
  await net.run(60_000, () => net.machine(name).isUp);
  expect(net.machine(name).failures).toEqual([]);
  const same = (): boolean => net.watch.newest.get(name) === net.watch.newest.get('n0');
  expect(await net.run(60_000, same)).toBe(true);
  expect(net.watch.fault).toBeUndefined();
}

it('who joins, and asks liars of every kind first', async () => {
  const { net } = await begun(1, 'lying_state');
  const n3 = net.machine('n3');
  let lies = 0;
  const struck = () => {
    lies += 1;
  };
  const liar = { seat: 3, dice: net.universe.dice, nowMs: () => net.universe.nowMs, struck };
  const ways = [
    ...Array.from({ length: SEAL_LIES - 1 }, (_, i) => [i, 0] as const),
    ...Array.from({ length: ROW_LIES }, (_, i) => [SEAL_LIES - 1, i] as const),
  ];
  let joiners = 0;
  for (const [ofSeals, ofRows] of ways) {
    n3.o.filter = lyingState(liar, ofSeals, ofRows);
    lies = 0;
    // Whoever offers the newest seal is asked first, and that may be the honest one.
    for (let tries = 0; lies === 0 && tries < 20; tries++) {
      const peers = ['n3:8337', 'n0:8337'];
      const key = keyPairFromSeed(new Uint8Array(32).fill(100 + joiners));
      const name = `o${joiners}`;
      joiners += 1;
      const joiner = net.add({ name, key, peers, isObserver: true, env: { SERVICE_JOIN: 'checkpoint' } });
      void joiner.start();
      await expectSame(net, name);
      expect(net.watch.joins).toBe(joiners);
      joiner.kill();
    }
    expect(lies).toBeGreaterThan(0);
  }
});

it.each<Deviation>(['sync_empty', 'sync_wrong', 'sync_endless', 'flood'])(
  'a seat that comes back beside one of %s',
  async (how) => {
    const { net, struck } = await begun(7, how);
    net.machine('n1').kill();
    // Those that are left are a quorum only with the one that deviates, so this may have to wait.
    const written = clientOf(net, 'n2', 9)
      .register({})
      .catch(() => {});
    await net.until(written, 120_000);
    void net.machine('n1').start();
    await net.run(60_000, () => net.machine('n1').isUp);
    await net.until(clientOf(net, 'n1', 10).register({}), 60_000);
    await expectSame(net, 'n1');
    expect(struck()).toBeGreaterThan(0);
    for (const machine of net.machines) machine.kill();
  },
);
