// Binary heap of table rows by (deadline, 32-byte id), with the place of each row for removal.
// Keeps: the top is the earliest deadline, ties in order of the ids (DECISIONS 1.4); O(log n) a change.
// Derived from the rows and rebuilt after an import: its inner arrangement is no part of the state.

import { compare32 } from './bytes';

// Entry: u64 deadline in seconds, u32 row, u32 zero.
const ENTRY_BYTES: usize = 16;

@unmanaged
export class DeadlineHeap {
  entries: usize;
  /** u32 for each row: its place in `entries`. */
  places: usize;
  rows: usize;
  strideBytes: u32;
  /** Offset of the 32-byte id in a row. */
  idOffset: u32;
  count: u32;
}

function entryAt(heap: DeadlineHeap, place: u32): usize {
  return heap.entries + <usize>place * ENTRY_BYTES;
}

function isBefore(heap: DeadlineHeap, secsA: u64, rowA: u32, secsB: u64, rowB: u32): bool {
  if (secsA != secsB) return secsA < secsB;
  const ids = heap.rows + heap.idOffset;
  const a = ids + <usize>rowA * heap.strideBytes;
  const b = ids + <usize>rowB * heap.strideBytes;
  return compare32(a, b) < 0;
}

function put(heap: DeadlineHeap, place: u32, deadlineSecs: u64, row: u32): void {
  const at = entryAt(heap, place);
  store<u64>(at, deadlineSecs);
  store<u32>(at, row, 8);
  store<u32>(heap.places + ((<usize>row) << 2), place);
}

function rise(heap: DeadlineHeap, place: u32, deadlineSecs: u64, row: u32): void {
  while (place > 0) {
    const parent = (place - 1) >> 1;
    const at = entryAt(heap, parent);
    const secs = load<u64>(at);
    const other = load<u32>(at, 8);
    if (!isBefore(heap, deadlineSecs, row, secs, other)) break;
    put(heap, place, secs, other);
    place = parent;
  }
  put(heap, place, deadlineSecs, row);
}

function sink(heap: DeadlineHeap, place: u32, deadlineSecs: u64, row: u32): void {
  while (true) {
    let child = place * 2 + 1;
    if (child >= heap.count) break;
    let at = entryAt(heap, child);
    if (child + 1 < heap.count) {
      const right = entryAt(heap, child + 1);
      if (isBefore(heap, load<u64>(right), load<u32>(right, 8), load<u64>(at), load<u32>(at, 8))) {
        child++;
        at = right;
      }
    }
    const secs = load<u64>(at);
    const other = load<u32>(at, 8);
    if (!isBefore(heap, secs, other, deadlineSecs, row)) break;
    put(heap, place, secs, other);
    place = child;
  }
  put(heap, place, deadlineSecs, row);
}

/** Adds a row whose id already stands in it; a row is in the heap at most once. */
export function pushDeadline(heap: DeadlineHeap, row: u32, deadlineSecs: u64): void {
  rise(heap, heap.count++, deadlineSecs, row);
}

/** Takes a row out, wherever it stands, while its id still stands in it. */
export function dropDeadline(heap: DeadlineHeap, row: u32): void {
  const place = load<u32>(heap.places + ((<usize>row) << 2));
  assert(place < heap.count && load<u32>(entryAt(heap, place), 8) == row, 'deadline heap: row is missing');
  heap.count--;
  if (place == heap.count) return;
  const last = entryAt(heap, heap.count);
  const secs = load<u64>(last);
  const moved = load<u32>(last, 8);
  const parent = entryAt(heap, (place - 1) >> 1);
  if (place > 0 && isBefore(heap, secs, moved, load<u64>(parent), load<u32>(parent, 8))) {
    rise(heap, place, secs, moved);
  } else {
    sink(heap, place, secs, moved);
  }
}

/** The row with the earliest deadline; only while count > 0. */
export function topRow(heap: DeadlineHeap): u32 {
  return load<u32>(heap.entries, 8);
}

/** The earliest deadline in seconds, 0 when the heap is empty. */
export function topDeadlineSecs(heap: DeadlineHeap): u64 {
  return heap.count == 0 ? 0 : load<u64>(heap.entries);
}
