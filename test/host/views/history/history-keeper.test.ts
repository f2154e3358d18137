// The history of an observer: what goes and what stays when its beginning moves, an interruption after any step, and what is
// not dropped because nobody else has it. The node is a whole one; of the observer only the setting matters here.

import { afterEach, describe, expect, it } from 'vitest';
import { checkDocuments } from '../../../../host/net/join-documents.ts';
import { signedHeight } from '../../../../host/ordering/checkpoints.ts';
import { DocumentRoot } from '../../../../host/store/document-root.ts';
import type { EventDoc } from '../../../../host/store/documents.ts';
import { droppedRow } from '../../../../host/store/dropped-documents.ts';
import { eventOf } from '../../../../host/store/events.ts';
import { readHistory } from '../../../../host/store/history.ts';
import { MemoryStore } from '../../../../host/store/memory-store.ts';
import { type Prefix, rangeOf, readU64, rowKey } from '../../../../host/store/prefixes.ts';
import { taskKey, taskState } from '../../../../host/store/task-rows.ts';
import { readJson, WriteSet } from '../../../../host/store/write-set.ts';
import { lastOfChunk } from '../../../../host/views/events/event-lists.ts';
import { HistoryKeeper } from '../../../../host/views/history/history-keeper.ts';
import { taskObject } from '../../../../host/views/tasks/task-view.ts';
import type { EpochLimits } from '../../../../host/wire/block.ts';
import { fromHex, toHex, utf8 } from '../../../../host/wire/bytes.ts';
import { stateRootOf } from '../../../../host/wire/document-proof.ts';
import type { BatchOp, Store } from '../../../../host/world/store.ts';
import { FakeClock, type Parts, restoreAt, send } from '../../one-node/harness.ts';
import { act, GOOD, OTHER, POSTER, post, TOKEN, WORKER, withAgents } from '../../one-node/task-life.ts';

const LIMITS: EpochLimits = { earlyBlocks: 1e9, blocks: 6, vertices: 10_000, timeMs: 1e9 };
const NET = { limits: LIMITS, params: { day_secs: '60' } };
const KEEP_SECS = 200;

async function keysOf(store: Store, prefix: Prefix): Promise<Uint8Array[]> {
  const keys: Uint8Array[] = [];
  for await (const [key] of store.scan(rangeOf(prefix))) keys.push(key);
  return keys;
}

async function rowsOf(store: Store): Promise<Map<string, string>> {
  const rows = new Map<string, string>();
  for await (const [key, value] of store.scan({ gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) }))
    rows.set(toHex(key), toHex(value));
  return rows;
}

/** Keys whose rows differ. */
const differing = (some: Map<string, string>, others: Map<string, string>): string[] =>
  [...new Set([...some.keys(), ...others.keys()])].filter((key) => some.get(key) !== others.get(key));

async function copyOf(store: Store): Promise<MemoryStore> {
  const copy = new MemoryStore();
  const ops: BatchOp[] = [];
  for await (const [key, value] of store.scan({ gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) }))
    ops.push({ key: key.slice(), value: value.slice() });
  await copy.write(ops);
  return copy;
}

interface Story {
  p: Parts;
  /** A paid task, one that is claimed with a commit, and one that is open; the commit's event. */
  paid: string;
  claimed: string;
  open: string;
  commit: string;
}

const commitBody = { outcome: 'progress', approach_description: 'counting' };

/** Some epochs of tasks and payments, and then time. */
async function story(): Promise<Story> {
  const p = await withAgents({ ...NET, snapshotOrders: 1 });
  for (const key of [POSTER, WORKER, OTHER]) await send(p, key, '/v1/stake', { amount: 5000 * TOKEN });
  const claim = { max_delivery_time_secs: 30 * 86_400 };
  const [paid, claimed, open] = [await post(p), await post(p, claim), await post(p)];
  expect(await act(p, WORKER, paid, 'claim')).toBeUndefined();
  expect(await act(p, WORKER, claimed, 'claim')).toBeUndefined();
  const seqBefore = p.ids.state.header().seq;
  expect(await act(p, WORKER, claimed, 'trajectory/commit', commitBody)).toBeUndefined();
  const commit = readJson<EventDoc>(p.store.get(rowKey.event(seqBefore + 1)))!.event_id;
  expect(await act(p, WORKER, paid, 'submit', GOOD)).toBeUndefined();
  expect(await act(p, POSTER, paid, 'approve')).toBeUndefined();
  await pay(p, 30, 4000);
  await p.clock.advance(2 * KEEP_SECS * 1000);
  await pay(p, 10, 1000);
  return { p, paid, claimed, open, commit };
}

