// Binary heap of timers by (deadline, id), with the place of each timer for removal.
// Keeps: the top is the earliest deadline, ties in order of the ids as texts (DECISIONS 1.4); O(log n) a change.
// Timers are numbered: first the rows of a table with ids of 32 bytes, then those of one with ids of 16 bytes,
// then timers without an id, which come after all others of their second, in order of their numbers.
// Derived from the rows and rebuilt after an import: its inner arrangement is no part of the state.

import { compareText } from './bytes';

// Entry: u64 deadline in seconds, u32 timer, u32 zero.
const ENTRY_BYTES: usize = 16;

@unmanaged
export class DeadlineHeap {
  entries: usize;
  /** u32 for each timer: its place in `entries`. */
  places: usize;
  /** Tables whose rows begin with an id of 32 and of 16 bytes, and how many timers each has. */
  longRows: usize;
  shortRows: usize;
  longStride: u32;
  shortStride: u32;
  longCount: u32;
  shortCount: u32;
  count: u32;
}

function entryAt(heap: DeadlineHeap, place: u32): usize {
  return heap.entries + <usize>place * ENTRY_BYTES;
}

function idAddress(heap: DeadlineHeap, timer: u32): usize {
  if (timer < heap.longCount) return heap.longRows + <usize>timer * heap.longStride;
  return heap.shortRows + <usize>(timer - heap.longCount) * heap.shortStride;
}

function isBefore(heap: DeadlineHeap, secsA: u64, timerA: u32, secsB: u64, timerB: u32): bool {
  if (secsA != secsB) return secsA < secsB;
  const withId = heap.longCount + heap.shortCount;
  if (timerA >= withId || timerB >= withId) return timerA < timerB;
  const bytesA: u32 = timerA < heap.longCount ? 32 : 16;
  const bytesB: u32 = timerB < heap.longCount ? 32 : 16;
  return compareText(idAddress(heap, timerA), bytesA, idAddress(heap, timerB), bytesB) < 0;
}

function put(heap: DeadlineHeap, place: u32, deadlineSecs: u64, timer: u32): void {
  const at = entryAt(heap, place);
  store<u64>(at, deadlineSecs);
  store<u32>(at, timer, 8);
  store<u32>(heap.places + ((<usize>timer) << 2), place);
}

function rise(heap: DeadlineHeap, place: u32, deadlineSecs: u64, timer: u32): void {
  while (place > 0) {
    const parent = (place - 1) >> 1;
    const at = entryAt(heap, parent);
    const secs = load<u64>(at);
    const other = load<u32>(at, 8);
    if (!isBefore(heap, deadlineSecs, timer, secs, other)) break;
    put(heap, place, secs, other);
    place = parent;
  }
  put(heap, place, deadlineSecs, timer);
}

function sink(heap: DeadlineHeap, place: u32, deadlineSecs: u64, timer: u32): void {
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
    if (!isBefore(heap, secs, other, deadlineSecs, timer)) break;
    put(heap, place, secs, other);
    place = child;
  }
  put(heap, place, deadlineSecs, timer);
}

/** Adds a timer whose id already stands in its row; a timer is in the heap at most once. */
export function pushDeadline(heap: DeadlineHeap, timer: u32, deadlineSecs: u64): void {
  rise(heap, heap.count++, deadlineSecs, timer);
}

/** Takes a timer out, wherever it stands, while its id still stands in its row. */
export function dropDeadline(heap: DeadlineHeap, timer: u32): void {
  const place = load<u32>(heap.places + ((<usize>timer) << 2));
  assert(
    place < heap.count && load<u32>(entryAt(heap, place), 8) == timer,
    'deadline heap: timer is missing',
  );
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

/** The timer with the earliest deadline; only while count > 0. */
export function topTimer(heap: DeadlineHeap): u32 {
  return load<u32>(heap.entries, 8);
}

/** The earliest deadline in seconds, 0 when the heap is empty. */
export function topDeadlineSecs(heap: DeadlineHeap): u64 {
  return heap.count == 0 ? 0 : load<u64>(heap.entries);
}
