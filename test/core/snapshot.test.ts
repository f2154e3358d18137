// Snapshots and the state hash: round trips, damage, and the tree computed a second way.

import { expect, test } from 'vitest';
import * as abi from '../../assembly/abi.ts';
import { sha } from '../model/hashing.ts';
import { Core, SMALL } from './driver.ts';
import { config, Net, TOKEN } from './fixture.ts';
import { stateBytes, stateTables } from './state-document.ts';

function busyNet(): Net {
  const net = new Net([{}, {}]);
  const sent = net.transfer('a', 'b', TOKEN);
  net.run([net.register('a', 1000n * TOKEN), net.register('b'), sent, net.generation('b', 5n)]);
  net.run([net.verify('op0', sent, true)]);
  net.run([net.transfer('a', 'b', 2n), net.transfer('a', 'b', 3n)]);
  return net;
}

// The tree of README.md: sixteen children, a level byte after the bytes, zero leaves on the right.
function treeRoot(leaves: Map<number, Uint8Array>, count: number): string {
  let zero = sha(new Uint8Array(abi.LEAF_BYTES + 1));
  let level = Array.from({ length: count }, (_, i) => {
    const leaf = leaves.get(i);
    return leaf ? sha(Buffer.concat([leaf, Buffer.from([0])])) : zero;
  });
  for (let height = 1; level.length > 1; height++) {
    const above: Buffer[] = [];
    for (let i = 0; i < level.length; i += 16) {
      const children = Array.from({ length: 16 }, (_, c) => level[i + c] ?? zero);
      above.push(sha(Buffer.concat([...children, Buffer.from([height])])));
    }
    zero = sha(Buffer.concat([...Array<Buffer>(16).fill(zero), Buffer.from([height])]));
    level = above;
  }
  return level[0]!.toString('hex');
}

test('the state hash is the documented tree over the snapshot', () => {
  const net = busyNet();
  const leaves = net.core.dirty();
  expect(net.core.stateHash()).toBe(treeRoot(leaves, stateBytes(stateTables(), SMALL) / abi.LEAF_BYTES));
  net.run([net.register('c')]);
  for (const [leaf, bytes] of net.core.dirty(1)) leaves.set(leaf, bytes);
  expect(net.core.stateHash()).toBe(treeRoot(leaves, stateBytes(stateTables(), SMALL) / abi.LEAF_BYTES));
});

test('an imported core is equal, has nothing to save, and goes on alike', () => {
  const net = busyNet();
  const copy = new Core(net.core.config);
  expect(copy.load(net.core.dirty())).toBe(0);
  expect(copy.stateHash()).toBe(net.core.stateHash());
  expect(copy.dirty().size).toBe(0);
  expect(net.core.dirty().size).toBe(0);
  net.nowMs += 301_000;
  const block = net.blockRecords([net.register('c')]);
  expect(copy.apply(...block)).toEqual(net.core.apply(...block));
  expect(copy.stateHash()).toBe(net.core.stateHash());
  expect(copy.dirty()).toEqual(net.core.dirty());
});

test('with the hashes of its leaves an imported core has the same root, and goes on alike', () => {
  const net = busyNet();
  // A leaf that changed, and one that became zero, in a tree that was hashed before.
  net.core.stateHash();
  net.run([net.register('c')]);
  const root = net.core.stateHash();
  const [leaves, hashes] = [net.core.dirty(), net.core.hashes().slice()];
  const copy = new Core(net.core.config);
  expect(copy.load(leaves, 3, hashes)).toBe(0);
  expect(copy.stateHash()).toBe(root);
  expect(copy.dirty().size).toBe(0);
  const block = net.blockRecords([net.register('d')]);
  expect(copy.apply(...block)).toEqual(net.core.apply(...block));
  expect(copy.stateHash()).toBe(net.core.stateHash());
  // The root is that of the hashes: of others it is another one.
  hashes[5]! ^= 1;
  const wrong = new Core(net.core.config);
  expect(wrong.load(leaves, 100, hashes)).toBe(0);
  expect(wrong.stateHash()).not.toBe(root);
});

test('the hash depends on the state alone, not on when it was asked for', () => {
  const [often, once] = [busyNet(), busyNet()];
  for (let i = 0; i < 5; i++) {
    often.run([often.register(`x${i}`)]);
    often.core.stateHash();
    once.run([once.register(`x${i}`)]);
  }
  expect(often.core.stateHash()).toBe(once.core.stateHash());
  once.run([]);
  expect(often.core.stateHash()).not.toBe(once.core.stateHash());
});

test('damaged or foreign snapshots are refused', () => {
  const net = busyNet();
  const leaves = net.core.dirty();
  const changed = (leaf: number, change: (view: DataView) => void): Map<number, Uint8Array> => {
    const bytes = leaves.get(leaf)!.slice();
    change(new DataView(bytes.buffer));
    return new Map([...leaves, [leaf, bytes]]);
  };
  const load = (map: Map<number, Uint8Array>, over = {}): number => new Core(config(over)).load(map);
  expect(load(leaves)).toBe(0);
  expect(load(leaves, { chainId: 'other' })).toBe(abi.IMPORT_OTHER_CONFIG);
  expect(load(new Map([[1 << 30, new Uint8Array(abi.LEAF_BYTES)]]))).toBe(abi.IMPORT_BAD_LEAF);
  const used = [...leaves.keys()].filter((leaf) => leaves.get(leaf)!.some((byte) => byte !== 0));
  const last = Math.max(...used);
  const balance = changed(last, (v) => v.setBigUint64(abi.LEAF_BYTES / 2 + 160, 1n, true));
  expect(load(balance)).toBe(abi.IMPORT_BAD_SUPPLY);
  const link = changed(last, (v) => v.setUint32(abi.LEAF_BYTES / 2 + 248, 9999, true));
  expect(load(link)).toBe(abi.IMPORT_BAD_TABLE);
  const without = new Map(leaves);
  without.delete(last);
  expect(load(without)).not.toBe(0);
  // What a fresh core has is not taken for a page that is missing.
  const [fresh, root] = [new Core(config()).dirty(), net.core.stateHash()];
  const same = used.filter(
    (leaf) => fresh.has(leaf) && Buffer.compare(fresh.get(leaf)!, leaves.get(leaf)!) === 0,
  );
  expect(same.length).toBeGreaterThan(0);
  const some = new Map(leaves);
  for (const leaf of same) some.set(leaf, new Uint8Array(abi.LEAF_BYTES));
  const partial = new Core(config());
  expect(partial.load(some)).not.toBe(0);
  expect(partial.stateHash()).not.toBe(root);
});

test('only a fresh core takes an import', () => {
  const net = busyNet();
  const leaves = net.core.dirty();
  const before = net.core.stateHash();
  expect(net.core.load(leaves)).toBe(abi.IMPORT_BAD_TABLE);
  expect(net.core.stateHash()).toBe(before);
  expect(net.core.x.core_import_end!()).toBe(abi.IMPORT_BAD_TABLE);
});
