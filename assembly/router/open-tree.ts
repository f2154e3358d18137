// Two binary trees over (key, number): waiting open tasks, under each of their labels, and assigned open tasks,
// under their agent.
// Keeps: a leaf is identified by task row and position; the node that a leaf carries, if any, is above it. Every step
// follows one path, at most 128 nodes deep; the successor of a number under a key is found without a list.
// Derived and outside the state; which leaves exist is up to open-tasks.ts.

import { Task, tagLabel, taskAt } from '../tasks/rows';
import { holderOf, LEAVES_PER_TASK, nodeBase, numberOf } from './header';
import { categoryKey, tagKey } from './labels';

/** Maximum of tasks: the leaves of more do not fit references of 28 bits. */
export const MAX_ROUTED_TASKS: u32 = 12200000;

/** The tree of waiting tasks, and that of assigned ones. */
export const WAITING: u32 = 0;
export const ASSIGNED: u32 = 1;

const KEY_BITS: u32 = 64;
const MAX_DEPTH: u32 = 128;
// Node, u64: reference of the left side (28 bits), of the right side (28 bits), number of the bit in which
// they differ (8 bits). Reference: (leaf + 1) * 2, plus 1 for the leaf itself, else the node it carries.
const RIGHT: u64 = 28;
const BIT: u64 = 56;
const REF_MASK: u64 = 0xfffffff;
// References of the nodes on the path to the current leaf, and the two roots.
const PATH: usize = memory.data(512, 8);
const ROOTS: usize = memory.data(8, 8);

@unmanaged
class Depth {
  count: u32;
}
const DEPTH: usize = memory.data(8, 8);

function rootOf(tree: u32): u32 {
  return load<u32>(ROOTS + ((<usize>tree) << 2));
}

function setRoot(tree: u32, ref: u32): void {
  store<u32>(ROOTS + ((<usize>tree) << 2), ref);
}

export function clearOpenTrees(): void {
  store<u64>(ROOTS, 0);
}

function leafRef(leaf: u32): u32 {
  return ((leaf + 1) << 1) | 1;
}
function leafOf(ref: u32): u32 {
  return (ref >> 1) - 1;
}
function isLeaf(ref: u32): bool {
  return (ref & 1) != 0;
}

function nodeAt(leaf: u32): usize {
  return nodeBase() + ((<usize>leaf) << 3);
}
function nodeOf(ref: u32): u64 {
  return load<u64>(nodeAt(leafOf(ref)));
}
function setNode(ref: u32, left: u32, right: u32, bit: u32): void {
  store<u64>(nodeAt(leafOf(ref)), <u64>left | ((<u64>right) << RIGHT) | ((<u64>bit) << BIT));
}
function leftOf(node: u64): u32 {
  return <u32>(node & REF_MASK);
}
function rightOf(node: u64): u32 {
  return <u32>((node >> RIGHT) & REF_MASK);
}
function bitOf(node: u64): u32 {
  return <u32>(node >> BIT);
}

/** Key of a task's leaf at a position: 0 is its category (assigned: its agent), the others are its tags. */
function keyAt(tree: u32, task: Task, row: u32, position: u32): u64 {
  if (tree == ASSIGNED) return holderOf(row);
  return position == 0 ? categoryKey(task.categoryLabel) : tagKey(tagLabel(task, position - 1));
}

function keyOfLeaf(tree: u32, leaf: u32): u64 {
  const row = leaf / LEAVES_PER_TASK;
  return keyAt(tree, taskAt(row), row, leaf % LEAVES_PER_TASK);
}

function numberOfLeaf(leaf: u32): u64 {
  return numberOf(taskAt(leaf / LEAVES_PER_TASK));
}

function hasBit(key: u64, number: u64, bit: u32): bool {
  if (bit < KEY_BITS) return ((key >> (63 - <u64>bit)) & 1) != 0;
  return ((number >> (127 - <u64>bit)) & 1) != 0;
}

function pathAt(position: u32): u32 {
  return load<u32>(PATH + ((<usize>position) << 2));
}

// Walks towards a key down to a leaf or to the first node that splits at or after `bit`.
function walk(tree: u32, key: u64, number: u64, bit: u32): u32 {
  const depth = changetype<Depth>(DEPTH);
  depth.count = 0;
  let ref = rootOf(tree);
  while (!isLeaf(ref)) {
    const node = nodeOf(ref);
    if (bitOf(node) >= bit) break;
    store<u32>(PATH + ((<usize>depth.count) << 2), ref);
    depth.count++;
    ref = hasBit(key, number, bitOf(node)) ? rightOf(node) : leftOf(node);
  }
  return ref;
}