async function pay(p: Parts, count: number, ms: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await p.clock.advance(ms);
    expect(
      typeof (await send(p, OTHER, '/v1/transfer', { to_agent: WORKER.publicKeyHex, amount: 1 + i })),
    ).toBe('object');
  }
}

// Its own time: nothing is ordered while it works.
const clock = new FakeClock();
const said: string[] = [];
const keepers: HistoryKeeper[] = [];
afterEach(async () => {
  said.length = 0;
  for (const keeper of keepers.splice(0)) await keeper.stop();
});

function keeperOf(
  p: Parts,
  store: Store,
  o: { isElsewhere?: boolean; failures?: unknown[] } = {},
): HistoryKeeper {
  const log = { debug() {}, info() {}, error() {}, warn: (_: unknown, text: string) => void said.push(text) };
  const keeper = new HistoryKeeper({
    store,
    state: p.ids.state,
    clock,
    log: log as never,
    head: () => p.executor.head,
    signedHeight: () => signedHeight(store),
    keepSecs: KEEP_SECS,
    isElsewhere: () => o.isElsewhere ?? true,
    hasArchive: () => o.isElsewhere ?? true,
    onMoved() {},
    onFailure: (error) => void o.failures?.push(error),
  });
  keepers.push(keeper);
  return keeper;
}

/** Looks, and all steps. */
async function run(keeper: HistoryKeeper): Promise<void> {
  keeper.start();
  for (let i = 0; i < 12; i++) await clock.advance(1000);
  await keeper.stop();
}

