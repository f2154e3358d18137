// Seats that start again from a published snapshot: none of them signs a second vertex of a number (consensus 5.12).

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { beginAtSeal } from '../../host/audit/begin-at-seal.ts';
import { BOUNDS, HttpSource, type LogSource } from '../../host/audit/index.ts';
import { createSnapshot, restoreSnapshot } from '../../host/cli/snapshot/snapshot.ts';
import { MemoryStore } from '../../host/store/memory-store.ts';
import { rangeOf, rowKey } from '../../host/store/prefixes.ts';
import { toHex } from '../../host/wire/bytes.ts';
import { incarnationOf } from '../../host/wire/seq.ts';
import { decodeVertex } from '../../host/wire/vertex.ts';
import { modules, randomBytes, verifyBatch } from '../host/audit/auditors.ts';
import { headOf } from './answers.ts';
import { clientOf, environmentOf, registered } from './client.ts';
import type { DiskImage } from './disk.ts';
import { SimNetwork } from './network.ts';

let agents = 0;
async function busy(net: SimNetwork, names: readonly string[], rounds: number): Promise<void> {
  for (let i = 0; i < rounds; i++) {
    const writes = names.map((name) => registered(net, clientOf(net, name, ++agents)));
    await net.until(Promise.all(writes), 30_000);
    await net.run(300);
  }
}

const epochOf = async (net: SimNetwork, name: string): Promise<number> => (await headOf(net, name)).epoch;

/** What a machine answers to somebody who takes its state, all of it taken before anything touches a real disk. */
async function answersOf(net: SimNetwork, by: string): Promise<LogSource> {
  const source = new HttpSource(
    `http://${by}`,
    environmentOf(net, () => {}),
  );
  const taken = new Map<string, Uint8Array>();
  const kept = async (name: string, ask: () => Promise<Uint8Array>): Promise<Uint8Array> => {
    const answer = taken.get(name) ?? (await ask());
    taken.set(name, answer);
    return answer;
  };
  const { seals, state } = {
    seals: source.seals.bind(source),
    state: source.state.bind(source),
  };
  source.seals = (from) => kept(`${from}`, () => seals(from));
  source.state = (epoch, after) => kept(`${epoch} ${after}`, () => state(epoch, after));
  const store = new MemoryStore();
  const { genesis, scale } = net;
  const verify = verifyBatch;
  const bounds = BOUNDS;
  await net.until(
    beginAtSeal({ genesis, scale, modules, store, source, verify, bounds, rows: 'all' }),
    20_000,
  );
  const document = await net.until(source.genesis(), 5000);
  source.genesis = async () => document;
  return source;
}

/** The data directory that `vws snapshot restore` makes of what a machine publishes; taken in its running epoch. */
async function published(net: SimNetwork, by: string): Promise<{ image: DiskImage; epoch: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'vws-world-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'a.vwssnap');
  const tools = { modules, randomBytes, nowMs: () => net.universe.nowMs, scale: net.scale };
  await createSnapshot(await answersOf(net, by), path, new MemoryStore(), tools);
  const store = new MemoryStore();
  const { epoch } = await restoreSnapshot(path, { genesisHash: net.genesis.hashHex }, store, tools);
  const rows: [Uint8Array, Uint8Array][] = [];
  for await (const [key, value] of store.scan({ gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) }))
    rows.push([key, value]);
  return { image: { rows, files: new Map() }, epoch };
}

/** Vertices of a seat on a disk: "epoch id, seq" -> vertex id. */
function signedIn(net: SimNetwork, name: string, seat: number): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of net.machine(name).disk.rows(rangeOf('v'))) {
    const { creator, epochId, seq } = decodeVertex(value)!.header;
    if (creator === seat) found.set(`${toHex(epochId)} ${seq}`, toHex(key.subarray(1)));
  }
  return found;
}

