// Seats whose data directories were restored from older copies: the network continues by itself, however many they are, as
// long as a quorum answers; for what no rule decides there is the operator's command (consensus 5.12). No seat that was
// restored is taken for an equivocator.

import { describe, expect, it } from 'vitest';
import { decide } from '../../host/cli/commands/resume-seat.ts';
import type { Scale } from '../../host/execution/open-core.ts';
import { FakeIo } from '../host/cli/harness.ts';
import { headOf, jsonOf } from './answers.ts';
import { clientOf, registered } from './client.ts';
import { type DiskImage, DiskStore } from './disk.ts';
import { Load } from './load.ts';
import { SimNetwork, SMALL_EPOCHS } from './network.ts';

/** From the start of the restored nodes until the others have answered a write. */
const HEAL_MS = 40_000;
/** Epochs as long as real ones: within a run none is sealed. */
const LONG_EPOCHS: Scale['limits'] = { earlyBlocks: 64, blocks: 4096, vertices: 262_144, timeMs: 600_000 };
const RECORD = { SERVICE_SIGNED_RECORD: '/records/own' };

const agents = new WeakMap<SimNetwork, number>();
/** A new agent registers at a machine, trying again as clients do. */
async function writes(net: SimNetwork, name: string): Promise<void> {
  const number = (agents.get(net) ?? 0) + 1;
  agents.set(net, number);
  await registered(net, clientOf(net, name, number));
}

interface Choice {
  limits?: Scale['limits'];
  env?: Record<string, string>;
}

async function networkOf(seed: number, { limits = LONG_EPOCHS, env = {} }: Choice = {}): Promise<SimNetwork> {
  const net = new SimNetwork({ seed, seats: 4, limits, env });
  await net.start();
  await busy(net, 5);
  return net;
}

const ALL = ['n0', 'n1', 'n2', 'n3'];