describe('a short history', () => {
  it('drops the log and what is over, keeps what is open and the state, and a restart finds its end', async () => {
    const { p, paid, claimed, open, commit } = await story();
    const before = await rowsOf(p.store);
    const root = toHex(p.ids.state.core.stateHash());
    const keeper = keeperOf(p, p.store);
    expect(keeper.current.log).toEqual({ epoch: 0, order: 1, time_secs: 0 });
    await run(keeper);
    const { log, documents } = readHistory(p.store);
    expect(keeper.current).toEqual({ log, documents });
    expect(log.epoch).toBeGreaterThan(2);
    expect(documents.order).toBe(log.order);

    const orders = (await keysOf(p.store, 'o')).map((key) => readU64(key, 1));
    expect(Math.min(...orders)).toBe(log.order);
    for (const order of orders) {
      const id = p.store.get(rowKey.orderedVertex(order))!;
      expect(p.store.get(rowKey.vertex(id)), `vertex at ${order}`).toBeDefined();
    }
    expect(await keysOf(p.store, 'v')).toHaveLength((await keysOf(p.store, 'i')).length);
    const seqs = (await keysOf(p.store, 'q')).map((key) => readU64(key, 1));
    expect(seqs.filter((seq) => seq < documents.seq)).toEqual([eventOf(p.store, fromHex(commit)!)!.seq]);
    expect((await keysOf(p.store, 'e')).length).toBe(seqs.length);
    for (const key of await keysOf(p.store, 'l'))
      expect(lastOfChunk(p.store.get(key)!)).toBeGreaterThanOrEqual(documents.seq);

    expect(taskObject(p.store, fromHex(paid)!)).toBeUndefined();
    expect(p.store.get(rowKey.resultContent(fromHex(paid)!))).toBeUndefined();
    for (const id of [claimed, open]) expect(taskObject(p.store, fromHex(id)!), id).toBeDefined();
    expect(taskState(p.store, fromHex(claimed)!)!.commits).toBe(1);
    expect(p.tasks.page({}, 0, 10).ids.map(toHex).sort()).toEqual([claimed, open].sort());
    expect(p.ids.tasks.isCommit(fromHex(claimed)!, fromHex(commit)!)).toBe(true);

    // Nothing else was touched, and the state is that of the whole log.
    const after = await rowsOf(p.store);
    const isPart = (key: string): boolean =>
      'vboriXteqlxugjHYN'.includes(String.fromCharCode(Number.parseInt(key.slice(0, 2), 16)));
    for (const [key, row] of before)
      if (!isPart(key) && !key.startsWith('6d') && !key.startsWith('77')) expect(after.get(key)).toBe(row);
    expect((await restoreAt(p.store, true, NET)).root).toBe(root);

    // What goes on is as before: the worker delivers, and is paid.
    expect(await act(p, WORKER, claimed, 'submit', GOOD)).toBeUndefined();
    expect(await act(p, POSTER, claimed, 'approve')).toBeUndefined();
    expect(await act(p, WORKER, paid, 'submit', GOOD)).toBe('task_not_found');
  }, 60_000);

  it('is finished by the next start, whichever step was the last', async () => {
    const { p } = await story();
    const start = await copyOf(p.store);
    const whole = await copyOf(start);
    await run(keeperOf(p, whole));
    const wanted = await rowsOf(whole);
    for (let steps = 0; ; steps++) {
      const store = await copyOf(start);
      const failures: unknown[] = [];
      let left = steps;
      const cut: Store = Object.create(store, {
        write: {
          value: (ops: BatchOp[]) =>
            left-- > 0 ? store.write(ops) : Promise.reject(new Error('the power failed')),
        },
      });
      for (const name of ['get', 'getMany', 'getTexts', 'scan'] as const)
        Object.defineProperty(cut, name, {
          value: (...args: never[]) => (store[name] as (...a: never[]) => unknown)(...args),
        });
      await run(keeperOf(p, cut, { failures }));
      if (failures.length === 0) {
        expect(steps).toBeGreaterThan(4);
        break;
      }
      const { log } = readHistory(store);
      if (steps > 0) expect(log.epoch).toBeGreaterThan(0);
      await run(keeperOf(p, store));
      expect(differing(await rowsOf(store), wanted), `after ${steps} steps`).toEqual([]);
    }
  }, 120_000);

  it('drops a task only once the stored snapshot is from after the core let go of it', async () => {
    const { p, paid } = await story();
    const snapshot = p.store.get(rowKey.meta('snapshot'))!;
    const mark = readJson<{ order: number }>(snapshot)!;
    const old = { ...mark, order: p.executor.head.order - 1 };
    await p.store.write([{ key: rowKey.meta('snapshot'), value: Buffer.from(JSON.stringify(old)) }]);
    const keeper = keeperOf(p, p.store);
    await run(keeper);
    expect(taskObject(p.store, fromHex(paid)!)).toBeDefined();
    await p.store.write([{ key: rowKey.meta('snapshot'), value: snapshot }]);
    await run(keeperOf(p, p.store));
    expect(taskObject(p.store, fromHex(paid)!)).toBeUndefined();
  }, 60_000);

  it('keeps what no other node is known to have, and says so', async () => {
    const { p } = await story();
    const before = await rowsOf(p.store);
    const keeper = keeperOf(p, p.store, { isElsewhere: false });
    await run(keeper);
    expect(differing(await rowsOf(p.store), before)).toEqual([]);
    expect(said).toEqual([expect.stringContaining('keeping more history')]);
    expect(keeper.isUnarchived).toBe(false);
  }, 60_000);

  it('leaves the values of leaves, so that whoever joins from it finds the signed root', async () => {
    const { p, claimed, commit } = await story();
    const core = p.ids.state.core.stateHash();
    const signed = stateRootOf(core, new DocumentRoot(p.store).update(new WriteSet(p.store)));
    await run(keeperOf(p, p.store));
    const leaves = await keysOf(p.store, 'G');
    // Of the paid task: both parts, submission, result.
    expect(leaves.map((key) => String.fromCharCode(key[1]!))).toEqual(['u', 'x', 'x', 'x']);

    const joined = async (ops: BatchOp[] = []): Promise<void> => {
      const store = await copyOf(p.store);
      const own = [...(await keysOf(store, 'T')), ...(await keysOf(store, 'M'))];
      await store.write([...own.map((key) => ({ key, value: undefined })), ...ops]);
      await checkDocuments(store, p.ids.state, core, signed);
    };
    await joined();
    const [leaf] = leaves as [Uint8Array];
    await expect(joined([{ key: leaf, value: undefined }])).rejects.toThrow('has root');
    await expect(joined([{ key: leaf, value: new Uint8Array(32) }])).rejects.toThrow('has root');
    // What is needed may not be dropped: a document of a task that goes on, the event of its commit, an agent.
    const drop = (key: Uint8Array): BatchOp[] => droppedRow(key, p.store.get(key));
    await expect(joined(drop(taskKey('text', fromHex(claimed)!)))).rejects.toThrow('unfinished task');
    const event = rowKey.event(eventOf(p.store, fromHex(commit)!)!.seq);
    await expect(joined(drop(event))).rejects.toThrow(`open event ${commit} is missing`);
    const agent: BatchOp = { key: rowKey.droppedLeaf(utf8('a'.repeat(33))), value: new Uint8Array(32) };
    await expect(joined([agent])).rejects.toThrow('cannot have been dropped');
    // Nothing is missing where the history is whole, and nothing is there twice.
    const whole: BatchOp = { key: rowKey.totals('history'), value: undefined };
    await expect(joined([whole])).rejects.toThrow('is missing');
    const twice = drop(taskKey('text', fromHex(claimed)!)).slice(1);
    await expect(joined(twice)).rejects.toThrow('dropped as well');
  }, 60_000);
});
