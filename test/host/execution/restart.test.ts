// Restarts between any two batches of a run (consensus 5.12, 8.1 P12): the continued log is byte for byte the one of a
// node that never stopped, across seals, from every snapshot, and with the last batch lost.

import { describe, expect, it } from 'vitest';
import { LEAF_BYTES, LEAF_HASH_BYTES, PAGE_LEAVES } from '../../../assembly/abi.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { readTotals } from '../../../host/execution/recovery.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { decodePage, encodePage } from '../../../host/store/state-pages.ts';
import { SYSTEM_AUTHOR } from '../../../host/views/events/authors.ts';
import type { EpochLimits } from '../../../host/wire/block.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { encodeEntry } from '../../../host/wire/entry.ts';
import { sha256 } from '../../../host/wire/hash.ts';
import type { Store } from '../../../host/world/store.ts';
import { SeededRandom } from '../../../tools/load/seeded-random.ts';
import { testSeed } from '../../e2e/seed.ts';
import {
  assemble,
  FakeClock,
  order,
  restore,
  seedOf,
  signedEntry,
  type TestNet,
} from '../one-node/harness.ts';
import { blocksOf, verticesOf } from '../one-node/log.ts';
import { heavyManifest } from '../one-node/manifests.ts';

const NEVER: EpochLimits = { earlyBlocks: 1e9, blocks: 1e9, vertices: 10_000, timeMs: 1e9 };
const STEPS = 14;

const NETS: [name: string, net: TestNet][] = [
  ['one epoch', {}],
  ['a seal every 7 blocks', { limits: { ...NEVER, blocks: 7 } }],
  [
    'absent seats, a seal every 9 blocks',
    {
      manifest: heavyManifest(5, 0.7),
      params: { min_participants: '1' },
      limits: { ...NEVER, blocks: 9 },
    },
  ],
];

/** What each batch of a run is offered, and when. */
function plan(random: SeededRandom): { atMs: number; entries: Uint8Array[] }[] {
  const clock = new FakeClock();
  const agents = Array.from({ length: 8 }, (_, i) => keyPairFromSeed(seedOf(100 + i)));
  return Array.from({ length: STEPS }, (_, step) => {
    clock.ms += random.below(3) === 0 ? random.below(9000) : random.below(400);
    const count = 1 + random.below(4);
    const entries = Array.from({ length: count }, () => {
      const [from, to] = [agents[random.below(8)]!, agents[random.below(8)]!];
      if (step < 3 || random.below(4) === 0)
        return signedEntry(clock, from, '/v1/agents', { initial_stake: 1_000_000_000 });
      const body = { to_agent: to.publicKeyHex, amount: 1 + random.below(1000) };
      return signedEntry(clock, from, '/v1/transfer', body);
    });
    return { atMs: clock.ms, entries: entries.map(encodeEntry) };
  });
}

async function copyOf(store: Store): Promise<MemoryStore> {
  const copy = new MemoryStore();
  const ops = [];
  for await (const [key, value] of store.scan({ gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) }))
    ops.push({ key, value });
  await copy.write(ops);
  return copy;
}

interface Run {
  store: MemoryStore;
  /** The store after each batch, of a run from the beginning. */
  copies: MemoryStore[];
  root: string;
  /** Pages of the event lists of all authors. */
  lists: unknown[];
}

/** Runs the batches from a number on, on a store that holds those before it. */
async function run(
  net: TestNet,
  batches: ReturnType<typeof plan>,
  store: MemoryStore,
  from = 0,
  keepCopies = from === 0,
): Promise<Run> {
  const clock = new FakeClock();
  const p = await assemble({ ...net, store, clock, snapshotOrders: 13 });
  const copies: MemoryStore[] = [];
  for (const { atMs, entries } of batches.slice(from)) {
    clock.ms = atMs;
    expect(await order(p, entries)).toHaveLength(entries.length);
    if (keepCopies) copies.push(await copyOf(store));
  }
  const authors = [SYSTEM_AUTHOR, ...Array.from({ length: p.ids.state.header().agents }, (_, i) => i + 1)];
  const lists = authors.map((author) => p.lists.page(author, 0, 0, 200));
  return { store, copies, root: toHex(p.ids.state.core.stateHash()), lists };
}

const logOf = (store: Store): string[] => blocksOf(store).map(({ hash }) => toHex(hash));

describe.each(NETS)('%s', (_, net) => {
  const seed = testSeed(7);
  const batches = plan(new SeededRandom(seed));

  it(`a node that is killed after any batch continues as if it had not been (seed ${seed})`, async () => {
    const whole = await run(net, batches, new MemoryStore());
    const log = logOf(whole.store);
    expect(log.length).toBeGreaterThan(STEPS);
    expect(whole.lists.length).toBeGreaterThan(4);
    for (let at = 0; at < STEPS - 1; at++) {
      const again = await run(net, batches, await copyOf(whole.copies[at]!), at + 1);
      expect([again.root, logOf(again.store), again.lists], `killed after batch ${at}`).toEqual([
        whole.root,
        log,
        whole.lists,
      ]);
    }
  });

  it(`every copy of the store has one root, from its snapshot and from genesis (seed ${seed})`, async () => {
    const { copies } = await run(net, batches, new MemoryStore());
    for (const [at, copy] of copies.entries()) {
      const roots = [];
      for (const useSnapshot of [true, false]) {
        const { ids, ordering } = await restore(copy, net, useSnapshot);
        roots.push(toHex(ids.state.core.stateHash()));
        const { number } = ordering.epoch;
        // The vertices that waited are back, so the next own vertex has the next seq.
        expect(ordering.dag.vertexCount).toBe(verticesOf(copy, number).length);
        expect(ordering.dag.own?.seq ?? 0).toBe(verticesOf(copy, number).length);
      }
      expect(roots[0], `copy ${at}`).toBe(roots[1]);
    }
  });
});

