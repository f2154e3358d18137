// An observer with a short history among four seats: killed while it drops, it ends where the others are; who joins from it is
// told what is missing; who audits it is told what it has, and from a signed state finds it honest. When it says that it has
// what it dropped, who relies on it alone has no false state, but does not learn what is missing (docs/security.md).

import { expect, it } from 'vitest';
import { HttpSource, Verifier } from '../../host/audit/index.ts';
import { keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { decodeMessage, encodeMessage } from '../../host/net/messages.ts';
import { readHistory } from '../../host/store/history.ts';
import { MemoryStore } from '../../host/store/memory-store.ts';
import { rangeOf, readU64, rowKey } from '../../host/store/prefixes.ts';
import { lastOfChunk } from '../../host/views/events/event-lists.ts';
import { systemProgram } from '../../host/world/system/files.ts';
import { jsonOf } from './answers.ts';
import { environmentOf } from './client.ts';
import { Load } from './load.ts';
import { type Machine, modules } from './machine.ts';
import { SimNetwork } from './network.ts';
import type { Filter } from './wires.ts';

const LIMITS = { earlyBlocks: 4, blocks: 40, vertices: 400, timeMs: 8000 };
const HISTORY_SECS = 30;
const SEATS = ['n0', 'n1', 'n2', 'n3'];

const keyOf = (n: number) => keyPairFromSeed(new Uint8Array(32).fill(n));
const hasLogged = (net: SimNetwork, name: string, text: string, from = 0): boolean =>
  net.log.slice(from).some((line) => line.machine === name && line.text.includes(text));

/** Rows before the beginning that a machine states. */
function rowsBefore({ disk }: Machine): number {
  const { log, documents } = readHistory(disk);
  const orders = disk.rows(rangeOf('o')).filter(([key]) => readU64(key, 1) < log.order);
  const vertices = disk.rows({ gte: rowKey.epochVertex(0, 0), lt: rowKey.epochVertex(log.epoch, 0) });
  const chunks = disk.rows(rangeOf('l')).filter(([, row]) => lastOfChunk(row) < documents.seq);
  return orders.length + vertices.length + chunks.length;
}

interface Status {
  order: number;
  history_from: { epoch: number; order: number; documents_seq: number };
  full_history_at: string[];
  history_unarchived?: boolean;
}
const statusOf = (net: SimNetwork, name: string) => jsonOf<Status>(net, name, '/v1/status');
const rootOf = async (net: SimNetwork, name: string): Promise<string> => {
  const { height, state_root } = (await jsonOf<{ height: number; state_root: string }>(
    net,
    name,
    '/v1/checkpoints/latest',
  ))!;
  return `${height} ${state_root}`;
};

/** Says in every head that the sender has the whole log. */
const boasting: Filter = (bytes) => {
  const message = decodeMessage(bytes);
  if (message?.type !== 'head') return [bytes];
  return [encodeMessage({ ...message, from: { epoch: 0, order: 1, seq: 1 } })];
};

async function auditOf(net: SimNetwork, name: string, way: 'genesis' | 'checkpoint'): Promise<Verifier> {
  const environment = environmentOf(net, () => {});
  const store = new MemoryStore();
  return Verifier.open({
    source: new HttpSource(`http://${name}`, environment),
    modules: {
      core: modules['core.wasm'],
      consensus: modules['consensus.wasm'],
      ed25519: await systemProgram.module('ed25519.wasm'),
    },
    store: Object.assign(store, { find: async (key: Uint8Array) => store.get(key) }),
    way,
    environment,
    scale: net.scale,
  });
}

it('is killed while it drops, joined from and audited, and always says what it has', async () => {
  const net = new SimNetwork({
    seed: 16,
    seats: 4,
    limits: LIMITS,
    env: { SERVICE_AUTOVALIDATOR: 'true', SERVICE_OBSERVERS: '*' },
  });
  const plain = { SERVICE_AUTOVALIDATOR: 'false' };
  const short = net.add({
    name: 'o0',
    key: keyOf(100),
    isObserver: true,
    historySecs: HISTORY_SECS,
    env: plain,
  });
  await net.start();
  const load = new Load(net, { agents: 4, machines: SEATS, readers: [...SEATS, 'o0'], pauseMs: 1500 });
  load.start();

  await net.run(10_000);
  const [old] = (await jsonOf<{ seq: number; event_id: string }[]>(net, 'n0', '/v1/events/recent?limit=1'))!;

  // Killed after the beginning has moved, and before all that lies before it is gone.
  expect(await net.run(180_000, () => hasLogged(net, 'o0', 'history begins later now'))).toBe(true);
  expect(await net.run(5000, () => rowsBefore(short) > 0 && short.disk.rows(rangeOf('i')).length > 0)).toBe(
    true,
  );
  await net.run(25);
  short.kill();
  expect(rowsBefore(short)).toBeGreaterThan(0);
  const stated = readHistory(short.disk);
  expect(stated.log.epoch).toBeGreaterThan(0);
  const restartedAt = net.log.length;
  await net.until(short.start(), 60_000);
  expect(await net.run(60_000, () => hasLogged(net, 'o0', 'older history is dropped', restartedAt))).toBe(
    true,
  );
  expect(rowsBefore(short)).toBe(0);

  const { history_from: from, full_history_at: at, history_unarchived } = (await statusOf(net, 'o0'))!;
  expect(from.epoch).toBeGreaterThanOrEqual(stated.log.epoch);
  expect(at.sort()).toEqual(['v0', 'v1', 'v2', 'v3']);
  expect(history_unarchived).toBeUndefined();
  expect((await statusOf(net, 'n0'))!.history_from).toMatchObject({ epoch: 0, order: 1, documents_seq: 1 });

  // A joiner that knows nobody else has what it has, and says so.
  const joiner = net.add({ name: 'o1', key: keyOf(101), isObserver: true, peers: ['o0:8337'], env: plain });
  await net.until(joiner.start(), 60_000);
  const caughtUp = async (): Promise<boolean> => {
    const [own, others] = [await statusOf(net, 'o1'), await statusOf(net, 'n0')];
    return own !== undefined && others !== undefined && others.order - own.order < 20;
  };
  for (let i = 0; i < 60 && !(await caughtUp()); i++) await net.run(1000);
  expect(hasLogged(net, 'o1', 'documents of older events are missing')).toBe(true);
  expect((await statusOf(net, 'o1'))!.history_from.documents_seq).toBeGreaterThan(1);
  await net.run(15_000);
  expect((await statusOf(net, 'o1'))!.history_unarchived).toBe(true);
  expect(hasLogged(net, 'o1', 'neither this node nor a connected one has the whole log')).toBe(true);

  // One that is told otherwise believes it: it has no reason to warn, and may drop what nobody has.
  short.o.filter = boasting;
  const lone = { key: keyOf(102), isObserver: true, peers: ['o0:8337'] };
  const deceived = net.add({ ...lone, name: 'o2', historySecs: HISTORY_SECS, env: plain });
  const replaying = net.add({
    ...lone,
    name: 'o3',
    key: keyOf(103),
    env: { ...plain, SERVICE_JOIN: 'replay' },
  });
  await net.until(deceived.start(), 60_000);
  void replaying.start();
  await net.run(30_000);
  expect((await statusOf(net, 'o2'))!.history_unarchived).toBeUndefined();
  expect(hasLogged(net, 'o2', 'neither this node nor a connected one has the whole log')).toBe(false);
  // Who wants every vertex from the first on gets none, and shows no state.
  expect((await statusOf(net, 'o3'))?.order ?? 0).toBe(0);

  // Reads that need no history are the same; the others say where it begins.
  load.stop();
  await net.run(10_000);
  expect(await rootOf(net, 'o0')).toBe(await rootOf(net, 'n0'));
  expect(await rootOf(net, 'o1')).toBe(await rootOf(net, 'n0'));
  expect(await rootOf(net, 'o2')).toBe(await rootOf(net, 'n0'));
  for (const agent of load.agents) {
    const path = `/v1/agents/${agent.key}/balance`;
    expect(await jsonOf(net, 'o0', path)).toEqual(await jsonOf(net, 'n0', path));
  }
  expect(old!.seq).toBeLessThan(from.documents_seq);
  const refused = await jsonOf<{ code: string }>(net, 'o0', `/v1/events/${old!.event_id}`);
  expect(refused!.code).toBe('history_dropped');
  const reply = await net.until(short.request({ method: 'GET', path: '/v1/events/recent?limit=100' }), 5000);
  expect(Number(reply.headers['X-Service-History-From'])).toBeGreaterThanOrEqual(from.order);
  for (const { seq } of JSON.parse(reply.body as string))
    expect(seq).toBeGreaterThanOrEqual(from.documents_seq);

  // An auditor is told what the node has, and whom to ask; from a signed state on the node is found honest.
  const whole = await net.until(auditOf(net, 'o0', 'genesis'), 60_000);
  const nothing = await net.until(whole.run(), 120_000);
  expect(nothing).toMatchObject({ order: 0, checkpoint: 0 });
  const pruned = nothing.findings.find(({ kind }) => kind === 'pruned');
  expect(pruned?.text).toMatch(/begins at order \d+, \d{4}-.*checkpoint.*whole log: .*v[0-3]/);
  const part = await net.until(auditOf(net, 'o0', 'checkpoint'), 60_000);
  const proven = await net.until(part.run(), 120_000);
  expect(proven).toMatchObject({ isGood: true, shown: 'proven' });
  expect(proven.order).toBeGreaterThan(from.order);
  for (const machine of net.machines) {
    expect(machine.failures).toEqual([]);
    machine.kill();
  }
}, 600_000);
