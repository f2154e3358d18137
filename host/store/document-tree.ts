// The tree of documents on disk: a row for each branch, with its children (consensus 5.18).
// Keeps: equal leaves give equal trees and roots, whatever was written before. A change costs the branches above it, and
// each of them once for all changes that are applied together.
// A branch in memory is one buffer: objects for its children would be sixteen times as many for the garbage collector to
// visit, in a tree that has a branch for every ten open documents. It begins with what its hash is over, so that nothing is put
// together for a hash; and what a change leaves as it is, is copied from branch to branch in runs.
//
//   row of a branch: for each child u8 nibble (+ 0x80 for a branch), then of a leaf: u8 bytes of key, key, value[32];
//   of a branch: u8 depth, prefix, hash[32]

import { compareBytes } from '../wire/bytes.ts';
import {
  branchHead,
  commonNibbles,
  FAN,
  HASH_BYTES,
  type Leaf,
  leafHash,
  MAX_HEAD_BYTES,
  MAX_KEY_BYTES,
  nibbleAt,
  type ProofNode,
  prefixOf,
} from '../wire/document-proof.ts';
import { sha256 } from '../wire/hash.ts';
import { latin1 } from '../wire/latin1.ts';
import type { Store } from '../world/store.ts';
import { rowKey } from './prefixes.ts';
import type { WriteSet } from './write-set.ts';

/** Branches that stay decoded in memory: those near the root, which every change passes. */
const MAX_CACHED = 16_384;
const IS_BRANCH = 0x80;
/** Every child of a branch. */
const ALL = (1 << FAN) - 1;

/** A leaf that is set to a value, or removed. */
export interface Change {
  key: Uint8Array;
  value: Uint8Array | undefined;
}

interface LeafChild extends Leaf {
  kind: 'leaf';
  hash: Uint8Array | undefined;
}
/** The nibbles that all keys of a branch begin with. */
interface BranchPlace {
  depth: number;
  prefix: Uint8Array;
}
interface BranchChild extends BranchPlace {
  kind: 'branch';
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

/** Bytes of a child in a row before its name. */
const CHILD_HEAD = 2;
const MAX_CHILD_BYTES = CHILD_HEAD + MAX_KEY_BYTES + HASH_BYTES;
/** Where a branch is put together: what its hash is over, and its row. */
const hashed = new Uint8Array(MAX_HEAD_BYTES + FAN * HASH_BYTES);
const row = new Uint8Array(FAN * MAX_CHILD_BYTES);

/** Bytes of the child at a place of a row. */
function childBytes(bytes: Uint8Array, at: number): number {
  const size = bytes[at + 1]!;
  const isBranch = (bytes[at]! & IS_BRANCH) !== 0;
  return CHILD_HEAD + (isBranch ? (size + 1) >> 1 : size) + HASH_BYTES;
}

/** The child at a place of a row; its members are views. */
export function childAt(bytes: Uint8Array, at: number): Child {
  const size = bytes[at + 1]!;
  const end = at + childBytes(bytes, at);
  const name = bytes.subarray(at + CHILD_HEAD, end - HASH_BYTES);
  const value = bytes.subarray(end - HASH_BYTES, end);
  return (bytes[at]! & IS_BRANCH) === 0
    ? { kind: 'leaf', key: name, value, hash: undefined }
    : { kind: 'branch', depth: size, prefix: name, hash: value };
}

/** The children of a branch. Never changes; what it gives are views of it. */
class Branch {
  /**
   * `bytes`: what the hash is over, which ends with the hashes of the children from `hashesAt` on; then the row, from `rowAt` on.
   * `bits`: a bit for each nibble that has a child.
   */
  private constructor(
    private readonly bytes: Uint8Array,
    private readonly bits: number,
    private readonly hashesAt: number,
    private readonly rowAt: number,
  ) {}

  static ofRow(place: BranchPlace, bytes: Uint8Array): Branch {
    const children: Children = [];
    for (let at = 0; at < bytes.length; at += childBytes(bytes, at))
      children[bytes[at]! & ~IS_BRANCH] = childAt(bytes, at);
    return Branch.of(place, undefined, ALL, children)!;
  }

