// A seat that signs large vertices full of junk, and never forks. It may not cost the others their pace or their disks; what
// it has to say that is of use is executed all the same, and nobody who needs it is halted (consensus 5.12).

import { expect, it } from 'vitest';
import { EPOCH_LIMITS } from '../../host/wire/block.ts';
import { encodeEntry } from '../../host/wire/entry.ts';
import { signedEntry } from '../host/one-node/harness.ts';
import { clientOf, registered } from './client.ts';
import { JunkSeat } from './junk-seat.ts';
import { SimNetwork } from './network.ts';

const HONEST = ['n0', 'n1', 'n2'];
/** Of real time, on a busy machine. */
const MAX_TEST_MS = 600_000;
const MIB = 1024 * 1024;
/** As large as a vertex may be. */
const LARGE = { bytes: 3 * MIB - 4, everyMs: 250, count: 32, isWithheld: false };

async function started(seed: number, on = HONEST): Promise<{ net: SimNetwork; junk: JunkSeat }> {
  const net = new SimNetwork({ seed, seats: 4, limits: EPOCH_LIMITS });
  for (const name of on) void net.machine(name).start();
  const junk = new JunkSeat(net, 3);
  await net.run(60_000, () => on.every((name) => net.machine(name).isUp));
  junk.start();
  await net.until(written(net, 'n0', 1), 30_000);
  return { net, junk };
}

const written = (net: SimNetwork, name: string, number: number): Promise<void> =>
  registered(net, clientOf(net, name, number));

let agents = 100;

/** Writers at every honest node, each one write after the other, for so long: how many writes, and the median of their time. */
async function pace(net: SimNetwork, ms: number): Promise<{ writes: number; medianMs: number }> {
  const times: number[] = [];
  const { universe } = net;
  const endMs = universe.nowMs + ms;
  const writers = HONEST.map(async (name) => {
    while (universe.nowMs < endMs) {
      const startMs = universe.nowMs;
      agents += 1;
      await written(net, name, agents);
      times.push(universe.nowMs - startMs);
    }
  });
  await net.until(Promise.all(writers), ms + 120_000);
  times.sort((a, b) => a - b);
  return { writes: times.length, medianMs: times[times.length >> 1]! };
}

const mibOf = (net: SimNetwork): number =>
  Math.max(...HONEST.map((name) => net.machine(name).disk.bytes)) / MIB;

function end(net: SimNetwork): void {
  expect(net.watch.fault).toBeUndefined();
  expect(HONEST.flatMap((name) => net.machine(name).failures.map(String))).toEqual([]);
  for (const machine of net.machines) machine.kill();
}

it.each([true, false])(
  'costs the writers little, and the disks less (withheld: %s)',
  async (isWithheld) => {
    // Of seeds 1 to 8 the first stalls for five seconds once, as the first junk vertex may make it; the others for one or two at most.
    const { net, junk } = await started(4);
    const before = await pace(net, 4000);
    const diskBefore = mibOf(net);
    junk.spam({ ...LARGE, isWithheld });
    const during = await pace(net, 8000);
    await net.run(20_000);
    expect(junk.made.junk).toBe(32);
    // Twice the time. The first one costs a second or two: whoever builds on it makes the others fetch it.
    expect(during.writes).toBeGreaterThan(before.writes);
    expect(during.medianMs).toBeLessThan(1.2 * before.medianMs);
    expect(mibOf(net) - diskBefore).toBeLessThan(8);
    end(net);
  },
  MAX_TEST_MS,
);

it(
  'empty vertices that bring nothing cost the disks little, and the writers nothing',
  async () => {
    const { net, junk } = await started(5);
    const before = mibOf(net);
    junk.spam({ bytes: 0, everyMs: 0, count: 0, isWithheld: false, idle: 30 });
    await net.run(30_000);
    const during = await pace(net, 10_000);
    expect(junk.made.all).toBeGreaterThan(20_000);
    // Some 18 MiB without the account.
    expect(mibOf(net) - before).toBeLessThan(10);
    expect(during.writes).toBeGreaterThan(30);
    end(net);
  },
  MAX_TEST_MS,
);

it(
  'what else its sender has to say is executed in the end',
  async () => {
    const { net, junk } = await started(2);
    junk.spam({ ...LARGE, count: 3 });
    await net.run(1000);
    const clock = { nowMs: () => net.universe.nowMs };
    const { events } = net.watch;
    const before = events.size;
    // A request lives for a minute.
    for (let i = 0; i < 6 && events.size === before; i++) {
      const { pair } = clientOf(net, 'n0', 50 + i);
      junk.submit(encodeEntry(signedEntry(clock, pair, '/v1/agents', {})));
      await net.run(30_000, () => events.size > before);
    }
    expect(events.size).toBeGreaterThan(before);
    end(net);
  },
  MAX_TEST_MS,
);

it(
  'does not stop a network that needs it, and who was away catches up',
  async () => {
    const { net, junk } = await started(3);
    net.machine('n2').kill();
    junk.spam({ ...LARGE, count: 10, everyMs: 1000 });
    await net.run(2000);
    for (let i = 0; i < 6; i++) {
      await net.until(
        Promise.all(['n0', 'n1'].map((name, at) => written(net, name, 10 + 2 * i + at))),
        60_000,
      );
      await net.run(1000);
    }
    expect(junk.made.junk).toBe(10);
    expect(net.machine('n0').disk.bytes / MIB).toBeGreaterThan(24);
    void net.machine('n2').start();
    await net.run(30_000, () => net.machine('n2').isUp);
    await junk.fallSilent();
    await net.until(Promise.all(HONEST.map((name, i) => written(net, name, 30 + i))), 60_000);
    end(net);
  },
  MAX_TEST_MS,
);

it(
  'does not stop the larger part of a network that fell apart, nor the whole one after it',
  async () => {
    const { net, junk } = await started(4);
    junk.spam(LARGE);
    await net.run(3000);
    net.cut(['n0'], ['n1', 'n2']);
    // For a while n0 looks connected, as if the junk could be done without.
    await net.until(Promise.all(['n1', 'n2'].map((name, i) => written(net, name, 10 + i))), 30_000);
    await net.run(20_000);
    net.heal();
    await net.until(Promise.all(HONEST.map((name, i) => written(net, name, 20 + i))), 60_000);
    end(net);
  },
  MAX_TEST_MS,
);
