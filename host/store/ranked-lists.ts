// Stored lists of numbers from 0 on with access by rank: any page of any list without a scan.
// A list of up to 64 numbers is one value. A longer one is a tree of three levels: a leaf says which of 4,096 numbers are
// members, a node above counts the members of its 256 leaves, the root counts those of the nodes. Insert and removal
// rewrite one node of each level, at most 512 + 1,536 bytes and the root; changes of one batch to the same node are
// written once.
// Keeps: counts are exact; an empty node is not stored.

import { latin1Bytes } from '../wire/latin1.ts';
import type { Store } from '../world/store.ts';
import { rowKey } from './prefixes.ts';
import type { WriteSet } from './write-set.ts';

const LEAF_BITS = 12;
const NODE_BITS = 8;
const LEAF_MASK = (1 << LEAF_BITS) - 1;
const NODE_MASK = (1 << NODE_BITS) - 1;
/** A leaf with more members is a bitmap; otherwise it lists them, two bytes each. */
const MAX_SPARSE = 255;
const BITMAP_BYTES = (LEAF_MASK + 1) / 8;
/** One child in a counting node: u16 position, u32 count. */
const CHILD_BYTES = 6;
const ROOT = 2;
/** First byte of a root: SMALL is followed by the numbers, u32 each; TREE by counted children. */
const SMALL = 0;
const TREE = 1;
const MAX_SMALL = 64;
/** Cached nodes per generation; a node has at most 1,536 bytes, usually a few dozen. */
const MAX_CACHED = 50_000;
const EMPTY = new Uint8Array(0);

type Node = Uint8Array;

const u16 = (n: Node, at: number): number => (n[at]! << 8) | n[at + 1]!;
const u32 = (n: Node, at: number): number => u16(n, at) * 65_536 + u16(n, at + 2);

/** Members of a leaf, descending. */
function membersOf(leaf: Node): number[] {
  const members: number[] = [];
  if (leaf.length === BITMAP_BYTES) {
    for (let n = LEAF_MASK; n >= 0; n--) if (leaf[n >> 3]! & (1 << (n & 7))) members.push(n);
  } else for (let at = leaf.length - 2; at >= 0; at -= 2) members.push(u16(leaf, at));
  return members;
}

/** Offset of the first of the sorted `size`-byte records whose u16 key is not below `key`. */
function offsetOf(node: Node, size: number, key: number): number {
  let low = 0;
  let high = node.length / size;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (u16(node, mid * size) < key) low = mid + 1;
    else high = mid;
  }
  return low * size;
}

function withRecord(node: Node, at: number, record: Uint8Array): Node {
  const out = new Uint8Array(node.length + record.length);
  out.set(node.subarray(0, at));
  out.set(record, at);
  out.set(node.subarray(at), at + record.length);
  return out;
}

function withoutRecord(node: Node, at: number, size: number): Node {
  const out = new Uint8Array(node.length - size);
  out.set(node.subarray(0, at));
  out.set(node.subarray(at + size), at);
  return out;
}

function toBitmap(leaf: Node): Node {
  const bits = new Uint8Array(BITMAP_BYTES);
  for (const n of membersOf(leaf)) bits[n >> 3]! |= 1 << (n & 7);
  return bits;
}

function toSparse(leaf: Node): Node {
  const members = membersOf(leaf).reverse();
  const out = new Uint8Array(2 * members.length);
  for (const [i, n] of members.entries()) out.set([n >> 8, n & 0xff], 2 * i);
  return out;
}

const wrongMembership = (): Error =>
  new Error('ranked list: a number was inserted twice, or removed without being a member');

const bitCount = (bits: Node): number => {
  let count = 0;
  for (let byte of bits) for (; byte !== 0; byte &= byte - 1) count++;
  return count;
};

