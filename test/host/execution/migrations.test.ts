// Rows of older formats as the migrations change them.

import { expect, it } from 'vitest';
import { LEAF_BYTES, LEAF_HASH_BYTES, PAGE_LEAVES } from '../../../assembly/abi.ts';
import { MIGRATIONS } from '../../../host/execution/migrations.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rangeOf, rowKey } from '../../../host/store/prefixes.ts';
import { decodePage, storedLeaf } from '../../../host/store/state-pages.ts';
import { sha256 } from '../../../host/wire/hash.ts';

const leafOf = (number: number): Uint8Array => {
  const leaf = new Uint8Array(LEAF_BYTES);
  new DataView(leaf.buffer).setUint32(7, number + 1);
  return leaf;
};

/** One to three leaves in each of many pages, so that numbers of pages are numbers of leaves as well. */
const LEAVES = Array.from({ length: 700 }, (_, page) =>
  [0, 5, 15].slice(page % 3).map((leaf) => page * PAGE_LEAVES + leaf),
).flat();

/** Stops after so many portions. */
async function migrated(store: MemoryStore, portions: number): Promise<number> {
  const step = MIGRATIONS.find(({ from }) => from === 7)!;
  let done = 0;
  for await (const ops of step.rows(store)) {
    if (done === portions) break;
    await store.write(ops);
    done += 1;
  }
  return done;
}

async function old(): Promise<MemoryStore> {
  const store = new MemoryStore();
  // In format 7 a leaf was a row under its own number.
  await store.write(LEAVES.map((number) => ({ key: rowKey.statePage(number), value: leafOf(number) })));
  return store;
}

async function expectPages(store: MemoryStore): Promise<void> {
  const pages: number[] = [];
  for await (const [key, row] of store.scan(rangeOf('s'))) {
    const number = new DataView(key.buffer, key.byteOffset).getUint32(1);
    pages.push(number);
    const { leaves, hashes } = decodePage(row)!;
    for (let i = 0; i < PAGE_LEAVES; i++) {
      const leaf = number * PAGE_LEAVES + i;
      const isThere = LEAVES.includes(leaf);
      const [bytes, hash] = isThere
        ? [leafOf(leaf), sha256(leafOf(leaf), Uint8Array.of(0))]
        : [new Uint8Array(LEAF_BYTES), new Uint8Array(LEAF_HASH_BYTES)];
      expect(Buffer.compare(leaves.subarray(i * LEAF_BYTES, (i + 1) * LEAF_BYTES), bytes)).toBe(0);
      expect(Buffer.compare(hashes.subarray(i * LEAF_HASH_BYTES, (i + 1) * LEAF_HASH_BYTES), hash)).toBe(0);
      expect(Buffer.compare(storedLeaf(store, leaf)!, bytes)).toBe(0);
    }
  }
  expect(pages).toEqual(Array.from({ length: 700 }, (_, page) => page));
}

it('format 7: leaves of the snapshot become pages', async () => {
  const store = await old();
  expect(await migrated(store, 99)).toBeGreaterThan(2);
  await expectPages(store);
});

it('format 7: also when it was interrupted, once or twice, or was done already', async () => {
  for (const portions of [1, 2]) {
    const store = await old();
    await migrated(store, portions);
    await migrated(store, portions === 1 ? 1 : 99);
    await migrated(store, 99);
    await expectPages(store);
  }
});
