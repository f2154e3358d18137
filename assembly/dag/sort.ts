// Sorting of entries by a 64-bit key, ties by vertex id XOR a 32-byte value.
// Keeps: a total order of distinct vertices, so the result does not depend on the initial order; no recursion.

import { idOf } from './vertices';

// Entry: u64 key, u32 handle, u32 free.
export const ENTRY_BYTES: usize = 16;
const RUN: u32 = 12;

// Order of two handles by (id XOR mask) as 256-bit big-endian numbers; `mask` = 0 means no XOR.
function isIdBefore(a: u32, b: u32, mask: usize): bool {
  const x = idOf(a);
  const y = idOf(b);
  for (let i: usize = 0; i < 32; i += 8) {
    const flip: u64 = mask == 0 ? 0 : load<u64>(mask + i);
    const p = bswap<u64>(load<u64>(x + i) ^ flip);
    const q = bswap<u64>(load<u64>(y + i) ^ flip);
    if (p != q) return p < q;
  }
  return false;
}

function isBefore(a: usize, b: usize, mask: usize): bool {
  const x = load<u64>(a);
  const y = load<u64>(b);
  if (x != y) return x < y;
  return isIdBefore(load<u32>(a, 8), load<u32>(b, 8), mask);
}

function copyEntry(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from));
  store<u64>(to, load<u64>(from, 8), 8);
}

function sortRun(from: usize, end: usize, spare: usize, mask: usize): void {
  for (let at = from + ENTRY_BYTES; at < end; at += ENTRY_BYTES) {
    copyEntry(spare, at);
    let hole = at;
    while (hole > from && isBefore(spare, hole - ENTRY_BYTES, mask)) {
      copyEntry(hole, hole - ENTRY_BYTES);
      hole -= ENTRY_BYTES;
    }
    copyEntry(hole, spare);
  }
}

function mergeRuns(to: usize, left: usize, right: usize, end: usize, mask: usize): void {
  const middle = right;
  while (left < middle && right < end) {
    if (isBefore(right, left, mask)) {
      copyEntry(to, right);
      right += ENTRY_BYTES;
    } else {
      copyEntry(to, left);
      left += ENTRY_BYTES;
    }
    to += ENTRY_BYTES;
  }
  memory.copy(to, left, middle - left);
  memory.copy(to + (middle - left), right, end - right);
}

/** Sorts `count` entries in place. `spare`: memory for as many, at least one. */
export function sortEntries(entries: usize, spare: usize, count: u32, mask: usize): void {
  const bytes = <usize>count * ENTRY_BYTES;
  for (let at: usize = 0; at < bytes; at += <usize>RUN * ENTRY_BYTES) {
    sortRun(entries + at, entries + min(at + <usize>RUN * ENTRY_BYTES, bytes), spare, mask);
  }
  let from = entries;
  let to = spare;
  for (let width = <usize>RUN * ENTRY_BYTES; width < bytes; width <<= 1) {
    for (let at: usize = 0; at < bytes; at += width << 1) {
      const middle = min(at + width, bytes);
      mergeRuns(to + at, from + at, from + middle, from + min(at + (width << 1), bytes), mask);
    }
    const sorted = to;
    to = from;
    from = sorted;
  }
  if (from != entries) memory.copy(entries, from, bytes);
}