describe('a damaged log is refused', () => {
  const net: TestNet = { limits: { ...NEVER, blocks: 5 } };
  const batches = plan(new SeededRandom(3));

  async function damagedBy(
    change: (store: MemoryStore) => Promise<void>,
    useSnapshot = false,
  ): Promise<string> {
    const { store } = await run(net, batches, new MemoryStore());
    await change(store);
    return restore(store, net, useSnapshot).then(
      () => 'no fault',
      (error: Error) => error.message,
    );
  }

  it('a missing vertex, block or epoch record', async () => {
    const gone = (key: Uint8Array) => (store: MemoryStore) => store.write([{ key, value: undefined }]);
    expect(await damagedBy(gone(rowKey.block(8)))).toMatch(/damaged at block 8: the block is missing/);
    expect(await damagedBy(gone(rowKey.epoch(2)))).toMatch(/damaged at block 10: the record of epoch 2/);
    expect(await damagedBy(gone(rowKey.epochVertex(1, 3)))).toMatch(/damaged at block [6-9]: the vertices/);
  });

  it('a block with one bit flipped', async () => {
    const key = rowKey.block(8);
    const text = await damagedBy(async (store) => {
      const value = store.get(key)!.slice();
      value[value.length - 1]! ^= 1;
      await store.write([{ key, value }]);
    });
    expect(text).toMatch(/damaged at block 8: its vertices make another block/);
  });

  it('a snapshot that is not the one of its root', async () => {
    const key = rowKey.meta('snapshot');
    const text = await damagedBy(async (store) => {
      const mark = JSON.parse(Buffer.from(store.get(key)!).toString());
      const value = JSON.stringify({ ...mark, root: '0'.repeat(64) });
      await store.write([{ key, value: Buffer.from(value) }]);
    }, true);
    expect(text).toMatch(/the snapshot at order \d+ is damaged/);
  });

  it('a page of the snapshot with one bit flipped, in a leaf or a hash; one of another time; a missing one', async () => {
    const key = rowKey.statePage(0);
    const flipped = (at: number) => async (store: MemoryStore) => {
      const value = store.get(key)!.slice();
      value[at]! ^= 1;
      await store.write([{ key, value }]);
    };
    const pageFault = /the snapshot at order \d+ is damaged: page 0 is not as it was written/;
    const last = PAGE_LEAVES * (LEAF_BYTES + LEAF_HASH_BYTES) + 31;
    for (const at of [9, 1000, PAGE_LEAVES * LEAF_BYTES + 5, last])
      expect(await damagedBy(flipped(at), true), `byte ${at}`).toMatch(pageFault);
    const ofAnotherTime = async (store: MemoryStore): Promise<void> => {
      const page = decodePage(store.get(key)!)!;
      const [leaves, hashes] = [page.leaves.slice(), page.hashes.slice()];
      // The hash of the last block, which no check of the core compares with anything.
      const { blockHash } = JSON.parse(Buffer.from(store.get(rowKey.meta('snapshot'))!).toString());
      const at = Buffer.from(leaves).indexOf(Buffer.from(blockHash, 'hex'));
      expect(at).toBeGreaterThan(0);
      leaves[at]! ^= 1;
      const leaf = Math.floor(at / LEAF_BYTES);
      const bytes = leaves.subarray(leaf * LEAF_BYTES, (leaf + 1) * LEAF_BYTES);
      hashes.set(sha256(bytes, Uint8Array.of(0)), leaf * LEAF_HASH_BYTES);
      await store.write([{ key, value: encodePage({ leaves, hashes }) }]);
    };
    expect(await damagedBy(ofAnotherTime, true)).toMatch(/is damaged: root/);
    const missing = async (store: MemoryStore): Promise<void> => store.write([{ key, value: undefined }]);
    expect(await damagedBy(missing, true)).toMatch(/snapshot is damaged/);
  });

  it('an epoch record that this seal does not give', async () => {
    const key = rowKey.epoch(1);
    const text = await damagedBy(async (store) => {
      const doc = JSON.parse(Buffer.from(store.get(key)!).toString());
      doc.seats[0].weight = '1';
      await store.write([{ key, value: Buffer.from(JSON.stringify(doc)) }]);
    });
    expect(text).toMatch(/damaged at block 5: the record of epoch 1 is not what this seal gives/);
  });

  it('a log that gives another state than this node has signed', async () => {
    const { store } = await run(net, batches, new MemoryStore());
    const { checkpoints } = readTotals(store);
    const key = rowKey.checkpoint(checkpoints);
    const doc = JSON.parse(Buffer.from(store.get(key)!).toString());
    expect(doc.block_index).toBeGreaterThan(10);
    const other = { ...doc, core_root: 'f'.repeat(64) };
    await store.write([{ key, value: Buffer.from(JSON.stringify(other)) }]);
    await expect(restore(store, net, false)).rejects.toThrow(
      `the log gives another state at checkpoint ${checkpoints} than this node has signed`,
    );
  });

  it('a head behind the blocks that the vertices make', async () => {
    const text = await damagedBy(async (store) => {
      const key = Buffer.from('mhead');
      const head = JSON.parse(Buffer.from(store.get(key)!).toString());
      const before = blocksOf(store)[head.block - 2]!;
      const { index: block, order: at } = before.header;
      const value = JSON.stringify({ ...head, block, order: at, blockHash: toHex(before.hash) });
      await store.write([{ key, value: Buffer.from(value) }]);
    });
    expect(text).toMatch(/its vertices make more blocks than the head has/);
  });
});