/** The leaf with `n` added or removed. Throws when nothing would change: lists and documents would disagree. */
function changedLeaf(leaf: Node, n: number, isIn: boolean): Node {
  if (leaf.length === BITMAP_BYTES) {
    const bit = 1 << (n & 7);
    if (((leaf[n >> 3]! & bit) !== 0) === isIn) throw wrongMembership();
    const out = Uint8Array.from(leaf);
    out[n >> 3]! ^= bit;
    return !isIn && bitCount(out) === MAX_SPARSE ? toSparse(out) : out;
  }
  const at = offsetOf(leaf, 2, n);
  if ((at < leaf.length && u16(leaf, at) === n) === isIn) throw wrongMembership();
  if (!isIn) return withoutRecord(leaf, at, 2);
  if (leaf.length / 2 === MAX_SPARSE) return changedLeaf(toBitmap(leaf), n, isIn);
  return withRecord(leaf, at, Uint8Array.of(n >> 8, n & 0xff));
}

/** The counting node with the count of one child changed by one. */
function changedNode(node: Node, child: number, delta: 1 | -1): Node {
  const at = offsetOf(node, CHILD_BYTES, child);
  const known = at < node.length && u16(node, at) === child;
  const count = (known ? u32(node, at + 2) : 0) + delta;
  if (count === 0) return withoutRecord(node, at, CHILD_BYTES);
  const record = new Uint8Array(CHILD_BYTES);
  const view = new DataView(record.buffer);
  view.setUint16(0, child);
  view.setUint32(2, count);
  if (!known) return withRecord(node, at, record);
  const out = Uint8Array.from(node);
  out.set(record, at);
  return out;
}

const tagged = (tag: number, body: Uint8Array): Node => {
  if (body.length === 0) return EMPTY;
  const out = new Uint8Array(1 + body.length);
  out[0] = tag;
  out.set(body, 1);
  return out;
};

/** Numbers of a small list, ascending. */
function numbersOf(body: Uint8Array): number[] {
  const numbers: number[] = [];
  for (let at = 0; at < body.length; at += 4) numbers.push(u32(body, at));
  return numbers;
}

/** The body of a small list with `n` added or removed. */
function changedSmall(body: Uint8Array, n: number, isIn: boolean): Uint8Array {
  const numbers = numbersOf(body);
  if (numbers.includes(n) === isIn) throw wrongMembership();
  const at = numbers.findIndex((m) => m >= n);
  if (!isIn) return withoutRecord(body, 4 * at, 4);
  const record = Uint8Array.of(n >>> 24, (n >>> 16) & 0xff, (n >>> 8) & 0xff, n & 0xff);
  return withRecord(body, at < 0 ? body.length : 4 * at, record);
}

/** Store key of a node without its prefix, one byte per character. */
const nodeName = (list: string, level: number, index: number): string =>
  list + String.fromCharCode(level, index >>> 24, (index >>> 16) & 0xff, (index >>> 8) & 0xff, index & 0xff);
const nodeKey = (name: string): Uint8Array => rowKey.rankedNode(latin1Bytes(name));

export class RankedLists {
  /** Nodes that changed since the last flush. */
  readonly #changed = new Map<string, Node>();
  // Two generations of cached nodes: a node that is used moves to the younger; the older is dropped as a whole.
  #young = new Map<string, Node>();
  #old = new Map<string, Node>();

  /**
   * `isOwn`: this node has made them all. Those of a peer that it joined from may lack a number, or be no lists at all: then a
   * change that cannot be made is passed over, for nothing is decided by them.
   */
  constructor(
    private readonly store: Store,
    private readonly isOwn = true,
  ) {}

  #cache(name: string, node: Node): void {
    if (this.#young.size >= MAX_CACHED) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(name, node);
  }

