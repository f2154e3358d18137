// Suite `store`: one synced atomic batch for each group of transactions, as the node writes it, against the same batch
// unsynced and on LevelDB; then point reads.
// Keeps: all stores get the same batches in turns and must contain the same rows afterwards. The disk is that of the
// system's temporary directory.

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BatchOp } from '../host/world/store.ts';
import { openClassic } from '../host/world/system/classic-store.ts';
import { openRocksdb } from '../host/world/system/rocksdb-store.ts';
import { SeededRandom } from '../tools/load/seeded-random.ts';
import { openUnsynced, type PlainStore } from './peers/unsynced-store.ts';
import { median, quantile, type Row, row, type SuiteRun, sameWork } from './row.ts';
import { GroupMaker } from './store-groups.ts';

const OURS = 'RocksDB, synced';
const PEERS = ['RocksDB, unsynced', 'LevelDB, synced'] as const;
type Name = typeof OURS | (typeof PEERS)[number];
type Stores = Record<Name, PlainStore>;
type Times = Record<Name, number[]>;

interface Sizes {
  /** Transactions per group, and the number of groups of that size. */
  groups: readonly (readonly [size: number, count: number])[];
  reads: number;
}
const FULL: Sizes = {
  groups: [
    [1, 300],
    [10, 300],
    [100, 100],
    [1000, 20],
  ],
  reads: 20_000,
};
const SMALL: Sizes = {
  groups: [
    [1, 5],
    [10, 3],
  ],
  reads: 200,
};

const names = [OURS, ...PEERS] as const;
const noTimes = (): Times => ({ [OURS]: [], [PEERS[0]]: [], [PEERS[1]]: [] });

/** Writes every batch to every store, each time starting with another one. */
async function writeAll(stores: Stores, batches: readonly BatchOp[][]): Promise<Times> {
  const times = noTimes();
  for (const [i, batch] of batches.entries()) {
    for (let k = 0; k < names.length; k++) {
      const name = names[(i + k) % names.length]!;
      const startedMs = performance.now();
      await stores[name].write(batch);
      times[name].push(performance.now() - startedMs);
    }
  }
  return times;
}

/** Hash of each store's current values of these keys. */
function contents(stores: Stores, keys: readonly Uint8Array[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const sum = createHash('sha256');
      for (const key of keys) sum.update(stores[name].get(key) ?? 'missing');
      return [name, sum.digest('hex')];
    }),
  );
}

function groupRows(size: number, count: number, times: Times): Row[] {
  const params = { transactions: size, groups: count };
  return PEERS.flatMap((peer) => {
    const of = (
      measure: (values: readonly number[]) => number,
    ): [number, { name: string; value: number }] => [
      measure(times[OURS]),
      { name: peer, value: measure(times[peer]) },
    ];
    const p99 = (values: readonly number[]): number => quantile(values, 0.99);
    return [
      row('store', 'write a group, median', params, 'ms', ...of(median)),
      row('store', 'write a group, p99', params, 'ms', ...of(p99)),
    ];
  });
}

/** Random point reads, in chunks of a hundred. */
function readRows(stores: Stores, keys: readonly Uint8Array[], count: number): Row[] {
  const portion = 100;
  const times = noTimes();
  for (let done = 0; done < count; done += portion) {
    for (const name of names) {
      const random = new SeededRandom(done);
      const startedMs = performance.now();
      for (let i = 0; i < portion; i++) stores[name].get(random.pick(keys));
      times[name].push(performance.now() - startedMs);
    }
  }
  const perSecond = (name: Name): number => (portion / median(times[name])) * 1000;
  // Sync does not matter for reads, so the other engine is the only peer.
  const peer = { name: 'LevelDB', value: perSecond('LevelDB, synced') };
  return [row('store', 'point read', { rows: keys.length, reads: count }, '/s', perSecond(OURS), peer)];
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  const sizes = suite.small ? SMALL : FULL;
  const dir = await mkdtemp(join(tmpdir(), 'vws-bench-store-'));
  const stores: Stores = {
    [OURS]: await openRocksdb(join(dir, 'rocksdb')),
    [PEERS[0]]: await openUnsynced(join(dir, 'unsynced')),
    [PEERS[1]]: await openClassic(join(dir, 'classic')),
  };
  try {
    const maker = await GroupMaker.begin(3);
    const rows: Row[] = [];
    const keys = new Map<string, Uint8Array>();
    for (const [size, count] of sizes.groups) {
      const batches = await maker.groups(count, size);
      for (const op of batches.flat()) keys.set(Buffer.from(op.key).toString('latin1'), op.key);
      const times = await writeAll(stores, batches);
      const bytes = batches.flat().reduce((n, op) => n + op.key.length + (op.value?.length ?? 0), 0);
      suite.say(`  groups of ${size}: ${(bytes / size / count / 1024).toFixed(1)} KiB per transaction`);
      rows.push(...groupRows(size, count, times));
    }
    const all = [...keys.values()];
    sameWork(suite, `${all.length} rows`, contents(stores, all));
    return [...rows, ...readRows(stores, all, sizes.reads)];
  } finally {
    for (const name of names) await stores[name].close();
    await rm(dir, { recursive: true, force: true });
  }
}
