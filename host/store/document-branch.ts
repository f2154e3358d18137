// A branch of the tree of documents in memory: its children, what its hash is over, its row on disk (consensus 5.18).
// It is one buffer: objects for its children would be sixteen times as many for the garbage collector to visit, in a tree that
// has a branch for every ten open documents. It begins with what its hash is over, so that nothing is put together for a hash,
// and what a change leaves as it is, is copied in runs.
//
//   row of a branch: for each child u8 nibble (+ 0x80 for a branch), then of a leaf: u8 bytes of key, key, value[32];
//   of a branch: u8 depth, prefix, hash[32]

import {
  branchHead,
  FAN,
  HASH_BYTES,
  type Leaf,
  leafHash,
  MAX_HEAD_BYTES,
  MAX_KEY_BYTES,
} from '../wire/document-proof.ts';
import { sha256 } from '../wire/hash.ts';

const IS_BRANCH = 0x80;
/** Every child of a branch. */
export const ALL = (1 << FAN) - 1;

export interface LeafChild extends Leaf {
  kind: 'leaf';
  hash: Uint8Array | undefined;
}
/** The nibbles that all keys of a branch begin with. */
export interface BranchPlace {
  depth: number;
  prefix: Uint8Array;
}
export interface BranchChild extends BranchPlace {
  kind: 'branch';
  hash: Uint8Array;
}
export type Child = LeafChild | BranchChild;
export type Children = (Child | undefined)[];

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

/** Is the child at a place of a row another one only by its hash or value. */
function isOnlyHash(bytes: Uint8Array, at: number, child: Child | undefined): boolean {
  if (!child || (child.kind === 'branch') !== ((bytes[at]! & IS_BRANCH) !== 0)) return false;
  const name = child.kind === 'leaf' ? child.key : child.prefix;
  if (bytes[at + 1] !== (child.kind === 'leaf' ? name.length : child.depth)) return false;
  for (let i = 0; i < name.length; i++) if (bytes[at + CHILD_HEAD + i] !== name[i]) return false;
  return true;
}

/**
 * The children of a branch. It changes in place, in memory for the largest branch that there is: new memory for each change cost
 * more than the change. What it gives are views, good until it changes.
 */
export class Branch {
  /** What the hash is over, which ends with the hashes of the children from `#hashesAt` on; then the row, from `#rowAt` on. */
  readonly #bytes = new Uint8Array(hashed.length + row.length);
  #hashesAt = 0;
  #rowAt = 0;
  #end = 0;
  /** A bit for each nibble that has a child. */
  #bits = 0;

  /** Becomes the branch of a row. */
  read(place: BranchPlace, bytes: Uint8Array): void {
    const children: Children = [];
    for (let at = 0; at < bytes.length; at += childBytes(bytes, at))
      children[bytes[at]! & ~IS_BRANCH] = childAt(bytes, at);
    this.become(place, undefined, ALL, children);
  }

  /**
   * Becomes the branch `old`, which it may be itself, with the children of `mask`, a bit for each nibble, replaced by those of
   * `changed`, where undefined removes. False, and nothing is changed, if fewer than two are left.
   */
  become(place: BranchPlace, old: Branch | undefined, mask: number, changed: Children): boolean {
    const hashesAt = branchHead(hashed, place.depth, place.prefix, 0);
    let [hashTo, rowTo, bits] = [hashesAt, 0, old ? old.#bits & ~mask : 0];
    // Of the old branch: the next child, and the first one that was not copied yet.
    let [oldAt, oldHashAt] = [old ? old.#rowAt : 0, hashesAt];
    let [from, hashFrom] = [oldAt, oldHashAt];
    const copyRun = (): void => {
      if (!old || from === oldAt) return;
      hashed.set(old.#bytes.subarray(hashFrom, oldHashAt), hashTo);
      row.set(old.#bytes.subarray(from, oldAt), rowTo);
      hashTo += oldHashAt - hashFrom;
      rowTo += oldAt - from;
    };
    for (let nibble = 0; nibble < FAN; nibble++) {
      const bit = 1 << nibble;
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
      if (old && (old.#bits & bit) !== 0) {
        oldAt += childBytes(old.#bytes, oldAt);
        oldHashAt += HASH_BYTES;
      }
      if ((mask & bit) !== 0) [from, hashFrom] = [oldAt, oldHashAt];
    }
    copyRun();
    // No bit, or a single one.
    if ((bits & (bits - 1)) === 0) return false;
    branchHead(hashed, place.depth, place.prefix, bits);
    this.#bytes.set(hashed.subarray(0, hashTo));
    this.#bytes.set(row.subarray(0, rowTo), hashTo);
    [this.#bits, this.#hashesAt, this.#rowAt, this.#end] = [bits, hashesAt, hashTo, hashTo + rowTo];
    return true;
  }

  /**
   * Takes the children of `changed` for those of `mask`, if they differ in nothing but their hashes or values, as nearly all do
   * near the root. False, and nothing is changed, if one differs in more.
   */
  replaces(mask: number, changed: Children): boolean {
    const [bytes, bits] = [this.#bytes, this.#bits];
    if ((mask & ~bits) !== 0) return false;
    for (let nibble = 0, at = this.#rowAt; nibble < FAN; nibble++) {
      if ((mask & (1 << nibble)) !== 0 && !isOnlyHash(bytes, at, changed[nibble])) return false;
      if ((bits & (1 << nibble)) !== 0) at += childBytes(bytes, at);
    }
    for (let nibble = 0, at = this.#rowAt, hashAt = this.#hashesAt; nibble < FAN; nibble++) {
      if ((bits & (1 << nibble)) === 0) continue;
      at += childBytes(bytes, at);
      if ((mask & (1 << nibble)) !== 0) {
        const child = changed[nibble]!;
        const hash = hashOf(child);
        bytes.set(child.kind === 'leaf' ? child.value : hash, at - HASH_BYTES);
        bytes.set(hash, hashAt);
      }
      hashAt += HASH_BYTES;
    }
    return true;
  }

  get row(): Uint8Array {
    return this.#bytes.subarray(this.#rowAt, this.#end);
  }

  get hash(): Uint8Array {
    return sha256(this.#bytes.subarray(0, this.#rowAt));
  }

  child(nibble: number): Child | undefined {
    if ((this.#bits & (1 << nibble)) === 0) return undefined;
    let at = this.#rowAt;
    while ((this.#bytes[at]! & ~IS_BRANCH) !== nibble) at += childBytes(this.#bytes, at);
    return childAt(this.#bytes, at);
  }

  /** By nibble, ascending, each with its hash. */
  *children(): Generator<[nibble: number, child: Child, hash: Uint8Array]> {
    let hashAt = this.#hashesAt;
    for (let at = this.#rowAt; at < this.#end; at += childBytes(this.#bytes, at)) {
      const hash = this.#bytes.subarray(hashAt, hashAt + HASH_BYTES);
      yield [this.#bytes[at]! & ~IS_BRANCH, childAt(this.#bytes, at), hash];
      hashAt += HASH_BYTES;
    }
  }

  /** The only child that `become` would leave, if there is one. */
  static onlyOf(old: Branch | undefined, mask: number, changed: Children): Child | undefined {
    for (let nibble = 0; nibble < FAN; nibble++) {
      const child = (mask & (1 << nibble)) === 0 ? old?.child(nibble) : changed[nibble];
      if (child) return child;
    }
    return undefined;
  }
}