async function nextEpoch(net: SimNetwork, name: string): Promise<void> {
  const epoch = await epochOf(net, name);
  for (let i = 0; i < 200 && (await epochOf(net, name)) === epoch; i++) await busy(net, [name], 1);
  expect(await epochOf(net, name)).toBeGreaterThan(epoch);
}

it('one of four that lost its disk starts from a snapshot of another and takes part again', async () => {
  const net = new SimNetwork({ seed: 21, seats: 4 });
  await net.start();
  await nextEpoch(net, 'n1');
  await busy(net, ['n1', 'n0'], 2);
  const { image } = await published(net, 'n1');
  await busy(net, ['n0', 'n1', 'n2'], 3);
  const before = signedIn(net, 'n1', 0);

  net.machine('n0').kill();
  net.machine('n0').disk.restore(image);
  net.watch.restored(net.machines, net.universe.nowMs);
  void net.machine('n0').start();
  for (let i = 0; i < 3; i++) await nextEpoch(net, 'n1');
  await busy(net, ['n0'], 2);
  await net.run(5000);

  const after = signedIn(net, 'n1', 0);
  expect(after.size).toBeGreaterThan(before.size);
  for (const [seq, id] of before) expect(after.get(seq)).toBe(id);
  expect(net.watch.fault).toBeUndefined();
  expect(net.machines.flatMap(({ failures }) => failures.map(String))).toEqual([]);
  const statuses = [...net.watch.events.values()].filter(({ type }) => type === 'validator_status');
  expect(statuses).toEqual([]);
  for (const machine of net.machines) machine.kill();
});

it('a seat that decides alone goes on from a snapshot in an incarnation of its own', async () => {
  const net = new SimNetwork({ seed: 22, seats: 1 });
  await net.start();
  await nextEpoch(net, 'n0');
  // Only a vertex of the new epoch proves that it opened, and the seat has made none when it seals with its last write.
  await busy(net, ['n0'], 1);
  const { image, epoch } = await published(net, 'n0');
  await busy(net, ['n0'], 3);
  expect(await epochOf(net, 'n0')).toBe(epoch);
  const before = signedIn(net, 'n0', 0);

  net.machine('n0').kill();
  net.machine('n0').disk.restore(image);
  net.watch.restored(net.machines, net.universe.nowMs);
  void net.machine('n0').start();
  await busy(net, ['n0'], 3);
  const after = signedIn(net, 'n0', 0);
  expect(after.size).toBeGreaterThan(2);
  const seqs = [...after.keys()].map((name) => Number(name.split(' ')[1]));
  expect(seqs.filter((seq) => incarnationOf(seq) === 0)).toEqual([]);
  expect([...after.keys()].filter((seq) => before.has(seq))).toEqual([]);
  for (const machine of net.machines) machine.kill();
});

it('a seat that decides alone does not begin a new history where a restore was interrupted', async () => {
  const net = new SimNetwork({ seed: 23, seats: 1 });
  await net.start();
  await nextEpoch(net, 'n0');
  await busy(net, ['n0'], 1);
  const { image } = await published(net, 'n0');
  const n0 = net.machine('n0');
  n0.kill();
  // The last batch of a restore takes the mark away and names the head.
  const last = [rowKey.meta('head'), rowKey.meta('snapshot')].map(toHex);
  const mark = [rowKey.meta('joining'), Buffer.from('{"epoch":1}')] as const;
  const rows = [...image.rows.filter(([key]) => !last.includes(toHex(key))), mark];
  n0.disk.restore({ rows, files: new Map() });
  expect(await net.until(n0.start(), 20_000)).toBe(false);
  expect(n0.failures.splice(0).map(String)).toEqual([
    expect.stringMatching(/^StoreError: .* begun here and did not end.*vws snapshot restore/),
  ]);
  n0.disk.restore(image);
  net.watch.restored(net.machines, net.universe.nowMs);
  void n0.start();
  await busy(net, ['n0'], 1);
  for (const machine of net.machines) machine.kill();
});
