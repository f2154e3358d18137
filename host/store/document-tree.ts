// The tree of documents on disk: a row for each branch, with its children (consensus 5.18).
// Keeps: equal leaves give equal trees and roots, whatever was written before. A change costs the branches above it, and
// each of them once for all changes that are applied together.
//
//   row of a branch: for each child u8 nibble (+ 0x80 for a branch), then of a leaf: u8 bytes of key, key, value[32];
//   of a branch: u8 depth, prefix, hash[32]

import { ByteReader, compareBytes } from '../wire/bytes.ts';
import {
  branchHash,
  commonNibbles,
  FAN,
  type Leaf,
  leafHash,
  nibbleAt,
  type ProofNode,
  prefixOf,
} from '../wire/document-proof.ts';
import { latin1 } from '../wire/latin1.ts';
import type { Store } from '../world/store.ts';
import { rowKey } from './prefixes.ts';
import type { WriteSet } from './write-set.ts';

/** Branches that stay decoded in memory: those near the root, which every change passes. */
const MAX_CACHED = 16_384;
const IS_BRANCH = 0x80;

/** A leaf that is set to a value, or removed. */
export interface Change {
  key: Uint8Array;
  value: Uint8Array | undefined;
}

interface LeafChild extends Leaf {
  kind: 'leaf';
  hash: Uint8Array | undefined;
}
interface BranchChild {
  kind: 'branch';
  depth: number;
  prefix: Uint8Array;
  hash: Uint8Array;
}
export type Child = LeafChild | BranchChild;
type Children = (Child | undefined)[];

export const leafChild = ({ key, value }: Leaf): LeafChild => ({ kind: 'leaf', key, value, hash: undefined });

export function hashOf(child: Child): Uint8Array {
  child.hash ??= leafHash(child as Leaf);
  return child.hash;
}

/** Bytes of a child in a row. */
const sizeOf = (child: Child): number =>
  34 + (child.kind === 'leaf' ? child.key.length : child.prefix.length);

/** Writes a child at a place of a row; returns the place behind it. */
function putChild(row: Uint8Array, at: number, nibble: number, child: Child): number {
  const isLeaf = child.kind === 'leaf';
  const name = isLeaf ? child.key : child.prefix;
  row[at] = isLeaf ? nibble : nibble | IS_BRANCH;
  row[at + 1] = isLeaf ? name.length : child.depth;
  row.set(name, at + 2);
  row.set(isLeaf ? child.value : child.hash, at + 2 + name.length);
  return at + sizeOf(child);
}

export function encodeChild(child: Child): Uint8Array {
  const row = new Uint8Array(sizeOf(child));
  putChild(row, 0, 0, child);
  return row;
}

/** The members are views of the row. */
export function readChild(reader: ByteReader): { nibble: number; child: Child } {
  const head = reader.u8();
  const nibble = head & ~IS_BRANCH;
  const size = reader.u8();
  if ((head & IS_BRANCH) === 0) {
    const leaf = { key: reader.raw(size), value: reader.raw(32) };
    return { nibble, child: leafChild(leaf) };
  }
  const prefix = reader.raw((size + 1) >> 1);
  return { nibble, child: { kind: 'branch', depth: size, prefix, hash: reader.raw(32) } };
}

function encodeChildren(children: Children): Uint8Array {
  let size = 0;
  for (const child of children) if (child) size += sizeOf(child);
  const row = new Uint8Array(size);
  let at = 0;
  for (let i = 0; i < FAN; i++) if (children[i]) at = putChild(row, at, i, children[i]!);
  return row;
}

function decodeChildren(row: Uint8Array): Children {
  const reader = new ByteReader(row);
  const children: Children = [];
  while (reader.left > 0 && !reader.failed) {
    const { nibble, child } = readChild(reader);
    children[nibble] = child;
  }
  return children;
}

const isIn = (key: Uint8Array, { depth, prefix }: BranchChild): boolean =>
  commonNibbles(key, prefix) >= depth;

/** Does a change leave a leaf as it is, and add none: what opened and closed since the last root, or was written again. */
const isVain = ({ key, value }: Change, leaf: Leaf): boolean =>
  compareBytes(key, leaf.key) === 0
    ? value !== undefined && compareBytes(value, leaf.value) === 0
    : value === undefined;

export class DocumentTree {
  readonly #cache = new Map<string, Children>();

  constructor(private readonly rows: Pick<Store, 'get'>) {}

  #remember(name: string, children: Children): void {
    this.#cache.delete(name);
    if (this.#cache.size >= MAX_CACHED) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.set(name, children);
  }

