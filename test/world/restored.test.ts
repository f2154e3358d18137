// Seats whose data directories were restored from older copies: the network continues by itself, however many they are, as
// long as a quorum answers; for what no rule decides there is the operator's command (consensus 5.12).

import { expect, it } from 'vitest';
import { clientOf } from './client.ts';
import type { DiskImage } from './disk.ts';
import { SimNetwork } from './network.ts';

/** From the start of the restored nodes until every node has answered a write. */
const HEAL_MS = 40_000;

let agents = 0;
/** A new agent registers at a machine, trying again as clients do. */
async function writes(net: SimNetwork, name: string): Promise<void> {
  agents += 1;
  const client = clientOf(net, name, agents);
  for (;;) {
    try {
      await client.register({});
      return;
    } catch (error) {
      if ((error as { code?: string }).code === 'already_registered') return;
      await net.universe.pause(500);
    }
  }
}

const names = (net: SimNetwork): string[] => net.machines.map(({ name }) => name);

async function networkOf(seed: number, seats: number): Promise<SimNetwork> {
  // Epochs as long as real ones: within the run none is sealed.
  const net = new SimNetwork({
    seed,
    seats,
    limits: { earlyBlocks: 64, blocks: 4096, vertices: 262_144, timeMs: 600_000 },
  });
  await net.start();
  await busy(net, 5);
  return net;
}

/** Some seconds of writes at all nodes. */
async function busy(net: SimNetwork, rounds: number): Promise<void> {
  for (let i = 0; i < rounds; i++) {
    await net.until(Promise.all(names(net).map((name) => writes(net, name))), 30_000);
    await net.run(300);
  }
}

/** Copies of these disks, taken one after the other while writes go on. */
async function copies(net: SimNetwork, seats: readonly number[]): Promise<Map<number, DiskImage>> {
  const taken = new Map<number, DiskImage>();
  for (const seat of seats) {
    taken.set(seat, net.machine(`n${seat}`).disk.copy());
    await busy(net, 2);
  }
  return taken;
}

async function restore(net: SimNetwork, taken: ReadonlyMap<number, DiskImage>): Promise<void> {
  for (const seat of taken.keys()) net.machine(`n${seat}`).kill();
  await net.run(1000);
  for (const [seat, image] of taken) net.machine(`n${seat}`).disk.restore(image);
  for (const seat of taken.keys()) void net.machine(`n${seat}`).start();
}

it.each([1, 2, 3])('2 of 4 restored from copies taken seconds apart continue, seed %i', async (seed) => {
  const net = await networkOf(seed, 4);
  await restore(net, await copies(net, [0, 1]));
  await net.until(Promise.all(['n2', 'n3'].map((name) => writes(net, name))), HEAL_MS);
  expect(net.watch.fault).toBeUndefined();
  for (const { failures } of net.machines) expect(failures).toEqual([]);
});

it.each([1, 2, 3])('4 of 4 restored from copies taken seconds apart continue, seed %i', async (seed) => {
  const net = await networkOf(seed, 4);
  await restore(net, await copies(net, [0, 1, 2, 3]));
  await net.until(writes(net, 'n3'), HEAL_MS);
  for (const { failures } of net.machines) expect(failures).toEqual([]);
});
