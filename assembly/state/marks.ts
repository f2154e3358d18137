// Which leaves changed: since the last state hash, and since the last snapshot.
// Keeps: whoever writes to the hashed range marks the bytes it wrote, before or after, in the same call.
// A byte for each leaf and one for each group of 256 leaves, so that a walk costs only what changed.

import { LEAF_BYTES } from '../abi';
import { HEADER_BYTES } from './header';
import { root } from './root';

export const MARK_HASH: u8 = 1;
export const MARK_SNAPSHOT: u8 = 2;
const MARK_ALL: u8 = 3;
const LEAF_SHIFT: usize = 9;
export const GROUP_SHIFT: u32 = 8;

function markLeaf(leaf: usize): void {
  const r = root();
  store<u8>(r.marks + leaf, MARK_ALL);
  store<u8>(r.markGroups + (leaf >> GROUP_SHIFT), MARK_ALL);
}

/** Marks the leaves that hold `bytes` at `at`. */
export function markBytes(at: usize, bytes: u32): void {
  const from = at - root().base;
  const last = (from + bytes - 1) >> LEAF_SHIFT;
  for (let leaf = from >> LEAF_SHIFT; leaf <= last; leaf++) markLeaf(leaf);
}

/** Loads the mark of the leaf at an address (lib/warm.ts). */
export function warmMark(at: usize): u64 {
  return load<u8>(root().marks + ((at - root().base) >> LEAF_SHIFT));
}

/** The header changes with nearly every call, so each entry point marks it once. */
export function markHeader(): void {
  for (let leaf: u32 = 0; leaf < HEADER_BYTES / LEAF_BYTES; leaf++) markLeaf(leaf);
}

/** First leaf at or after `from` that carries `mark`, or -1. Clears the group mark of groups that it skips entirely. */
export function nextMarked(from: u32, mark: u8): i32 {
  const r = root();
  let leaf = from;
  while (leaf < r.leafCount) {
    const group = leaf >> GROUP_SHIFT;
    const groupEnd = min<u32>((group + 1) << GROUP_SHIFT, r.leafCount);
    const groupMark = load<u8>(r.markGroups + group);
    if ((groupMark & mark) == 0) {
      leaf = groupEnd;
      continue;
    }
    const wasWhole = leaf == group << GROUP_SHIFT;
    for (; leaf < groupEnd; leaf++) {
      if ((load<u8>(r.marks + leaf) & mark) != 0) return <i32>leaf;
    }
    if (wasWhole) store<u8>(r.markGroups + group, groupMark & ~mark);
  }
  return -1;
}

export function clearMark(leaf: u32, mark: u8): void {
  const at = root().marks + leaf;
  store<u8>(at, load<u8>(at) & ~mark);
}
