// Open-addressing index from a fixed-length key, stored in a table row, to the row's number.
// Keeps: load factor at most one half, linear probing, no tombstones: a removal shifts the following entries back.
// Slots in use double in place as rows are added. Keys hash to random slots, so an index of full size would touch a page of
// memory, and miss every cache, for each of a few rows.
// Derived from the rows and rebuilt after an import, so it is not part of the state or of any hash.

import { equal32 } from './bytes';
import { endWarming } from './warm';

// Slot: u32 tag (upper half of the hash), u32 row + 1 (0 = empty). The tag alone names the home slot.
const SLOT_BYTES: usize = 8;
const FIRST_SLOTS: u32 = 16;
// In the row of a slot while the index doubles: the entry is where it was before.
const IS_UNMOVED: u32 = 0x80000000;

@unmanaged
export class KeyIndex {
  slots: usize;
  rows: usize;
  strideBytes: u32;
  keyOffset: u32;
  keyBytes: u32;
  tagShift: u32;
  /** Slots in use less 1. */
  mask: u32;
  /** Rows in it. */
  count: u32;
  /** Slots that there is memory for. */
  reserved: u32;
}

/** Slots that an index for `capacity` rows needs: the smallest power of two of at least twice that. */
export function slotCount(capacity: u32): u32 {
  let slots = FIRST_SLOTS;
  while (slots < capacity * 2) slots <<= 1;
  return slots;
}

function useSlots(index: KeyIndex, count: u32): void {
  index.mask = count - 1;
  index.tagShift = <u32>clz<u32>(count) + 1;
}

/** Empties an index. What lies behind the slots in use is cleared when it comes into use. */
export function clearIndex(index: KeyIndex): void {
  memory.fill(index.slots, 0, <usize>FIRST_SLOTS * SLOT_BYTES);
  index.count = 0;
  useSlots(index, FIRST_SLOTS);
}

/** Points an empty index at its rows and at memory for `reserved` slots. `keyBytes` is a multiple of 8. */
export function attachIndex(
  index: KeyIndex,
  slots: usize,
  reserved: u32,
  rows: usize,
  strideBytes: u32,
  keyOffset: u32,
  keyBytes: u32,
): void {
  index.slots = slots;
  index.reserved = reserved;
  index.rows = rows;
  index.strideBytes = strideBytes;
  index.keyOffset = keyOffset;
  index.keyBytes = keyBytes;
  clearIndex(index);
}

// An odd constant (splitmix64), written in halves, because TypeScript tools read a longer literal as a
// rounded number.
const MIX: u64 = ((<u64>0xbf58476d) << 32) | 0x1ce4e5b9;

/** The tag of a key of 32 bytes: a hash or public key, already uniformly distributed, so two of its words are enough. */
export function tag32(key: usize): u32 {
  return <u32>(((load<u64>(key) ^ load<u64>(key, 16)) * MIX) >> 32);
}

function tagOf(key: usize, bytes: u32): u32 {
  if (bytes == 32) return tag32(key);
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

/**
 * Loads the home slots of `count` tags, and those two behind, so that searches soon find them in the cache (lib/warm.ts). The
 * tags are `strideBytes` apart.
 */
export function warmSlots(index: KeyIndex, tags: usize, strideBytes: usize, count: u32): void {
  const slots = index.slots;
  const shift = index.tagShift;
  const mask = index.mask;
  let loaded: u64 = 0;
  for (const end = tags + <usize>count * strideBytes; tags < end; tags += strideBytes) {
    const slot = load<u32>(tags) >> shift;
    loaded ^= load<u64>(slots + <usize>slot * SLOT_BYTES);
    loaded ^= load<u64>(slots + <usize>((slot + 2) & mask) * SLOT_BYTES);
  }
  endWarming(loaded);
}

/** The first row with this tag, which is nearly always that of its key; -1: there is none, so no such key. */
export function guessRow(index: KeyIndex, tag: u32): i32 {
  let slot = tag >> index.tagShift;
  while (true) {
    const entry = load<u64>(index.slots + <usize>slot * SLOT_BYTES);
    if (<u32>entry == tag || entry >> 32 == 0) return <i32>(entry >> 32) - 1;
    slot = (slot + 1) & index.mask;
  }
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

// Puts an entry into the first slot from its home on that is empty, or whose entry has not moved; returns that entry.
function place(index: KeyIndex, entry: u64): u64 {
  let slot = <u32>entry >> index.tagShift;
  while (true) {
    const at = index.slots + <usize>slot * SLOT_BYTES;
    const row = load<u32>(at, 4);
    if (row == 0 || (row & IS_UNMOVED) != 0) {
      const other = load<u64>(at);
      store<u64>(at, entry);
      return other;
    }
    slot = (slot + 1) & index.mask;
  }
}

// Doubles the slots in use. Each entry is marked, then moved: what it finds in its place moves next.
function double(index: KeyIndex): void {
  const bytes = (<usize>index.mask + 1) * SLOT_BYTES;
  const before = index.slots + bytes;
  const unmoved = (<u64>IS_UNMOVED) << 32;
  assert(index.mask + 1 < index.reserved, 'key index: more rows than slots are reserved for');
  for (let at = index.slots; at < before; at += SLOT_BYTES) {
    if (load<u32>(at, 4) != 0) store<u64>(at, load<u64>(at) | unmoved);
  }
  memory.fill(before, 0, bytes);
  useSlots(index, (index.mask + 1) << 1);
  for (let at = index.slots; at < before; at += SLOT_BYTES) {
    let entry = load<u64>(at);
    if ((entry & unmoved) == 0) continue;
    store<u64>(at, 0);
    while (entry != 0) entry = place(index, entry & ~unmoved);
  }
}

/** Adds a row whose key is already stored in it and in no other row. */
export function addRow(index: KeyIndex, row: u32): void {
  index.count++;
  if (index.count << 1 > index.mask + 1) double(index);
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
  index.count--;
}