  /**
   * The branch in which the children of `mask`, a bit for each nibble, are replaced by those of `changed`, where undefined
   * removes. Undefined if fewer than two are left.
   */
  static of(
    place: BranchPlace,
    old: Branch | undefined,
    mask: number,
    changed: Children,
  ): Branch | undefined {
    const hashesAt = branchHead(hashed, place.depth, place.prefix, 0);
    let [hashTo, rowTo, bits] = [hashesAt, 0, old ? old.bits & ~mask : 0];
    // Of the old branch: the next child, and the first one that was not copied yet.
    let [oldAt, oldHashAt] = [old?.rowAt ?? 0, hashesAt];
    let [from, hashFrom] = [oldAt, oldHashAt];
    const copyRun = (): void => {
      if (!old || from === oldAt) return;
      hashed.set(old.bytes.subarray(hashFrom, oldHashAt), hashTo);
      row.set(old.bytes.subarray(from, oldAt), rowTo);
      hashTo += oldHashAt - hashFrom;
      rowTo += oldAt - from;
    };
    for (let nibble = 0; nibble < FAN; nibble++) {
      const bit = 1 << nibble;
      const isOld = old !== undefined && (old.bits & bit) !== 0;
      if ((mask & bit) !== 0) {
        copyRun();
        const child = changed[nibble];
        if (child) {
          hashed.set(hashOf(child), hashTo);
          rowTo = putChild(row, rowTo, nibble, child);
          hashTo += HASH_BYTES;
          bits |= bit;
        }
      }
      if (isOld) {
        oldAt += childBytes(old.bytes, oldAt);
        oldHashAt += HASH_BYTES;
      }
      if ((mask & bit) !== 0) [from, hashFrom] = [oldAt, oldHashAt];
    }
    copyRun();
    // No bit, or a single one.
    if ((bits & (bits - 1)) === 0) return undefined;
    branchHead(hashed, place.depth, place.prefix, bits);
    const bytes = new Uint8Array(hashTo + rowTo);
    bytes.set(hashed.subarray(0, hashTo));
    bytes.set(row.subarray(0, rowTo), hashTo);
    return new Branch(bytes, bits, hashesAt, hashTo);
  }

  get row(): Uint8Array {
    return this.bytes.subarray(this.rowAt);
  }

  get hash(): Uint8Array {
    return sha256(this.bytes.subarray(0, this.rowAt));
  }

  child(nibble: number): Child | undefined {
    if ((this.bits & (1 << nibble)) === 0) return undefined;
    let at = this.rowAt;
    while ((this.bytes[at]! & ~IS_BRANCH) !== nibble) at += childBytes(this.bytes, at);
    return childAt(this.bytes, at);
  }

  /** By nibble, ascending, each with its hash. */
  *children(): Generator<[nibble: number, child: Child, hash: Uint8Array]> {
    let hashAt = this.hashesAt;
    for (let at = this.rowAt; at < this.bytes.length; at += childBytes(this.bytes, at)) {
      const hash = this.bytes.subarray(hashAt, hashAt + HASH_BYTES);
      yield [this.bytes[at]! & ~IS_BRANCH, childAt(this.bytes, at), hash];
      hashAt += HASH_BYTES;
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
}

const isIn = (key: Uint8Array, { depth, prefix }: BranchChild): boolean =>
  commonNibbles(key, prefix) >= depth;

/** Does a change leave a leaf as it is, and add none: what opened and closed since the last root, or was written again. */
const isVain = ({ key, value }: Change, leaf: Leaf): boolean =>
  compareBytes(key, leaf.key) === 0
    ? value !== undefined && compareBytes(value, leaf.value) === 0
    : value === undefined;

export class DocumentTree {
  /** Decoded branches; those of `#older` are forgotten when `#newer` is full, unless they are needed again before. */
  #newer = new Map<string, Branch>();
  #older = new Map<string, Branch>();

  constructor(private readonly rows: Pick<Store, 'get'>) {}

  #remember(name: string, branch: Branch): void {
    if (this.#newer.size >= MAX_CACHED / 2 && !this.#newer.has(name)) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(name, branch);
  }

  #branch(place: BranchPlace, rows: Pick<Store, 'get'>): Branch {
    const key = rowKey.branch(place.depth, place.prefix);
    const name = latin1(key);
    const known = this.#newer.get(name);
    if (known) return known;
    let branch = this.#older.get(name);
    if (!branch) {
      const row = rows.get(key);
      if (!row) throw new Error('a row of the tree of documents is missing');
      branch = Branch.ofRow(place, row);
    }
    this.#remember(name, branch);
    return branch;
  }

  /**
   * Applies changes to the tree below `node`; returns what stands there afterwards, which is `node` itself if nothing
   * changed. `changes`: ascending by key, one for a key, of which those from `from` to `to` are meant.
   */
  apply(
    set: WriteSet,
    node: Child | undefined,
    changes: readonly Change[],
    from = 0,
    to = changes.length,
  ): Child | undefined {
    if (from === to) return node;
    if (!node) return this.#build(set, changes.slice(from, to));
    if (node.kind === 'leaf') return this.#beside(set, node, changes.slice(from, to));
    // Keys between two of a branch are of it, too.
    if (isIn(changes[from]!.key, node) && isIn(changes[to - 1]!.key, node))
      return this.#change(set, node, changes, from, to);
    const own = changes.slice(from, to);
    // What is removed outside of the branch is not there.
    const outside = own.filter((change) => change.value && !isIn(change.key, node));
    const inside = own.filter((change) => isIn(change.key, node));
    if (outside.length === 0) return this.apply(set, node, inside);
    return this.#fork(set, node, inside, outside);
  }

  /** The tree of a leaf and of changes to it and beside it. */
  #beside(set: WriteSet, node: LeafChild, changes: readonly Change[]): Child | undefined {
    if (changes.every((change) => isVain(change, node))) return node;
    const at = changes.findIndex(({ key }) => compareBytes(key, node.key) >= 0);
    if (at >= 0 && compareBytes(changes[at]!.key, node.key) === 0) return this.#build(set, changes);
    const all = [...changes];
    all.splice(at < 0 ? all.length : at, 0, node);
    return this.#build(set, all);
  }