/** Some seconds of writes at all nodes. */
async function busy(net: SimNetwork, rounds: number, names = ALL): Promise<void> {
  for (let i = 0; i < rounds; i++) {
    await net.until(Promise.all(names.map((name) => writes(net, name))), 30_000);
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
  net.watch.restored(net.machines, net.universe.nowMs);
  for (const seat of taken.keys()) void net.machine(`n${seat}`).start();
}

const healthOf = (net: SimNetwork, name: string) =>
  jsonOf<{ status: string; reason?: string }>(net, name, '/health');

/** Seats that resumed, as the log tells. */
const resumed = (net: SimNetwork): string[] =>
  net.log.filter(({ text }) => text.startsWith('this seat resumes')).map(({ machine }) => machine);

/** All agree, none failed, and nobody was excluded as an equivocator. */
function end(net: SimNetwork): void {
  expect(net.watch.fault).toBeUndefined();
  expect(net.machines.flatMap(({ failures }) => failures.map(String))).toEqual([]);
  const statuses = [...net.watch.events.values()].filter(({ type }) => type === 'validator_status');
  expect(statuses.map(({ payload }) => payload)).toEqual([]);
  for (const machine of net.machines) machine.kill();
}

const SEEDS = [1, 2];

describe('more than f seats', () => {
  it.each(SEEDS)('2 of 4 from copies taken seconds apart: one resumes, one waits, seed %i', async (seed) => {
    const net = await networkOf(seed);
    const load = new Load(net, { agents: 4, readers: ALL, machines: ALL, pauseMs: 1000 });
    load.start();
    await restore(net, await copies(net, [0, 1]));
    await net.until(Promise.all(['n2', 'n3'].map((name) => writes(net, name))), HEAL_MS);
    expect(resumed(net)).toEqual(['n0']);
    await net.until(writes(net, 'n0'), HEAL_MS);
    await net.run(1000);
    expect(await healthOf(net, 'n1')).toMatchObject({
      status: 'syncing',
      reason: expect.stringMatching(/before epoch 2$/),
    });
    end(net);
  });

  it('2 of 4 that hear only each other at first: neither signs before the others report', async () => {
    const net = await networkOf(5);
    const taken = await copies(net, [0, 1]);
    await busy(net, 2);
    net.cut(['n0', 'n1'], ['n2', 'n3']);
    await restore(net, taken);
    await net.run(20_000);
    net.heal();
    await net.until(Promise.all(['n2', 'n3'].map((name) => writes(net, name))), HEAL_MS);
    expect(resumed(net)).toEqual(['n0']);
    end(net);
  });

  it.each(SEEDS)('4 of 4 from copies taken seconds apart, seed %i', async (seed) => {
    const net = await networkOf(seed);
    const load = new Load(net, { agents: 4, readers: ALL, machines: ALL, pauseMs: 1000 });
    load.start();
    const before = clientOf(net, 'n2', 9000);
    await net.until(before.register({ initial_stake: 1_000_000 }), 30_000);
    const taken = await copies(net, [0, 1, 2, 3]);
    await busy(net, 4);
    await net.until(before.stake({ amount: 1 }), 30_000);
    await restore(net, taken);
    await net.until(writes(net, 'n3'), HEAL_MS);
    expect(resumed(net)).toEqual(['n0', 'n1']);
    // Who has seen what was lost is told so, once.
    const reader = clientOf(net, 'n3', 9000, undefined, before.seenOrder);
    const told = net.until(reader.balance(before.pair.publicKeyHex), 20_000);
    await expect(told).rejects.toMatchObject({ code: 'history_cut' });
    await net.until(reader.status(), 5000);
    await busy(net, 3, ['n0', 'n1', 'n3']);
    load.stop();
    await net.run(15_000);
    // What was acknowledged and is lost is excepted, and the order, the status and the health say that there may be such.
    expect(load.history.lostAcknowledged(net.watch).size).toBeGreaterThan(0);
    expect(load.history.fault(net.watch)).toBeUndefined();
    for (const path of ['/v1/status', '/health'])
      expect(await jsonOf(net, 'n3', path)).toMatchObject({
        writes_may_be_lost: { order: expect.any(Number) },
      });
    end(net);
  });

  it('all of them are open again after the second seal', async () => {
    const net = await networkOf(4, { limits: SMALL_EPOCHS });
    await restore(net, await copies(net, [0, 1]));
    await net.until(Promise.all(ALL.map((name) => writes(net, name))), 300_000);
    end(net);
  });

  it.each(SEEDS)('2 of 4 that are restored a second time, from the same copies, seed %i', async (seed) => {
    const net = await networkOf(seed);
    const taken = await copies(net, [0, 1]);
    for (let time = 1; time <= 2; time++) {
      await restore(net, taken);
      await net.until(Promise.all(['n2', 'n3'].map((name) => writes(net, name))), HEAL_MS);
      await busy(net, 3, ['n0', 'n2', 'n3']);
      expect(resumed(net)).toEqual(Array(time).fill('n0'));
    }
    end(net);
  });
});

describe('one restored, linked to another old copy and to one seat that needs minutes to send what is missing', () => {
  it('signs nothing before that has arrived', async () => {
    const net = await networkOf(6);
    // It was down for most of what it lacks, so that its own vertices are the last to come.
    const n0 = net.machine('n0');
    n0.kill();
    const taken = new Map([0, 2].map((seat) => [seat, net.machine(`n${seat}`).disk.copy()]));
    await busy(net, 400, ['n1', 'n2', 'n3']);
    void n0.start();
    await busy(net, 4);
    net.cut(['n0', 'n2'], ['n3']);
    for (const name of ['n0', 'n2'])
      for (const wire of net.wires.between(name, 'n1')) Object.assign(wire, { delayMs: 2300, jitterMs: 0 });
    await restore(net, taken);
    const isKnown = (): boolean =>
      net.log.some(({ machine, text }) => machine === 'n0' && /^received an unknown vertex/.test(text));
    await net.run(90_000);
    expect(isKnown()).toBe(false);
    await net.run(150_000, isKnown);
    expect(isKnown()).toBe(true);
    for (const name of ['n0', 'n2']) for (const wire of net.wires.between(name, 'n1')) wire.delayMs = 20;
    net.heal();
    await net.until(Promise.all(['n1', 'n3'].map((name) => writes(net, name))), HEAL_MS);
    await busy(net, 2, ['n1', 'n3']);
    end(net);
  });
});

describe('one restored, another down for good', () => {
  const begin = async (seed: number): Promise<SimNetwork> => {
    const net = await networkOf(seed);
    const taken = await copies(net, [0]);
    net.machine('n3').kill();
    await restore(net, taken);
    return net;
  };

  it('nothing decides by itself, and the operator is told who has reported', async () => {
    const net = await begin(1);
    await net.run(60_000);
    expect(await healthOf(net, 'n0')).toMatchObject({
      status: 'syncing',
      reason: expect.stringContaining('seats 1, 2 have'),
    });
    const { order } = await headOf(net, 'n1');
    await net.run(30_000);
    expect([(await headOf(net, 'n1')).order, resumed(net)]).toEqual([order, []]);
    end(net);
  });

  it('with the command the three others continue, and the fourth may come back', async () => {
    const net = await begin(2);
    await net.run(30_000);
    const n0 = net.machine('n0');
    n0.kill();
    const io = new FakeIo();
    const store = new DiskStore(n0.disk, { written() {}, synced: async () => {}, powerFailed() {} });
    await decide(io, store, undefined, true);
    expect(io.stdout).toMatch(/Seat 1 reported: .*\nSeat 2 reported: /);
    void n0.start();
    await net.until(Promise.all(['n1', 'n2'].map((name) => writes(net, name))), HEAL_MS);
    expect(net.log.find(({ text }) => text.startsWith('this seat resumes'))?.fields).toMatchObject({
      isForced: true,
    });
    await busy(net, 3, ['n0', 'n1', 'n2']);
    void net.machine('n3').start();
    await net.until(Promise.all(ALL.map((name) => writes(net, name))), HEAL_MS);
    end(net);
  });
});

describe('with a last-signed record', () => {
  it.each(SEEDS)(
    'one restored seat goes on as soon as its peers have sent what it lacks, seed %i',
    async (seed) => {
      const net = await networkOf(seed, { env: RECORD });
      await restore(net, await copies(net, [0]));
      await net.until(writes(net, 'n0'), 20_000);
      expect([resumed(net), (await headOf(net, 'n0')).epoch]).toEqual([[], 0]);
      expect(net.log.some(({ text }) => /signed here, is missing/.test(text))).toBe(true);
      end(net);
    },
  );

  it('4 of 4 put back to one moment know that they lost something, and continue', async () => {
    const net = await networkOf(5, { env: RECORD });
    const taken = new Map(ALL.map((name, seat) => [seat, net.machine(name).disk.copy()]));
    await busy(net, 4);
    await restore(net, taken);
    await net.until(writes(net, 'n1'), HEAL_MS);
    expect(resumed(net)).toEqual(['n0', 'n1', 'n2']);
    await busy(net, 3, ['n0', 'n1', 'n2']);
    end(net);
  });

  it.each(['cut', 'cutReplace'] as const)('the power fails in one of the two writes (%s)', async (which) => {
    const net = await networkOf(7, { limits: SMALL_EPOCHS, env: RECORD });
    const n0 = net.machine('n0');
    n0.disk[which] = 'before';
    void writes(net, 'n0');
    expect(await net.run(20_000, () => !n0.hasProcess)).toBe(true);
    void n0.start();
    // The record ahead of the store: one seal at most. The store ahead of the record: at once.
    await net.until(writes(net, 'n0'), which === 'cut' ? 150_000 : 10_000);
    expect(resumed(net)).toEqual([]);
    end(net);
  });

  it('one of another network stops the node with a clear error', async () => {
    const net = await networkOf(8, { env: RECORD });
    const [n0, n1] = [net.machine('n0'), net.machine('n1')];
    n0.kill();
    n0.disk.files.writeText(
      RECORD.SERVICE_SIGNED_RECORD,
      n1.disk.files.readText(RECORD.SERVICE_SIGNED_RECORD),
    );
    expect(await net.until(n0.start(), 20_000)).toBe(false);
    expect(n0.failures.map(({ message }) => message)).toEqual([
      expect.stringMatching(/last-signed record \/records\/own is of another key: /),
    ]);
  });
});
