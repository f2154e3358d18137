// Allocation of rows: the row freed last, or the first one never used.
// Keeps: a free row is all zero except for its link, so equal histories of use give equal bytes.
// The three counters are in the header; the link of the free chain is a u32 in the row itself.

import { zero } from '../lib/bytes';
import { markBytes } from './marks';

@unmanaged
export class RowStore {
  /** Number of rows ever used: the rows from here on were never touched. */
  used: u32;
  /** Head of the free chain, row + 1. */
  free: u32;
  live: u32;
}

export function hasRow(rows: RowStore, capacity: u32): bool {
  return rows.live < capacity;
}

/** Allocates a row; the caller has checked hasRow and fills it. Its bytes are zero. */
export function takeRow(rows: RowStore, base: usize, strideBytes: u32, linkOffset: u32): u32 {
  rows.live++;
  if (rows.free == 0) return rows.used++;
  const row = rows.free - 1;
  const link = base + <usize>row * strideBytes + linkOffset;
  rows.free = load<u32>(link);
  store<u32>(link, 0);
  return row;
}

/** Zeroes a row and puts it at the head of the free chain. */
export function giveRow(rows: RowStore, base: usize, strideBytes: u32, linkOffset: u32, row: u32): void {
  const at = base + <usize>row * strideBytes;
  zero(at, strideBytes);
  store<u32>(at + linkOffset, rows.free);
  markBytes(at, strideBytes);
  rows.free = row + 1;
  rows.live--;
}
