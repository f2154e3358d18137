// Seats that are gone for good lose their ordering weight, so that a network bears more losses one after another than at
// once; a seat that comes back has its weight again; who was merely idle, or off with all others, loses nothing
// (consensus 5.11).

import { expect, it } from 'vitest';
import type { NetworkState } from '../../host/client/objects.ts';
import { jsonOf, textOf } from './answers.ts';
import { clientOf } from './client.ts';
import { SimNetwork, SMALL_EPOCHS } from './network.ts';

const EPOCHS = 2;
/** An epoch of an idle network, and D of the rule. */
const EPOCH_SECS = 20;
const SILENCE_SECS = 45;
/** Within this time a dead seat is removed: D, the epoch in which it died, and the epoch that runs when D is over. */
const REMOVAL_MS = (SILENCE_SECS + 3 * (EPOCH_SECS + 5)) * 1000;
const WRITE_MS = 60_000;

const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => `n${from + i}`);

async function networkOf(silenceSecs = SILENCE_SECS): Promise<SimNetwork> {
  const params = { silence_epochs: String(EPOCHS), silence_secs: String(silenceSecs) };
  const net = new SimNetwork({
    seed: 6,
    seats: 7,
    params,
    limits: { ...SMALL_EPOCHS, timeMs: EPOCH_SECS * 1000 },
  });
  await net.start();
  await net.run(5000);
  return net;
}

let agents = 0;
/** A write of a new agent at a machine is executed. */
async function writes(net: SimNetwork, name: string): Promise<void> {
  agents += 1;
  await net.until(clientOf(net, name, agents).register({}), WRITE_MS);
}

async function allWrite(net: SimNetwork, who: readonly string[]): Promise<void> {
  for (const name of who) await writes(net, name);
}

const silentAt = async (net: SimNetwork, name: string): Promise<NetworkState['silent_seats']> =>
  (await net.until(jsonOf<NetworkState>(net, name, '/v1/network/state'), 5000))?.silent_seats ?? [];

const removedAt = async (net: SimNetwork, name: string): Promise<number[]> =>
  (await silentAt(net, name)).flatMap(({ seat, is_removed }) => (is_removed ? [seat] : []));

/** Runs until a machine shows exactly these seats as removed. */
async function untilRemoved(
  net: SimNetwork,
  name: string,
  seats: readonly number[],
  ms: number,
): Promise<void> {
  const endMs = net.universe.nowMs + ms;
  while (String(await removedAt(net, name)) !== String(seats)) {
    if (net.universe.nowMs > endMs) throw new Error(`removed: ${await removedAt(net, name)}, not ${seats}`);
    await net.run(1000);
  }
}

const changes = (net: SimNetwork): string[] =>
  [...net.watch.events.values()]
    .sort((a, b) => a.seq - b.seq)
    .flatMap(({ type, payload }) =>
      type === 'seat_weight' ? [`${payload.validator_id} ${payload.change}`] : [],
    );

function end(net: SimNetwork): void {
  expect(net.watch.fault).toBeUndefined();
  expect(net.machines.flatMap(({ failures }) => failures.map(String))).toEqual([]);
  for (const machine of net.machines) machine.kill();
}

it('seven seats die one after another until four are left, and three of those go on; who returns counts again', async () => {
  const net = await networkOf();
  await allWrite(net, names(0, 7));
  for (const last of [6, 5, 4]) {
    net.machine(`n${last}`).kill();
    await allWrite(net, names(0, last));
    const removed = [4, 5, 6].filter((seat) => seat >= last);
    await untilRemoved(net, 'n0', removed, REMOVAL_MS);
    await net.run(10_000);
  }
  expect(changes(net)).toEqual(['v6 removed', 'v5 removed', 'v4 removed']);
  expect(await textOf(net, 'n0', '/metrics')).toMatch(/^vws_removed_seats 3$/m);
  net.machine('n3').kill();
  await allWrite(net, names(0, 3));
  // No more is removed, however long it takes: three equal seats need all of them, as four do of which one is dead.
  await net.run(REMOVAL_MS);
  expect(await removedAt(net, 'n0')).toEqual([4, 5, 6]);
  await allWrite(net, names(0, 3));
  // One that comes back has its weight again, and v3 can be removed in its place; so one more may die.
  void net.machine('n5').start();
  await untilRemoved(net, 'n0', [3, 4, 6], 90_000);
  await net.run(10_000);
  expect(changes(net).slice(3)).toEqual(['v5 heard', 'v3 removed']);
  net.machine('n2').kill();
  await allWrite(net, ['n0', 'n1', 'n5']);
  end(net);
}, 600_000);

it('seats that never lose their weight: the third of seven that is gone stops the network', async () => {
  const net = await networkOf(10 * 365 * 86_400);
  for (const last of [6, 5]) {
    net.machine(`n${last}`).kill();
    await net.run(30_000);
    await allWrite(net, names(0, last));
  }
  net.machine('n4').kill();
  await expect(writes(net, 'n0')).rejects.toThrow('not ordered in time');
  expect(changes(net)).toEqual([]);
  end(net);
}, 600_000);

it('an idle network removes nobody, nor does one that was off: only time in which others take part counts', async () => {
  const net = await networkOf(150);
  await net.run(300_000);
  expect([await silentAt(net, 'n0'), changes(net)]).toEqual([[], []]);
  net.machine('n6').kill();
  while ((await silentAt(net, 'n0')).length === 0) await net.run(5000);
  for (const name of names(0, 6)) net.machine(name).kill();
  await net.run(1_200_000);
  for (const name of names(0, 6)) void net.machine(name).start();
  await net.run(60_000);
  // More than the epochs of the rule, and more than its time on the clock, but not in the order.
  const [silent] = await silentAt(net, 'n0');
  expect(silent).toMatchObject({ seat: 6, is_removed: false });
  expect(Math.floor(net.universe.nowMs / 1000) - silent!.since).toBeGreaterThan(1000);
  void net.machine('n6').start();
  await net.run(30_000);
  expect([await silentAt(net, 'n0'), changes(net)]).toEqual([[], []]);
  await allWrite(net, names(0, 7));
  end(net);
}, 600_000);

it('two seats cut off for long lose their weight on the other side, none on theirs, and have it again after the heal', async () => {
  const net = await networkOf();
  const [away, rest] = [names(5, 7), names(0, 5)];
  await allWrite(net, [...rest, ...away]);
  net.cut(away, rest);
  await untilRemoved(net, 'n0', [5, 6], REMOVAL_MS);
  await allWrite(net, rest);
  expect(await removedAt(net, 'n6')).toEqual([]);
  // Four of the five that count are a quorum; all seven together would need five.
  net.machine('n4').kill();
  await allWrite(net, names(0, 4));
  void net.machine('n4').start();
  net.heal();
  await untilRemoved(net, 'n0', [], 60_000);
  await net.run(30_000);
  expect(changes(net).slice(0, 2)).toEqual(['v5 removed', 'v6 removed']);
  expect(changes(net).slice(2).sort()).toEqual(['v5 heard', 'v6 heard']);
  await allWrite(net, [...rest, ...away]);
  // Both count again: seven bear two losses.
  for (const name of ['n0', 'n1']) net.machine(name).kill();
  await allWrite(net, names(2, 7));
  end(net);
}, 600_000);
