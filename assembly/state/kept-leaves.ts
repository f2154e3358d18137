// Leaves as the last state hash has them, kept while the state moves on: so a row can be proven under a signed root.
// Keeps: derived, outside of the hashed range; bounded. A leaf whose slot another one took cannot be proven until the next hash,
// unless a snapshot has it.

import { LEAF_BYTES } from '../abi';
import { MARK_HASH } from './marks';
import { root } from './root';

/** 8 MiB: more leaves than change between two checkpoints of a busy network. */
const MAX_SLOTS: u32 = 16384;
/** The header changes with every block and is a part of every proof: no other leaf takes its slots. */
const OWN_SLOTS: u32 = 16;

/** Number of slots for that many leaves, a power of two; with those of the header `OWN_SLOTS` more. */
export function keptSlots(leaves: u32): u32 {
  let slots: u32 = OWN_SLOTS;
  while (slots < leaves && slots < MAX_SLOTS) slots <<= 1;
  return slots;
}

/** Bytes of the arenas of leaves and of their numbers. */
export function keptBytes(leaves: u32): u64 {
  return (<u64>keptSlots(leaves) + OWN_SLOTS) * LEAF_BYTES;
}
export function keptNumberBytes(leaves: u32): u64 {
  return (<u64>keptSlots(leaves) + OWN_SLOTS) << 2;
}

function slotOf(leaf: u32): usize {
  return leaf < OWN_SLOTS ? leaf : OWN_SLOTS + (leaf & (root().keptSlots - 1));
}

/** Called when a leaf was hashed. */
export function keepLeaf(leaf: u32): void {
  const r = root();
  const slot = slotOf(leaf);
  memory.copy(r.keptLeaves + slot * LEAF_BYTES, r.base + <usize>leaf * LEAF_BYTES, LEAF_BYTES);
  store<u32>(r.keptNumbers + (slot << 2), leaf + 1);
}

/** Address of a leaf as the last state hash has it; 0 if that is not known here. */
export function leafOfHash(leaf: u32): usize {
  const r = root();
  if ((load<u8>(r.marks + leaf) & MARK_HASH) == 0) return r.base + <usize>leaf * LEAF_BYTES;
  const slot = slotOf(leaf);
  return load<u32>(r.keptNumbers + (slot << 2)) == leaf + 1 ? r.keptLeaves + slot * LEAF_BYTES : 0;
}
