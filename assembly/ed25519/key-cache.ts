// Decompressed public keys, found by their 32 bytes, each with a table of odd multiples once it was needed.
// Keeps: at most MAX_CACHED_KEYS, evicting the least recently used; a load touches at most MAX_JOBS <= MAX_CACHED_KEYS,
// so slots stay valid until the next load. Keys that are not points are cached too, to save the square root.
// Never affects a verdict: a hit and a miss give the same one.

import { MAX_CACHED_KEYS } from './sizes';

export const KEY_WIDTH: u32 = 5;
export const KEY_MULTIPLES: u32 = 8;
// Nine entries: filling a table needs one to spare.
const TABLE_BYTES: usize = 1440;

// States of a slot: empty; key just added; its decoding queued; not the encoding of a point; point known; table of odd
// multiples known.
const EMPTY: u8 = 0;
export const FRESH: u8 = 1;
export const QUEUED: u8 = 2;
export const NO_POINT: u8 = 3;
export const DECODED: u8 = 4;
export const TABLED: u8 = 5;

const BUCKETS: u32 = 4096;
const NONE: u32 = 0xffff;

const TABLES: usize = memory.data(2949120, 16);
const KEYS: usize = memory.data(65536, 16);
const STATES: usize = memory.data(2048, 16);
// Chains of slots with the same hash, and the ring from least to most recently used, in which slot MAX_CACHED_KEYS is
// both ends: u16 each.
const HEADS: usize = memory.data(8192, 16);
const CHAIN: usize = memory.data(4096, 16);
const NEWER: usize = memory.data(4112, 16);
const OLDER: usize = memory.data(4112, 16);
const SEED: usize = memory.data(16, 8);

function slotAt(list: usize, slot: u32): u32 {
  return load<u16>(list + (slot << 1));
}

function setSlot(list: usize, slot: u32, value: u32): void {
  store<u16>(list + (slot << 1), <u16>value);
}

/** Empties the cache. */
export function initKeyCache(): void {
  memory.fill(HEADS, 0xff, BUCKETS << 1);
  memory.fill(STATES, EMPTY, MAX_CACHED_KEYS);
  for (let slot: u32 = 0; slot <= MAX_CACHED_KEYS; slot++) {
    setSlot(NEWER, slot, slot == MAX_CACHED_KEYS ? 0 : slot + 1);
    setSlot(OLDER, slot, slot == 0 ? MAX_CACHED_KEYS : slot - 1);
  }
}

/** Empties the cache and sets two random words of its hash: otherwise an attacker could pick keys that share a chain. */
export function seedKeyCache(low: u64, high: u64): void {
  initKeyCache();
  store<u64>(SEED, low | 1);
  store<u64>(SEED, high | 1, 8);
}

function hashKey(key: usize): u32 {
  const low = load<u64>(SEED);
  const high = load<u64>(SEED, 8);
  let h: u64 = high;
  for (let at: usize = 0; at < 32; at += 8) {
    h = (h ^ load<u64>(key + at)) * low;
    h = (h ^ (h >> 29)) * high;
  }
  return <u32>(h >> 52) & (BUCKETS - 1);
}

function touch(slot: u32): void {
  const newer = slotAt(NEWER, slot);
  const older = slotAt(OLDER, slot);
  setSlot(OLDER, newer, older);
  setSlot(NEWER, older, newer);
  const newest = slotAt(OLDER, MAX_CACHED_KEYS);
  setSlot(NEWER, newest, slot);
  setSlot(OLDER, slot, newest);
  setSlot(NEWER, slot, MAX_CACHED_KEYS);
  setSlot(OLDER, MAX_CACHED_KEYS, slot);
}

function unchain(slot: u32): void {
  const bucket = hashKey(keyOf(slot));
  let at = slotAt(HEADS, bucket);
  if (at == slot) {
    setSlot(HEADS, bucket, slotAt(CHAIN, slot));
    return;
  }
  while (slotAt(CHAIN, at) != slot) at = slotAt(CHAIN, at);
  setSlot(CHAIN, at, slotAt(CHAIN, slot));
}

export function keyOf(slot: u32): usize {
  return KEYS + (slot << 5);
}

/** The key's point (cached form), first of its odd multiples. */
export function tableOf(slot: u32): usize {
  return TABLES + slot * TABLE_BYTES;
}

export function stateOf(slot: u32): u8 {
  return load<u8>(STATES + slot);
}

export function setState(slot: u32, state: u8): void {
  store<u8>(STATES + slot, state);
}

function isSameKey(a: usize, b: usize): bool {
  return (
    load<u64>(a) == load<u64>(b) &&
    load<u64>(a, 8) == load<u64>(b, 8) &&
    load<u64>(a, 16) == load<u64>(b, 16) &&
    load<u64>(a, 24) == load<u64>(b, 24)
  );
}

/** The slot of a key; a key not known before is in state FRESH, and the caller has it decoded. */
export function slotOf(key: usize): u32 {
  const bucket = hashKey(key);
  for (let slot = slotAt(HEADS, bucket); slot != NONE; slot = slotAt(CHAIN, slot)) {
    if (isSameKey(keyOf(slot), key)) {
      touch(slot);
      return slot;
    }
  }
  const slot = slotAt(NEWER, MAX_CACHED_KEYS);
  if (stateOf(slot) != EMPTY) unchain(slot);
  memory.copy(keyOf(slot), key, 32);
  setSlot(CHAIN, slot, slotAt(HEADS, bucket));
  setSlot(HEADS, bucket, slot);
  setState(slot, FRESH);
  touch(slot);
  return slot;
}
