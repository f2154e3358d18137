// How often two validators judged the same task, and agreed: the basis of clusters (protocol 6.9).
// Keeps: a row for each pair, the lower index first, never freed. When the table is full, no new pair is counted.

import { addRow, attachIndex, clearIndex, findRow, KeyIndex, slotCount } from '../lib/key-index';
import { capacity, header, PAIRS } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';

export const PAIR_ROW_BYTES: u32 = 24;
const BY_PAIR: usize = memory.data(64, 8);
const KEY: usize = memory.data(8, 8);

@unmanaged
export class Pair {
  /** Validator indexes. */
  lower: u32;
  higher: u32;
  /** Number of tasks judged by both, and of those on which they agreed, in structured categories and in others. */
  structured: u32;
  structuredAgreed: u32;
  others: u32;
  othersAgreed: u32;
}

export function pairAt(row: u32): Pair {
  return changetype<Pair>(root().pairs + <usize>row * PAIR_ROW_BYTES);
}

export function attachPairs(): void {
  const r = root();
  attachIndex(
    changetype<KeyIndex>(BY_PAIR),
    r.pairSlots,
    slotCount(capacity(PAIRS)),
    r.pairs,
    PAIR_ROW_BYTES,
    0,
    8,
  );
}

export function rebuildPairIndex(): void {
  clearIndex(changetype<KeyIndex>(BY_PAIR));
  for (let row: u32 = 0; row < header().pairCount; row++) addRow(changetype<KeyIndex>(BY_PAIR), row);
}

// Row of a pair, added if it is new; -1 when the table is full.
function internPair(a: u32, b: u32): i32 {
  store<u32>(KEY, min<u32>(a, b));
  store<u32>(KEY, max<u32>(a, b), 4);
  const known = findRow(changetype<KeyIndex>(BY_PAIR), KEY);
  if (known >= 0) return known;
  if (header().pairCount >= capacity(PAIRS)) return -1;
  const row = header().pairCount++;
  pairAt(row).lower = min<u32>(a, b);
  pairAt(row).higher = max<u32>(a, b);
  addRow(changetype<KeyIndex>(BY_PAIR), row);
  return <i32>row;
}

/** Counts one task that two different validators (indexes) judged. */
export function countPair(a: u32, b: u32, isStructured: bool, agreed: bool): void {
  const row = internPair(a, b);
  if (row < 0) return;
  const pair = pairAt(row);
  const hit: u32 = agreed ? 1 : 0;
  if (isStructured) {
    pair.structured++;
    pair.structuredAgreed += hit;
  } else {
    pair.others++;
    pair.othersAgreed += hit;
  }
  markBytes(changetype<usize>(pair), PAIR_ROW_BYTES);
}
