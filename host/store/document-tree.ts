// The tree of documents on disk: a row for each branch, with its children (consensus 5.18).
// Keeps: equal leaves give equal trees and roots, whatever was written before. A change costs the branches above it, and
// each of them once for all changes that are applied together.

import { compareBytes } from '../wire/bytes.ts';
import { commonNibbles, FAN, type Leaf, nibbleAt, type ProofNode, prefixOf } from '../wire/document-proof.ts';
import { latin1 } from '../wire/latin1.ts';
import type { Store } from '../world/store.ts';
import {
  ALL,
  Branch,
  type BranchChild,
  type BranchPlace,
  type Child,
  type Children,
  type LeafChild,
  leafChild,
} from './document-branch.ts';
import { rowKey } from './prefixes.ts';
import type { WriteSet } from './write-set.ts';

/** Branches that stay decoded in memory: those near the root, which every change passes. */
const MAX_CACHED = 16_384;
/** Changes that are applied at once: no branch is forgotten meanwhile. */
const MAX_AT_ONCE = 2000;
/** Branches whose memory is kept without use. */
const MAX_SPARE = 4096;

/** A leaf that is set to a value, or removed. */
export interface Change {
  key: Uint8Array;
  value: Uint8Array | undefined;
}

/** The same child with bytes of its own. */
function ownChild(child: Child | undefined): Child | undefined {
  if (child?.kind === 'leaf')
    return leafChild({ key: Uint8Array.from(child.key), value: Uint8Array.from(child.value) });
  return child && { ...child, prefix: Uint8Array.from(child.prefix), hash: Uint8Array.from(child.hash) };
}

const isIn = (key: Uint8Array, { depth, prefix }: BranchChild): boolean =>
  commonNibbles(key, prefix) >= depth;

/** Does a change leave a leaf as it is, and add none: what opened and closed since the last root, or was written again. */
const isVain = ({ key, value }: Change, leaf: Leaf): boolean =>
  compareBytes(key, leaf.key) === 0
    ? value !== undefined && compareBytes(value, leaf.value) === 0
    : value === undefined;

export class DocumentTree {
  /** Decoded branches; those of `#older` are forgotten when there are many in `#newer`, unless they are needed again before. */
  #newer = new Map<string, Branch>();
  #older = new Map<string, Branch>();
  /** Memory of branches that are none any more, of which something may still have a view; and to be used again. */
  readonly #gone: Branch[] = [];
  readonly #spare: Branch[] = [];

  constructor(private readonly rows: Pick<Store, 'get'>) {}

  #unused(): Branch {
    return this.#spare.pop() ?? new Branch();
  }

  /** Forgets branches that were not needed for long. Called when nothing has a view of one. */
  #forget(): void {
    this.#spare.push(...this.#gone.splice(0));
    if (this.#newer.size >= MAX_CACHED / 2) {
      for (const [name, branch] of this.#older)
        if (this.#newer.get(name) !== branch) this.#spare.push(branch);
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#spare.splice(MAX_SPARE);
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
      branch = this.#unused();
      branch.read(place, row);
    }
    this.#newer.set(name, branch);
    return branch;
  }

  /** Applies changes to the tree with this top; returns the new one. `changes`: ascending by key, one for a key. */
  update(set: WriteSet, top: Child | undefined, changes: readonly Change[]): Child | undefined {
    let next = top;
    for (let from = 0; from < changes.length; from += MAX_AT_ONCE) {
      this.#forget();
      next = ownChild(this.#apply(set, next, changes, from, Math.min(changes.length, from + MAX_AT_ONCE)));
    }
    return next;
  }

  /**
   * Applies the changes from `from` to `to` to the tree below `node`; returns what stands there afterwards, which is `node`
   * itself if nothing changed.
   */
  #apply(
    set: WriteSet,
    node: Child | undefined,
    changes: readonly Change[],
    from: number,
    to: number,
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
    if (outside.length === 0) return this.#apply(set, node, inside, 0, inside.length);
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
      children[nibble] = this.#apply(set, children[nibble], all, from, to);
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
      const next = this.#apply(set, child, changes, from, to);
      if (next !== child) {
        changed[nibble] = next;
        mask |= 1 << nibble;
      }
      from = to;
    }
    return mask === 0 ? node : this.#write(set, node, old, mask, changed);
  }

  /** Writes a branch; what has fewer than two children is none. */
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
    const branch = old ?? this.#unused();
    if (!old?.replaces(mask, changed) && !branch.become(place, old, mask, changed)) {
      this.#newer.delete(name);
      this.#older.delete(name);
      this.#gone.push(branch);
      set.delete(key);
      return Branch.onlyOf(old, mask, changed);
    }
    this.#newer.set(name, branch);
    set.put(key, branch.row);
    return { kind: 'branch', depth, prefix, hash: branch.hash };
  }

  /**
   * The part of the tree that shows every leaf with a key from `first` to `last`, at most the first `max` of them and, if
   * there are more, the one after. Both keys are of one length.
   */
  prove(root: Child, first: Uint8Array, last: Uint8Array, max: number): ProofNode {
    this.#forget();
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
