// The tree of documents on disk: a row for each branch, with its children (consensus 5.18).
// Keeps: equal leaves give equal trees and roots, whatever was written before. A change costs the branches above it, and
// each of them once for all changes that are applied together.
// A branch in memory is one buffer: objects for its children would be sixteen times as many for the garbage collector to
// visit, in a tree that has a branch for every ten open documents.
//
//   row of a branch: for each child u8 nibble (+ 0x80 for a branch), then of a leaf: u8 bytes of key, key, value[32];
//   of a branch: u8 depth, prefix, hash[32]

import { ByteReader, compareBytes } from '../wire/bytes.ts';
import {
  branchHash,
  commonNibbles,
  FAN,
  HASH_BYTES,
  type Leaf,
  leafHash,
  MAX_KEY_BYTES,
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

/** Bytes of a child in a row before its name. */
const CHILD_HEAD = 2;
const MAX_CHILD_BYTES = CHILD_HEAD + MAX_KEY_BYTES + HASH_BYTES;
const HASHES_BYTES = FAN * HASH_BYTES;
/** Where a branch is put together: the hashes of its children, then its row. */
const scratch = new Uint8Array(HASHES_BYTES + FAN * MAX_CHILD_BYTES);

/** Bytes of the child at a place of a row. */
function childBytes(bytes: Uint8Array, at: number): number {
  const size = bytes[at + 1]!;
  const isBranch = (bytes[at]! & IS_BRANCH) !== 0;
  return CHILD_HEAD + (isBranch ? (size + 1) >> 1 : size) + HASH_BYTES;
}

/** The children of a branch. Never changes; what it gives are views of it. */
class Branch {
  /** `bytes`: FAN hashes by nibble, those of absent children undefined; then the row. */
  private constructor(private readonly bytes: Uint8Array) {}

  static ofRow(row: Uint8Array): Branch {
    const bytes = new Uint8Array(HASHES_BYTES + row.length);
    bytes.set(row, HASHES_BYTES);
    const branch = new Branch(bytes);
    for (const [nibble, child] of branch.children()) bytes.set(hashOf(child), nibble * HASH_BYTES);
    return branch;
  }

  /**
   * The branch in which the children of `mask`, a bit for each nibble, are replaced by those of `changed`, where undefined
   * removes. Undefined if fewer than two are left.
   */
  static of(old: Branch | undefined, mask: number, changed: Children): Branch | undefined {
    let [at, oldAt, count] = [HASHES_BYTES, HASHES_BYTES, 0];
    for (let nibble = 0; nibble < FAN; nibble++) {
      const oldBytes = old?.sizeAt(oldAt, nibble) ?? 0;
      if ((mask & (1 << nibble)) === 0) {
        if (oldBytes > 0) {
          const hashAt = nibble * HASH_BYTES;
          scratch.set(old!.bytes.subarray(hashAt, hashAt + HASH_BYTES), hashAt);
          scratch.set(old!.bytes.subarray(oldAt, oldAt + oldBytes), at);
          at += oldBytes;
          count += 1;
        }
      } else {
        const child = changed[nibble];
        if (child) {
          scratch.set(hashOf(child), nibble * HASH_BYTES);
          at = putChild(scratch, at, nibble, child);
          count += 1;
        }
      }
      oldAt += oldBytes;
    }
    return count < 2 ? undefined : new Branch(scratch.slice(0, at));
  }

  get row(): Uint8Array {
    return this.bytes.subarray(HASHES_BYTES);
  }

  /** Bytes of the child at a place of the row, if it is that of the nibble. */
  private sizeAt(at: number, nibble: number): number {
    const isIt = at < this.bytes.length && (this.bytes[at]! & ~IS_BRANCH) === nibble;
    return isIt ? childBytes(this.bytes, at) : 0;
  }

  child(nibble: number): Child | undefined {
    for (let at = HASHES_BYTES; at < this.bytes.length; at += childBytes(this.bytes, at)) {
      if ((this.bytes[at]! & ~IS_BRANCH) === nibble) return this.#childAt(at);
    }
    return undefined;
  }

  #childAt(at: number): Child {
    return readChild(new ByteReader(this.bytes.subarray(at, at + childBytes(this.bytes, at)))).child;
  }

  /** By nibble, ascending. */
  *children(): Generator<[number, Child]> {
    for (let at = HASHES_BYTES; at < this.bytes.length; at += childBytes(this.bytes, at)) {
      yield [this.bytes[at]! & ~IS_BRANCH, this.#childAt(at)];
    }
  }

  /** The only child that `of` left, if there is one. */
  static onlyOf(old: Branch | undefined, mask: number, changed: Children): Child | undefined {
    for (let nibble = 0; nibble < FAN; nibble++) {
      const child = (mask & (1 << nibble)) === 0 ? old?.child(nibble) : changed[nibble];
      if (child) return child;
    }
    return undefined;
  }

  hash(depth: number, prefix: Uint8Array): Uint8Array {
    let bits = 0;
    for (let at = HASHES_BYTES; at < this.bytes.length; at += childBytes(this.bytes, at)) {
      bits |= 1 << (this.bytes[at]! & ~IS_BRANCH);
    }
    return branchHash(depth, prefix, bits, this.bytes);
  }
}

const isIn = (key: Uint8Array, { depth, prefix }: BranchChild): boolean =>
  commonNibbles(key, prefix) >= depth;

/** Does a change leave a leaf as it is, and add none: what opened and closed since the last root, or was written again. */
const isVain = ({ key, value }: Change, leaf: Leaf): boolean =>
  compareBytes(key, leaf.key) === 0
    ? value !== undefined && compareBytes(value, leaf.value) === 0
    : value === undefined;

/** Every child of a branch. */
const ALL = (1 << FAN) - 1;

export class DocumentTree {
  readonly #cache = new Map<string, Branch>();

  constructor(private readonly rows: Pick<Store, 'get'>) {}

  #remember(name: string, branch: Branch): void {
    this.#cache.delete(name);
    if (this.#cache.size >= MAX_CACHED) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.set(name, branch);
  }

  #branch({ depth, prefix }: BranchChild, rows: Pick<Store, 'get'>): Branch {
    const key = rowKey.branch(depth, prefix);
    const name = latin1(key);
    const known = this.#cache.get(name);
    if (known) return known;
    const row = rows.get(key);
    if (!row) throw new Error('a row of the tree of documents is missing');
    const branch = Branch.ofRow(row);
    this.#remember(name, branch);
    return branch;
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
    return this.#write(set, { depth, prefix: prefixOf(first, depth) }, undefined, ALL, children);
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
    return this.#write(set, { depth, prefix: prefixOf(node.prefix, depth) }, undefined, ALL, children);
  }

  #change(set: WriteSet, node: BranchChild, changes: readonly Change[]): Child | undefined {
    if (changes.length === 0) return node;
    const old = this.#branch(node, set);
    const changed: Children = [];
    let mask = 0;
    for (const [nibble, group] of groupsAt(changes, node.depth)) {
      const child = old.child(nibble);
      const next = this.apply(set, child, group);
      if (next === child) continue;
      changed[nibble] = next;
      mask |= 1 << nibble;
    }
    return mask === 0 ? node : this.#write(set, node, old, mask, changed);
  }

  /** Writes a branch, as `Branch.of` makes it; what has fewer than two children is none. */
  #write(
    set: WriteSet,
    { depth, prefix }: Pick<BranchChild, 'depth' | 'prefix'>,
    old: Branch | undefined,
    mask: number,
    changed: Children,
  ): Child | undefined {
    const key = rowKey.branch(depth, prefix);
    const name = latin1(key);
    const branch = Branch.of(old, mask, changed);
    if (!branch) {
      this.#cache.delete(name);
      set.delete(key);
      return Branch.onlyOf(old, mask, changed);
    }
    this.#remember(name, branch);
    set.put(key, branch.row);
    return { kind: 'branch', depth, prefix, hash: branch.hash(depth, prefix) };
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
      for (const [i, below] of this.#branch(child, this.rows).children()) {
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
