// The tree of documents against a plain model: one root for one set of leaves, whatever the history; proofs show what is
// there, what is not, and whole ranges; after a crash the next root is the same.

import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { eventLeaf } from '../../../host/store/document-leaves.ts';
import { DocumentRoot, DocumentSet } from '../../../host/store/document-root.ts';
import { changeEvent, putEvent } from '../../../host/store/events.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rowKey, rowU64 } from '../../../host/store/prefixes.ts';
import { WriteSet } from '../../../host/store/write-set.ts';
import { fromHex, toHex } from '../../../host/wire/bytes.ts';
import { readProof } from '../../../host/wire/document-proof.ts';
import { sha256 } from '../../../host/wire/hash.ts';
import { testSeed } from '../../e2e/seed.ts';
import { eventOf } from '../api/stream-source.ts';

const sha = (...parts: (string | number[])[]): string => {
  const hash = createHash('sha256');
  for (const part of parts)
    hash.update(typeof part === 'string' ? Buffer.from(part, 'hex') : Buffer.from(part));
  return hash.digest('hex');
};

/** The definition of consensus 5.18 on hex texts: leaves sorted by key. */
function modelRoot(leaves: [string, string][]): string {
  if (leaves.length === 0) return '00'.repeat(32);
  if (leaves.length === 1) return sha([0, leaves[0]![0].length / 2], leaves[0]![0], leaves[0]![1]);
  const [first, last] = [leaves[0]![0], leaves.at(-1)![0]];
  let depth = 0;
  while (first[depth] === last[depth]) depth++;
  const prefix = first.slice(0, depth) + (depth % 2 === 1 ? '0' : '');
  let bits = 0;
  const hashes: string[] = [];
  for (let nibble = 0; nibble < 16; nibble++) {
    const below = leaves.filter(([key]) => key[depth] === nibble.toString(16));
    if (below.length === 0) continue;
    bits |= 1 << nibble;
    hashes.push(modelRoot(below));
  }
  return sha([1, depth], prefix, [bits & 255, bits >> 8], ...hashes);
}

const SEED = testSeed(1);
/** Repeatable numbers below `max` (mulberry32). */
function chanceOf(seed: number): (max: number) => number {
  let state = seed >>> 0;
  return (max) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % max;
  };
}

/** Keys of two kinds and lengths; few different bytes, so that many begin alike. */
function keyOf(chance: (max: number) => number): string {
  const [letter, size] = chance(2) === 0 ? ['61', 4] : ['78', 6];
  let key = letter as string;
  for (let i = 0; i < (size as number); i++) key += ['00', '01', '10', 'ff', 'f0'][chance(5)];
  return key;
}

/** Gives Buffers, as stores on disk do: a slice of one is a view of it. */
class BufferStore extends MemoryStore {
  override get(key: Uint8Array): Uint8Array | undefined {
    const value = super.get(key);
    return value && Buffer.from(value);
  }
}

class Pair {
  readonly store = new BufferStore();
  root = new DocumentRoot(this.store);
  readonly model = new Map<string, string>();
  #set = new WriteSet(this.store);

  change(key: string, value: string | undefined): void {
    this.root.change({ key: fromHex(key)!, value: value === undefined ? undefined : fromHex(value)! });
    if (value === undefined) this.model.delete(key);
    else this.model.set(key, value);
  }