  #node(name: string): Node {
    const known = this.#changed.get(name) ?? this.#young.get(name);
    if (known) return known;
    const node = this.#old.get(name) ?? this.store.get(nodeKey(name)) ?? EMPTY;
    this.#cache(name, node);
    return node;
  }

  /** A child of a counting node. A child that is not counted is not stored either, so it is not read. */
  #child(parent: Node, position: number, name: string): Node {
    const at = offsetOf(parent, CHILD_BYTES, position);
    return at < parent.length && u16(parent, at) === position ? this.#node(name) : EMPTY;
  }

  /**
   * Adds a number to a list or removes it. `list`: the list's name, one byte per character. Throws when the number is
   * already a member, or is not one.
   */
  change(list: string, n: number, isIn: boolean): void {
    try {
      this.#change(list, n, isIn);
    } catch (error) {
      if (this.isOwn) throw error;
    }
  }

  #change(list: string, n: number, isIn: boolean): void {
    const name = nodeName(list, ROOT, 0);
    const root = this.#node(name);
    if (root[0] === TREE) {
      this.#changeTree(list, n, isIn);
      return;
    }
    const body = root.subarray(1);
    if (!isIn || body.length < 4 * MAX_SMALL) {
      this.#changed.set(name, tagged(SMALL, changedSmall(body, n, isIn)));
      return;
    }
    this.#changed.set(name, EMPTY);
    for (const member of numbersOf(body)) this.#changeTree(list, member, true);
    this.#changeTree(list, n, isIn);
  }

  #changeTree(list: string, n: number, isIn: boolean): void {
    const leaf = n >>> LEAF_BITS;
    const node = leaf >>> NODE_BITS;
    const delta = isIn ? 1 : -1;
    const names = [nodeName(list, 0, leaf), nodeName(list, 1, node), nodeName(list, ROOT, 0)] as const;
    const root = this.#node(names[2]).subarray(1);
    const counts = this.#child(root, node, names[1]);
    const members = this.#child(counts, leaf & NODE_MASK, names[0]);
    const made = [
      changedLeaf(members, n & LEAF_MASK, isIn),
      changedNode(counts, leaf & NODE_MASK, delta),
      tagged(TREE, changedNode(root, node, delta)),
    ];
    for (const [i, name] of names.entries()) this.#changed.set(name, made[i]!);
  }

  /** Adds every changed node to a write set. */
  flush(set: WriteSet): void {
    for (const [name, node] of this.#changed) {
      if (node.length === 0) set.delete(nodeKey(name));
      else set.put(nodeKey(name), node);
      this.#cache(name, node);
    }
    this.#changed.clear();
  }

  /** Number of members of a list. */
  size(list: string): number {
    const root = this.#node(nodeName(list, ROOT, 0));
    if (root[0] !== TREE) return (Math.max(root.length, 1) - 1) / 4;
    let size = 0;
    for (const [, inNode] of childrenOf(root.subarray(1))) size += inNode;
    return size;
  }

  /** Members of a list, highest first: up to `count` of them after the first `offset`. */
  page(list: string, offset: number, count: number): number[] {
    const root = this.#node(nodeName(list, ROOT, 0));
    const body = root.subarray(1);
    if (root[0] === TREE) return this.#treePage(list, body, offset, count);
    return numbersOf(body)
      .reverse()
      .slice(offset, offset + count);
  }

  #treePage(list: string, root: Uint8Array, offset: number, count: number): number[] {
    const out: number[] = [];
    let skip = offset;
    for (const [node, inNode] of childrenOf(root)) {
      if (skip >= inNode) {
        skip -= inNode;
        continue;
      }
      for (const [child, inLeaf] of childrenOf(this.#node(nodeName(list, 1, node)))) {
        if (skip >= inLeaf) {
          skip -= inLeaf;
          continue;
        }
        const leaf = node * (NODE_MASK + 1) + child;
        const members = membersOf(this.#node(nodeName(list, 0, leaf)));
        for (let i = skip; i < members.length; i++) {
          out.push(leaf * (LEAF_MASK + 1) + members[i]!);
          if (out.length === count) return out;
        }
        skip = 0;
      }
    }
    return out;
  }
}

/** Positions and counts of a counting node's children, highest position first. */
function* childrenOf(node: Node): Generator<[number, number]> {
  for (let at = node.length - CHILD_BYTES; at >= 0; at -= CHILD_BYTES) {
    yield [u16(node, at), u32(node, at + 2)];
  }
}