  #children({ depth, prefix }: BranchChild, rows: Pick<Store, 'get'>): Children {
    const key = rowKey.branch(depth, prefix);
    const name = latin1(key);
    const known = this.#cache.get(name);
    if (known) return known;
    const row = rows.get(key);
    if (!row) throw new Error('a row of the tree of documents is missing');
    const children = decodeChildren(row);
    this.#remember(name, children);
    return children;
  }

  /**
   * Applies changes to the tree below `node`; returns what stands there afterwards, which is `node` itself if nothing
   * changed. `changes`: ascending by key, one for a key.
   */
  apply(set: WriteSet, node: Child | undefined, changes: readonly Change[]): Child | undefined {
    if (changes.length === 0) return node;
    if (!node) return this.#build(set, changes);
    if (node.kind === 'leaf') {
      if (changes.every((change) => isVain(change, node))) return node;
      const at = changes.findIndex(({ key }) => compareBytes(key, node.key) >= 0);
      if (at >= 0 && compareBytes(changes[at]!.key, node.key) === 0) return this.#build(set, changes);
      const all = [...changes];
      all.splice(at < 0 ? all.length : at, 0, node);
      return this.#build(set, all);
    }
    // Keys between two of a branch are of it, too.
    if (isIn(changes[0]!.key, node) && isIn(changes.at(-1)!.key, node))
      return this.#change(set, node, changes);
    // What is removed outside of the branch is not there.
    const outside = changes.filter((change) => change.value && !isIn(change.key, node));
    const inside = changes.filter((change) => isIn(change.key, node));
    if (outside.length === 0) return this.#change(set, node, inside);
    return this.#fork(set, node, inside, outside);
  }

  /** The tree of some new leaves; changes that remove are skipped. */
  #build(set: WriteSet, changes: readonly Change[]): Child | undefined {
    const leaves = changes.filter((change): change is Leaf => change.value !== undefined);
    if (leaves.length <= 1) return leaves[0] && leafChild(leaves[0]);
    const [first, last] = [leaves[0]!.key, leaves.at(-1)!.key];
    const depth = commonNibbles(first, last);
    const children: Children = [];
    for (const [nibble, group] of groupsAt(leaves, depth)) children[nibble] = this.#build(set, group);
    return this.#write(set, depth, prefixOf(first, depth), children);
  }

  /** A branch above `node`, where the new leaves `outside` part from it. */
  #fork(
    set: WriteSet,
    node: BranchChild,
    inside: readonly Change[],
    outside: readonly Change[],
  ): Child | undefined {
    const depth = Math.min(
      node.depth - 1,
      ...[outside[0]!, outside.at(-1)!].map(({ key }) => commonNibbles(key, node.prefix)),
    );
    const children: Children = [];
    const own = nibbleAt(node.prefix, depth);
    children[own] = node;
    const all = [...inside, ...outside].sort((a, b) => compareBytes(a.key, b.key));
    for (const [nibble, group] of groupsAt(all, depth))
      children[nibble] = this.apply(set, children[nibble], group);
    return this.#write(set, depth, prefixOf(node.prefix, depth), children);
  }

  #change(set: WriteSet, node: BranchChild, changes: readonly Change[]): Child | undefined {
    if (changes.length === 0) return node;
    const old = this.#children(node, set);
    const children = [...old];
    let isSame = true;
    for (const [nibble, group] of groupsAt(changes, node.depth)) {
      children[nibble] = this.apply(set, old[nibble], group);
      isSame &&= children[nibble] === old[nibble];
    }
    return isSame ? node : this.#write(set, node.depth, node.prefix, children);
  }

  /** Writes a branch; what has fewer than two children is none. */
  #write(set: WriteSet, depth: number, prefix: Uint8Array, children: Children): Child | undefined {
    const key = rowKey.branch(depth, prefix);
    const name = latin1(key);
    const present = children.filter((child) => child !== undefined);
    if (present.length < 2) {
      this.#cache.delete(name);
      set.delete(key);
      return present[0];
    }
    this.#remember(name, children);
    set.put(key, encodeChildren(children));
    const hashes = Array.from({ length: FAN }, (_, i) => children[i] && hashOf(children[i]));
    return { kind: 'branch', depth, prefix, hash: branchHash(depth, prefix, hashes) };
  }

  /**
   * The part of the tree that shows every leaf with a key from `first` to `last`, at most the first `max` of them and, if
   * there are more, the one after. Both keys are of one length.
   */
  prove(root: Child, first: Uint8Array, last: Uint8Array, max: number): ProofNode {
    let left = max + 1;
    const shown = (child: Child): ProofNode => {
      if (child.kind === 'leaf') {
        if (compareBytes(child.key, first) >= 0 && compareBytes(child.key, last) <= 0) left -= 1;
        return { kind: 'leaf', leaf: child };
      }
      const { depth, prefix } = child;
      const children: (ProofNode | undefined)[] = [];
      for (const [i, below] of [...this.#children(child, this.rows)].entries()) {
        if (!below) continue;
        children[i] =
          left > 0 && mayHold(prefix, depth, i, first, last)
            ? shown(below)
            : { kind: 'pruned', hash: hashOf(below) };
      }
      return { kind: 'branch', depth, prefix, children: Array.from({ length: FAN }, (_, i) => children[i]) };
    };
    return shown(root);
  }
}

/** May a child of a branch hold a key from `first` to `last`. */
function mayHold(
  prefix: Uint8Array,
  depth: number,
  nibble: number,
  first: Uint8Array,
  last: Uint8Array,
): boolean {
  const low = new Uint8Array(first.length);
  low.set(prefix.subarray(0, first.length));
  if (depth >> 1 < low.length) low[depth >> 1]! |= depth % 2 === 0 ? nibble << 4 : nibble;
  const high = low.slice();
  for (let at = depth + 1; at < 2 * high.length; at++) high[at >> 1]! |= at % 2 === 0 ? 0xf0 : 0x0f;
  return compareBytes(high, first) >= 0 && compareBytes(low, last) <= 0;
}

/** Runs of changes with the same nibble at a depth. `changes`: ascending by key, equal before it. */
function* groupsAt<C extends Change>(changes: readonly C[], depth: number): Generator<[number, C[]]> {
  for (let from = 0; from < changes.length; ) {
    const nibble = nibbleAt(changes[from]!.key, depth);
    let to = from + 1;
    while (to < changes.length && nibbleAt(changes[to]!.key, depth) === nibble) to++;
    yield [nibble, changes.slice(from, to)];
    from = to;
  }
}