  /** The tree of some new leaves; changes that remove are skipped. */
  #build(set: WriteSet, changes: readonly Change[]): Child | undefined {
    const leaves = changes.filter((change): change is Leaf => change.value !== undefined);
    if (leaves.length <= 1) return leaves[0] && leafChild(leaves[0]);
    const [first, last] = [leaves[0]!.key, leaves.at(-1)!.key];
    const depth = commonNibbles(first, last);
    const children: Children = [];
    for (let from = 0; from < leaves.length; ) {
      const to = endOfRun(leaves, depth, from, leaves.length);
      children[nibbleAt(leaves[from]!.key, depth)] = this.#build(set, leaves.slice(from, to));
      from = to;
    }
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
    children[nibbleAt(node.prefix, depth)] = node;
    const all = [...inside, ...outside].sort((a, b) => compareBytes(a.key, b.key));
    for (let from = 0; from < all.length; ) {
      const to = endOfRun(all, depth, from, all.length);
      const nibble = nibbleAt(all[from]!.key, depth);
      children[nibble] = this.apply(set, children[nibble], all, from, to);
      from = to;
    }
    return this.#write(set, { depth, prefix: prefixOf(node.prefix, depth) }, undefined, ALL, children);
  }

  #change(
    set: WriteSet,
    node: BranchChild,
    changes: readonly Change[],
    first: number,
    last: number,
  ): Child | undefined {
    const old = this.#branch(node, set);
    const changed: Children = [];
    let mask = 0;
    for (let from = first; from < last; ) {
      const to = endOfRun(changes, node.depth, from, last);
      const nibble = nibbleAt(changes[from]!.key, node.depth);
      const child = old.child(nibble);
      const next = this.apply(set, child, changes, from, to);
      if (next !== child) {
        changed[nibble] = next;
        mask |= 1 << nibble;
      }
      from = to;
    }
    return mask === 0 ? node : this.#write(set, node, old, mask, changed);
  }

  /** Writes a branch, as `Branch.of` makes it; what has fewer than two children is none. */
  #write(
    set: WriteSet,
    place: BranchPlace,
    old: Branch | undefined,
    mask: number,
    changed: Children,
  ): Child | undefined {
    const { depth, prefix } = place;
    const key = rowKey.branch(depth, prefix);
    const name = latin1(key);
    const branch = Branch.of(place, old, mask, changed);
    if (!branch) {
      this.#newer.delete(name);
      this.#older.delete(name);
      set.delete(key);
      return Branch.onlyOf(old, mask, changed);
    }
    this.#remember(name, branch);
    set.put(key, branch.row);
    return { kind: 'branch', depth, prefix, hash: branch.hash };
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
      for (const [i, below, hash] of this.#branch(child, this.rows).children()) {
        const isShown = left > 0 && mayHold(prefix, depth, i, first, last);
        children[i] = isShown ? shown(below) : { kind: 'pruned', hash };
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

/** Where the changes with the same nibble at a depth as that at `from` end. `changes`: ascending by key, equal before it. */
function endOfRun(changes: readonly Change[], depth: number, from: number, last: number): number {
  const nibble = nibbleAt(changes[from]!.key, depth);
  let to = from + 1;
  while (to < last && nibbleAt(changes[to]!.key, depth) === nibble) to++;
  return to;
}
