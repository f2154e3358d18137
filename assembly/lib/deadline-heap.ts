// Binary heap of timers by (deadline, id), with the position of each timer for removal.
// Keeps: the top is the earliest deadline, ties in order of the ids as texts (protocol 1.4); O(log n) per change.
// Timers are numbered consecutively over the tables they belong to, whose rows hold the ids; those of a table without
// ids come after all others of their second, in order of their numbers.
// Derived from the rows and rebuilt after an import: its inner arrangement is not part of the state.

import { compareText } from './bytes';
import { writeBytes, writeHex, writeLiteral } from './text';

// Entry: u64 deadline in seconds, u32 timer, u32 zero.
const ENTRY_BYTES: usize = 16;

/** The text form of a table's ids: hex of that many bytes at the start of a row, or one of the other forms. */
export const ID_NONE: u32 = 0;
export const ID_HEX_8: u32 = 8;
export const ID_HEX_16: u32 = 16;
export const ID_HEX_32: u32 = 32;
/** "chal-" and the hex of 12 bytes. */
export const ID_CHALLENGE: u32 = 1;
/** Text in the row, its length (u32) in another field. */
export const ID_TEXT: u32 = 2;

const MAX_TABLES: u32 = 8;
const TEXT_A: usize = memory.data(80, 8);
const TEXT_B: usize = memory.data(80, 8);

/** A table of rows that have timers. */
@unmanaged
class TimerTable {
  rows: usize;
  stride: u32;
  form: u32;
  /** Number of its first timer, and of the first one after its last. */
  first: u32;
  end: u32;
  /** For ID_TEXT: offsets of the text and its length in the row. */
  textAt: u32;
  lengthAt: u32;
}
const TABLE_BYTES: usize = 32;

@unmanaged
export class DeadlineHeap {
  entries: usize;
  /** u32 for each timer: its position in `entries`. */
  positions: usize;
  count: u32;
  tableCount: u32;
  // From here MAX_TABLES x TimerTable.
  tables: u64;
}
const TABLES_AT: usize = 16;
export const DEADLINE_HEAP_BYTES: i32 = 280;

function tableAt(heap: DeadlineHeap, position: u32): TimerTable {
  return changetype<TimerTable>(changetype<usize>(heap) + TABLES_AT + <usize>position * TABLE_BYTES);
}

/** An empty heap without tables on memory for `entries` (16 bytes per timer) and `positions` (4 bytes). */
export function attachHeap(heap: DeadlineHeap, entries: usize, positions: usize): void {
  heap.entries = entries;
  heap.positions = positions;
  heap.count = 0;
  heap.tableCount = 0;
}

/** Adds the timers of `count` rows of a table; returns the number of the first. Text fields only for ID_TEXT. */
export function addTimerTable(
  heap: DeadlineHeap,
  rows: usize,
  stride: u32,
  count: u32,
  form: u32,
  textAt: u32 = 0,
  lengthAt: u32 = 0,
): u32 {
  assert(heap.tableCount < MAX_TABLES, 'deadline heap: too many tables');
  const table = tableAt(heap, heap.tableCount);
  table.rows = rows;
  table.stride = stride;
  table.form = form;
  table.first = heap.tableCount == 0 ? 0 : tableAt(heap, heap.tableCount - 1).end;
  table.end = table.first + count;
  table.textAt = textAt;
  table.lengthAt = lengthAt;
  heap.tableCount++;
  return table.first;
}

function tableOf(heap: DeadlineHeap, timer: u32): TimerTable {
  let position: u32 = 0;
  while (timer >= tableAt(heap, position).end) position++;
  return tableAt(heap, position);
}

function rowOf(table: TimerTable, timer: u32): usize {
  return table.rows + <usize>(timer - table.first) * table.stride;
}

function isHex(form: u32): bool {
  return form >= ID_HEX_8;
}

// The id as text; returns its length.
function writeId(to: usize, table: TimerTable, timer: u32): u32 {
  const row = rowOf(table, timer);
  let end = to;
  if (isHex(table.form)) end = writeHex(to, row, table.form);
  else if (table.form == ID_CHALLENGE) end = writeHex(writeLiteral(to, 'chal-'), row, 12);
  else end = writeBytes(to, row + table.textAt, load<u32>(row + table.lengthAt));
  return <u32>(end - to);
}

function isBefore(heap: DeadlineHeap, secsA: u64, timerA: u32, secsB: u64, timerB: u32): bool {
  if (secsA != secsB) return secsA < secsB;
  const a = tableOf(heap, timerA);
  const b = tableOf(heap, timerB);
  if (a.form == ID_NONE || b.form == ID_NONE) return a.form == b.form ? timerA < timerB : b.form == ID_NONE;
  // Bytes sort like their hex.
  if (isHex(a.form) && isHex(b.form)) {
    return compareText(rowOf(a, timerA), a.form, rowOf(b, timerB), b.form) < 0;
  }
  const lengthA = writeId(TEXT_A, a, timerA);
  return compareText(TEXT_A, lengthA, TEXT_B, writeId(TEXT_B, b, timerB)) < 0;
}

function entryAt(heap: DeadlineHeap, position: u32): usize {
  return heap.entries + <usize>position * ENTRY_BYTES;
}

function put(heap: DeadlineHeap, position: u32, deadlineSecs: u64, timer: u32): void {
  const at = entryAt(heap, position);
  store<u64>(at, deadlineSecs);
  store<u32>(at, timer, 8);
  store<u32>(heap.positions + ((<usize>timer) << 2), position);
}

function rise(heap: DeadlineHeap, position: u32, deadlineSecs: u64, timer: u32): void {
  while (position > 0) {
    const parent = (position - 1) >> 1;
    const at = entryAt(heap, parent);
    const secs = load<u64>(at);
    const other = load<u32>(at, 8);
    if (!isBefore(heap, deadlineSecs, timer, secs, other)) break;
    put(heap, position, secs, other);
    position = parent;
  }
  put(heap, position, deadlineSecs, timer);
}

function sink(heap: DeadlineHeap, position: u32, deadlineSecs: u64, timer: u32): void {
  while (true) {
    let child = position * 2 + 1;
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
    put(heap, position, secs, other);
    position = child;
  }
  put(heap, position, deadlineSecs, timer);
}

/** Adds a timer whose id is already in its row; a timer is in the heap at most once. */
export function pushDeadline(heap: DeadlineHeap, timer: u32, deadlineSecs: u64): void {
  rise(heap, heap.count++, deadlineSecs, timer);
}

/** Removes a timer from any position, while its id is still in its row. */
export function dropDeadline(heap: DeadlineHeap, timer: u32): void {
  const position = load<u32>(heap.positions + ((<usize>timer) << 2));
  assert(
    position < heap.count && load<u32>(entryAt(heap, position), 8) == timer,
    'deadline heap: timer is missing',
  );
  heap.count--;
  if (position == heap.count) return;
  const last = entryAt(heap, heap.count);
  const secs = load<u64>(last);
  const moved = load<u32>(last, 8);
  const parent = entryAt(heap, (position - 1) >> 1);
  if (position > 0 && isBefore(heap, secs, moved, load<u64>(parent), load<u32>(parent, 8))) {
    rise(heap, position, secs, moved);
  } else {
    sink(heap, position, secs, moved);
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
