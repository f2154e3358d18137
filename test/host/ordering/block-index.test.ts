// Blocks found by order number: each is in exactly one, whatever their sizes, also if the oldest are missing.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blocksBetween } from '../../../host/ordering/block-index.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rowKey } from '../../../host/store/prefixes.ts';
import { encodeBlockHeader } from '../../../host/wire/block.ts';

const EMPTY = new Uint8Array(32);

/** A store with blocks of these sizes, without the first `missing`. */
async function storeOf(sizes: readonly number[], missing = 0): Promise<MemoryStore> {
  const store = new MemoryStore();
  let order = 0;
  for (const [i, vertexCount] of sizes.entries()) {
    order += vertexCount;
    const ids = { epochId: EMPTY, previous: EMPTY, leader: EMPTY, verticesRoot: EMPTY };
    const header = { leaderRound: 1, index: i + 1, timeMs: 0, order, vertexCount, evidence: [], ...ids };
    // A row has the ids of the vertices behind the header.
    const value = Buffer.concat([encodeBlockHeader(header), Buffer.alloc(32 * vertexCount, 255)]);
    if (i >= missing) await store.write([{ key: rowKey.block(i + 1), value }]);
  }
  return store;
}

it('finds the blocks of any range of orders', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), fc.nat(), fc.nat(), async (counts, a, b, m) => {
      const missing = m % counts.length;
      const store = await storeOf(counts, missing);
      const all = counts.map((_, i) => ({
        index: i + 1,
        lastOrder: counts.slice(0, i + 1).reduce((sum, n) => sum + n, 0),
      }));
      const total = all.at(-1)!.lastOrder;
      const known = all.slice(missing);
      const least = total - counts.slice(missing).reduce((sum, n) => sum + n, 0) + 1;
      const span = total - least + 1;
      const [first, last] = [least + (a % span), least + (b % span)].sort((x, y) => x - y) as [
        number,
        number,
      ];
      const wanted = known.filter((block, i) => {
        const begins = i === 0 ? least : known[i - 1]!.lastOrder + 1;
        return block.lastOrder >= first && begins <= last;
      });
      expect(blocksBetween(store, counts.length, first, last)).toEqual(wanted);
    }),
  );
});