// Replaces the child `old` of the node at a position of the path by `ref`; position -1 is the root.
function hang(tree: u32, position: i32, old: u32, ref: u32): void {
  if (position < 0) {
    setRoot(tree, ref);
    return;
  }
  const above = pathAt(<u32>position);
  const node = nodeOf(above);
  const isLeft = leftOf(node) == old;
  setNode(above, isLeft ? ref : leftOf(node), isLeft ? rightOf(node) : ref, bitOf(node));
}

function depthOf(): i32 {
  return <i32>changetype<Depth>(DEPTH).count;
}

/** Adds a leaf of a task; does nothing when the task is under the same key already. */
export function addLeaf(tree: u32, leaf: u32): void {
  store<u64>(nodeAt(leaf), 0);
  if (rootOf(tree) == 0) {
    setRoot(tree, leafRef(leaf));
    return;
  }
  const key = keyOfLeaf(tree, leaf);
  const number = numberOfLeaf(leaf);
  const near = leafOf(walk(tree, key, number, MAX_DEPTH));
  const keys = key ^ keyOfLeaf(tree, near);
  const numbers = number ^ numberOfLeaf(near);
  if (keys == 0 && numbers == 0) return;
  const bit = keys != 0 ? <u32>clz<u64>(keys) : KEY_BITS + <u32>clz<u64>(numbers);
  const other = walk(tree, key, number, bit);
  const inner = leafRef(leaf) - 1;
  hang(tree, depthOf() - 1, other, inner);
  const isRight = hasBit(key, number, bit);
  setNode(inner, isRight ? other : leafRef(leaf), isRight ? leafRef(leaf) : other, bit);
}

/** Removes a leaf while its key and number are still in its task; ignores one that was not added. */
export function dropLeaf(tree: u32, leaf: u32): void {
  if (rootOf(tree) == 0) return;
  const ref = walk(tree, keyOfLeaf(tree, leaf), numberOfLeaf(leaf), MAX_DEPTH);
  if (ref != leafRef(leaf)) return;
  const depth = depthOf();
  if (depth == 0) {
    setRoot(tree, 0);
    return;
  }
  const parent = pathAt(<u32>depth - 1);
  const node = nodeOf(parent);
  hang(tree, depth - 2, parent, leftOf(node) == ref ? rightOf(node) : leftOf(node));
  store<u64>(nodeAt(leafOf(parent)), 0);
  // The node of the removed leaf, if it carries one, moves to where the parent's was.
  const own = load<u64>(nodeAt(leaf));
  if (own == 0) return;
  let position = depth - 2;
  while (position >= 0 && pathAt(<u32>position) != ref - 1) position--;
  assert(position >= 0, 'open tree: a node is not above its leaf');
  hang(tree, position - 1, ref - 1, parent);
  // Read again: replacing the last node of the walk may have changed it.
  store<u64>(nodeAt(leafOf(parent)), load<u64>(nodeAt(leaf)));
  store<u64>(nodeAt(leaf), 0);
}

function firstLeaf(from: u32): u32 {
  let ref = from;
  while (!isLeaf(ref)) ref = leftOf(nodeOf(ref));
  return ref;
}

// The side that holds exactly the leaves under a key, 0 when there are none.
function sideOf(tree: u32, key: u64): u32 {
  let ref = rootOf(tree);
  if (ref == 0) return 0;
  while (!isLeaf(ref) && bitOf(nodeOf(ref)) < KEY_BITS) {
    const node = nodeOf(ref);
    ref = hasBit(key, 0, bitOf(node)) ? rightOf(node) : leftOf(node);
  }
  // The leaf that carries a node is below it.
  return keyOfLeaf(tree, leafOf(ref)) == key ? ref : 0;
}

/** Row of the task under a key with the lowest number above `after`, or -1. */
export function nextUnder(tree: u32, key: u64, after: u64): i32 {
  const side = sideOf(tree, key);
  if (side == 0) return -1;
  const sought = after + 1;
  let ref = side;
  while (!isLeaf(ref))
    ref = hasBit(key, sought, bitOf(nodeOf(ref))) ? rightOf(nodeOf(ref)) : leftOf(nodeOf(ref));
  const met = numberOfLeaf(leafOf(ref));
  if (met != sought) {
    const bit = KEY_BITS + <u32>clz<u64>(met ^ sought);
    let later: u32 = 0;
    ref = side;
    while (!isLeaf(ref) && bitOf(nodeOf(ref)) < bit) {
      const node = nodeOf(ref);
      const isRight = hasBit(key, sought, bitOf(node));
      if (!isRight) later = rightOf(node);
      ref = isRight ? rightOf(node) : leftOf(node);
    }
    // All numbers under this node are above the given one, or all are below it.
    if (met < sought) ref = later;
    if (ref == 0) return -1;
  }
  return <i32>(leafOf(firstLeaf(ref)) / LEAVES_PER_TASK);
}