  update(): string {
    return toHex(this.root.update(this.#set));
  }

  async commit(): Promise<void> {
    this.root.endBatch(this.#set);
    await this.store.write(this.#set.ops());
    this.#set = new WriteSet(this.store);
  }

  /** As a process that starts anew on what is on disk. */
  restart(): void {
    this.#set = new WriteSet(this.store);
    this.root = new DocumentRoot(this.store);
  }

  get sorted(): [string, string][] {
    return [...this.model].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** A pair with so many leaves, on disk. */
async function filled(count: number, seed: number): Promise<Pair> {
  const pair = new Pair();
  const chance = chanceOf(seed);
  while (pair.model.size < count) pair.change(keyOf(chance), sha([chance(250)]));
  pair.update();
  await pair.commit();
  return pair;
}

describe('the root over documents', () => {
  it(`is that of the model after random changes, batches and starts (seed ${SEED})`, async () => {
    const chance = chanceOf(SEED);
    const pair = new Pair();
    let rows = 0;
    for (let round = 0; round < 400; round++) {
      const isShrinking = round % 100 > 70;
      for (let n = chance(12); n > 0; n--) {
        const old = pair.sorted;
        const isOld = old.length > 0 && chance(2) === 0;
        const key = isOld ? old[chance(old.length)]![0] : keyOf(chance);
        pair.change(key, chance(isShrinking ? 2 : 6) === 0 || isShrinking ? undefined : sha([chance(250)]));
      }
      if (chance(3) === 0) expect(pair.update()).toBe(modelRoot(pair.sorted));
      if (chance(2) === 0) {
        await pair.commit();
        if (chance(2) === 0) pair.restart();
      }
      rows = Math.max(rows, pair.model.size);
    }
    expect(pair.update()).toBe(modelRoot(pair.sorted));
    expect(rows).toBeGreaterThan(100);
  });

  it('is that of the model when the tree is larger than what stays in memory', async () => {
    const pair = new Pair();
    const chance = chanceOf(21);
    const keys = Array.from({ length: 36_000 }, (_, i) => `65${sha([i & 255, i >> 8])}`);
    const value = (): string => sha([chance(250)]);
    for (const key of keys) pair.change(key, value());
    pair.update();
    await pair.commit();
    for (let round = 0; round < 30; round++) {
      for (let n = 0; n < 700; n++) {
        const key = keys[chance(keys.length)]!;
        pair.change(key, chance(3) === 0 ? undefined : value());
      }
      const root = pair.update();
      const one = fromHex(keys[chance(keys.length)]!)!;
      expect(toHex(readProof(pair.root.prove(one, one, 1))!.root)).toBe(root);
      await pair.commit();
    }
    expect(toHex(pair.root.hash)).toBe(modelRoot(pair.sorted));
    pair.restart();
    expect(pair.update()).toBe(modelRoot(pair.sorted));
  });

  it('is the same in whatever order and batches the leaves came, and leaves no rows behind', async () => {
    const [a, b] = [new Pair(), await filled(300, 5)];
    for (const [key, value] of b.sorted.reverse()) {
      a.change(key, value);
      if (key.endsWith('0')) a.update();
      if (key.endsWith('1')) await a.commit();
    }
    expect(a.update()).toBe(toHex(b.root.hash));
    await a.commit();
    const rowsOf = async ({ store }: Pair) => {
      const rows: [string, string][] = [];
      // The row of the root counts batches.
      for await (const [key, value] of store.scan({ gte: Uint8Array.of(0), lt: Uint8Array.of(255) }))
        if (key.length > 1) rows.push([toHex(key), toHex(value)]);
      return rows;
    };
    expect(await rowsOf(a)).toEqual(await rowsOf(b));
    for (const [key] of b.sorted) b.change(key, undefined);
    expect(b.update()).toBe('00'.repeat(32));
    await b.commit();
    expect(await rowsOf(b)).toEqual([]);
  });

  it('writes no branch for what opened and closed meanwhile, or was written again as it was', async () => {
    const pair = await filled(200, 11);
    const chance = chanceOf(12);
    const before = toHex(pair.root.hash);
    const set = new WriteSet(pair.store);
    for (let n = 0; n < 300; n++) {
      const [key, value] = pair.sorted[chance(200)]!;
      pair.root.change({ key: fromHex(key)!, value: fromHex(value)! });
      const other = keyOf(chance);
      if (!pair.model.has(other)) pair.root.change({ key: fromHex(other)!, value: undefined });
    }
    expect(toHex(pair.root.update(set))).toBe(before);
    // The row of the root is written with every root; those of branches have longer keys.
    expect([...set.ops()].filter(({ key }) => key[0] === 'T'.charCodeAt(0) && key.length > 1)).toEqual([]);
  });

  it('after a crash between a batch and the next root is the one that it would have been', async () => {
    const pair = await filled(50, 6);
    pair.change('6100000000', sha([1]));
    await pair.commit();
    pair.change('6101010101', sha([2]));
    pair.change('6100000000', sha([3]));
    await pair.commit();
    // This batch is lost.
    pair.root.change({ key: fromHex('61ffffffff')!, value: fromHex(sha([4]))! });
    pair.restart();
    expect(pair.update()).toBe(modelRoot(pair.sorted));
  });
});

describe('a proof', () => {
  it('shows a leaf or that there is none', async () => {
    const pair = await filled(250, 7);
    const chance = chanceOf(8);
    const found = [0, 0];
    for (let n = 0; n < 500; n++) {
      const key = n % 2 === 0 ? pair.sorted[chance(250)]![0] : keyOf(chance);
      const bytes = fromHex(key)!;
      const shown = readProof(pair.root.prove(bytes, bytes, 1))!;
      expect(toHex(shown.root)).toBe(toHex(pair.root.hash));
      expect(shown.covers(bytes, bytes)).toBe(true);
      const leaf = shown.leaves.find((one) => toHex(one.key) === key);
      expect(leaf && toHex(leaf.value)).toBe(pair.model.get(key));
      found[leaf ? 1 : 0]! += 1;
    }
    expect(Math.min(...found)).toBeGreaterThan(50);
    const empty = readProof(new Pair().root.prove(Uint8Array.of(1), Uint8Array.of(1), 1))!;
    expect([toHex(empty.root), empty.leaves]).toEqual(['00'.repeat(32), []]);
  });

  it('shows whole ranges: what is left out of one is noticed', async () => {
    const pair = await filled(250, 9);
    const chance = chanceOf(10);
    for (let n = 0; n < 300; n++) {
      const [low, high] = [0, 1].map(() => keyOf(chance)).sort() as [string, string];
      if (low.slice(0, 2) !== high.slice(0, 2)) continue;
      const [first, last] = [fromHex(low)!, fromHex(high)!];
      const shown = readProof(pair.root.prove(first, last, 1000))!;
      expect(toHex(shown.root)).toBe(toHex(pair.root.hash));
      expect(shown.covers(first, last)).toBe(true);
      const inside = shown.leaves.filter(({ key }) => toHex(key) >= low && toHex(key) <= high);
      const wanted = pair.sorted.filter(([key]) => key >= low && key <= high);
      expect(inside.map(({ key, value }) => [toHex(key), toHex(value)])).toEqual(wanted);
      // A proof of one key has the same root, and covers a range only if it shows all of it.
      const key = fromHex(pair.sorted[chance(250)]![0])!;
      const narrow = readProof(pair.root.prove(key, key, 1))!;
      const seen = narrow.leaves.filter(({ key }) => toHex(key) >= low && toHex(key) <= high);
      if (narrow.covers(first, last)) expect(seen.length).toBe(wanted.length);
      // A proof of fewer covers up to the last leaf that it shows, and says that it does not cover the rest.
      const some = readProof(pair.root.prove(first, last, 2))!;
      const part = some.leaves.filter(({ key }) => toHex(key) >= low && toHex(key) <= high);
      expect(part.length).toBe(Math.min(3, wanted.length));
      if (part.length > 0) expect(some.covers(first, part.at(-1)!.key)).toBe(true);
      if (wanted.length > 40) expect(some.covers(first, last)).toBe(false);
    }
  });

  it('that was changed in any way leads to another root, or cannot be read (10,000 mutations)', async () => {
    const pair = await filled(250, 11);
    const chance = chanceOf(12);
    const root = toHex(pair.root.hash);
    let unreadable = 0;
    for (let n = 0; n < 10_000; n++) {
      const key = fromHex(n % 3 === 0 ? pair.sorted[chance(250)]![0] : keyOf(chance))!;
      const good = pair.root.prove(key, key, 1);
      const bad = mutated(good, chance);
      if (Buffer.compare(good, bad) === 0) continue;
      const shown = readProof(bad);
      if (!shown) unreadable += 1;
      else expect(toHex(shown.root), `mutation ${n}`).not.toBe(root);
    }
    expect(unreadable).toBeGreaterThan(1000);
    expect(unreadable).toBeLessThan(9900);
  });
});

function mutated(good: Uint8Array, chance: (max: number) => number): Uint8Array {
  const at = chance(good.length);
  const bad = good.slice();
  switch (chance(5)) {
    case 0:
      bad[at]! ^= 1 << chance(8);
      return bad;
    case 1:
      return good.slice(0, at);
    case 2:
      return Uint8Array.of(...good, ...good.subarray(0, chance(40) + 1));
    case 3:
      return Uint8Array.of(...good.subarray(0, at), chance(256), ...good.subarray(at));
    default:
      bad.copyWithin(at, chance(good.length));
      return bad;
  }
}

it('looks up no row of a new event, and that of one that changes once', () => {
  const store = new MemoryStore();
  const root = new DocumentRoot(store, true);
  const set = new DocumentSet(store, root, () => new Uint8Array(32));
  const reads = vi.spyOn(set, 'get');
  const put = (seq: number): Uint8Array => {
    const doc = eventOf(seq, 'transfer', { settlement_state: 'optimistic', deadline: 9 });
    putEvent(set, fromHex(doc.event_id)!, doc);
    return eventLeaf(seq);
  };
  const settle = (seq: number): void =>
    void changeEvent(set, seq, (doc) => Object.assign(doc, { settlement_state: 'settled' }));
  const leaf = put(7);
  expect(reads).not.toHaveBeenCalled();
  const before = set.get(rowKey.event(7))!;
  root.update(new WriteSet(store));
  reads.mockClear();
  settle(7);
  expect(reads).toHaveBeenCalledTimes(1);
  expect(set.get(rowKey.event(7))).not.toEqual(before);
  // It is kept as the root has it, and not as it was in between.
  const proven = { key: leaf, value: sha256(before) };
  expect(root.documentOf(proven, set.get(rowKey.event(7)))).toEqual(before);
  changeEvent(set, 7, (doc) => Object.assign(doc, { settlement_reason: 'verified' }));
  expect(root.documentOf(proven, set.get(rowKey.event(7)))).toEqual(before);
});

it('changes a branch for sixteen events that open together', async () => {
  const store = new MemoryStore();
  const root = new DocumentRoot(store);
  const open = async (from: number, to: number): Promise<number> => {
    const set = new WriteSet(store);
    for (let seq = from; seq < to; seq++) root.change({ key: eventLeaf(seq), value: sha256(rowU64(seq)) });
    root.update(set);
    const { size } = set;
    await store.write(set.ops());
    return size;
  };
  await open(1, 2000);
  // Sixteen branches of sixteen leaves, those above them, and the row of the top.
  expect(await open(2000, 2256)).toBeLessThan(24);
});
