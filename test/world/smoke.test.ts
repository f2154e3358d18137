import { expect, it } from 'vitest';
import { clientOf } from './client.ts';
import { SimNetwork } from './network.ts';

it('four nodes order a write, and the same seed gives the same run', async () => {
  const runs: string[] = [];
  for (let i = 0; i < 2; i++) {
    const started = performance.now();
    const net = new SimNetwork({ seed: 1, seats: 4 });
    if (process.env.VWS_LOG)
      net.onLog = (l) =>
        console.log(
          Math.round(l.atMs - 1_800_000_000_000),
          l.machine,
          l.level,
          l.text,
          JSON.stringify(l.fields),
        );
    await net.start();
    const a = clientOf(net, 'n0', 1);
    const b = clientOf(net, 'n1', 2);
    await net.until(a.register({ initial_stake: 20_000_000_000 }), 20_000);
    await net.until(b.register({}), 20_000);
    const t0 = net.universe.nowMs;
    const done = await net.until(a.transfer({ to_agent: b.pair.publicKeyHex, amount: 1_000_000 }), 20_000);
    console.log(
      'transfer took',
      net.universe.nowMs - t0,
      'events',
      net.watch.events.size,
      JSON.stringify(done).slice(0, 100),
    );
    await net.run(60_000);
    expect(net.watch.fault).toBeUndefined();
    runs.push(JSON.stringify([net.universe.steps, [...net.watch.blocks]]));
    console.log(
      'steps',
      net.universe.steps,
      'wall',
      Math.round(performance.now() - started),
      'blocks',
      net.watch.blocks.size,
      net.machines.map((m) => m.failures.map(String)),
    );
  }
  expect(runs[0]).toBe(runs[1]);
});
