// Open-addressing index from a fixed-length key, stored in a table row, to the row's number.
// Keeps: load factor at most one half, linear probing, no tombstones: a removal shifts the following entries back.
// Derived from the rows and rebuilt after an import, so it is not part of the state or of any hash.

import { equal32 } from './bytes';

// Slot: u32 tag (upper half of the hash), u32 row + 1 (0 = empty). The tag alone names the home slot.
const SLOT_BYTES: usize = 8;

@unmanaged
export class KeyIndex {
  slots: usize;
  rows: usize;
  strideBytes: u32;
  keyOffset: u32;
  keyBytes: u32;
  tagShift: u32;
  mask: u32;
}

/** Slots that an index for `capacity` rows needs: the smallest power of two of at least twice that. */
export function slotCount(capacity: u32): u32 {
  let slots: u32 = 16;
  while (slots < capacity * 2) slots <<= 1;
  return slots;
}

/** Points an index at its slots and rows. `keyBytes` is a multiple of 8. */
export function attachIndex(
  index: KeyIndex,
  slots: usize,
  count: u32,
  rows: usize,
  strideBytes: u32,
  keyOffset: u32,
  keyBytes: u32,
): void {
  index.slots = slots;
  index.mask = count - 1;
  index.tagShift = <u32>clz<u32>(count) + 1;
  index.rows = rows;
  index.strideBytes = strideBytes;
  index.keyOffset = keyOffset;
  index.keyBytes = keyBytes;
}

/** Empties an index. Writes only where it is not zero: memory costs nothing until it is written to. */
export function clearIndex(index: KeyIndex): void {
  const end = index.slots + (<usize>index.mask + 1) * SLOT_BYTES;
  for (let at = index.slots; at < end; at += SLOT_BYTES) {
    if (load<u64>(at) != 0) store<u64>(at, 0);
  }
}

// An odd constant (splitmix64), written in halves, because TypeScript tools read a longer literal as a
// rounded number.
const MIX: u64 = ((<u64>0xbf58476d) << 32) | 0x1ce4e5b9;

// Keys of 32 bytes are hashes and public keys, already uniformly distributed: two of their words are enough.
function tagOf(key: usize, bytes: u32): u32 {
  if (bytes == 32) return <u32>(((load<u64>(key) ^ load<u64>(key, 16)) * MIX) >> 32);
  let hash: u64 = MIX;
  for (const end = key + bytes; key < end; key += 8) {
    hash = (hash ^ load<u64>(key)) * MIX;
    hash ^= hash >> 32;
  }
  return <u32>((hash * MIX) >> 32);
}

function sameKey(index: KeyIndex, row: u32, key: usize): bool {
  let at = index.rows + <usize>row * index.strideBytes + index.keyOffset;
  if (index.keyBytes == 32) return equal32(at, key);
  for (const end = key + index.keyBytes; key < end; key += 8) {
    if (load<u64>(key) != load<u64>(at)) return false;
    at += 8;
  }
  return true;
}

/** The row that holds this key, or -1. */
export function findRow(index: KeyIndex, key: usize): i32 {
  const tag = tagOf(key, index.keyBytes);
  let slot = tag >> index.tagShift;
  while (true) {
    const at = index.slots + <usize>slot * SLOT_BYTES;
    const row = load<u32>(at, 4);
    if (row == 0) return -1;
    if (load<u32>(at) == tag && sameKey(index, row - 1, key)) return <i32>(row - 1);
    slot = (slot + 1) & index.mask;
  }
}

/** Adds a row whose key is already stored in it and in no other row. */
export function addRow(index: KeyIndex, row: u32): void {
  const tag = tagOf(index.rows + <usize>row * index.strideBytes + index.keyOffset, index.keyBytes);
  let slot = tag >> index.tagShift;
  let at = index.slots + <usize>slot * SLOT_BYTES;
  while (load<u32>(at, 4) != 0) {
    slot = (slot + 1) & index.mask;
    at = index.slots + <usize>slot * SLOT_BYTES;
  }
  store<u32>(at, tag);
  store<u32>(at, row + 1, 4);
}

/** Removes a row while its key is still stored in it. The row must be in the index. */
export function removeRow(index: KeyIndex, row: u32): void {
  const tag = tagOf(index.rows + <usize>row * index.strideBytes + index.keyOffset, index.keyBytes);
  let slot = tag >> index.tagShift;
  while (load<u32>(index.slots + <usize>slot * SLOT_BYTES, 4) != row + 1) {
    assert(load<u32>(index.slots + <usize>slot * SLOT_BYTES, 4) != 0, 'key index: row is missing');
    slot = (slot + 1) & index.mask;
  }
  let hole = slot;
  while (true) {
    slot = (slot + 1) & index.mask;
    const at = index.slots + <usize>slot * SLOT_BYTES;
    if (load<u32>(at, 4) == 0) break;
    const home = load<u32>(at) >> index.tagShift;
    // An entry may fill the hole only if the hole lies between its home slot and its slot, cyclically.
    if (((slot - home) & index.mask) < ((slot - hole) & index.mask)) continue;
    store<u64>(index.slots + <usize>hole * SLOT_BYTES, load<u64>(at));
    hole = slot;
  }
  store<u64>(index.slots + <usize>hole * SLOT_BYTES, 0);
}
