// Binary heap of timers by (deadline, id), with the position of each timer for removal.
// Keeps: the top is the earliest deadline, ties in order of the ids as texts (protocol 1.4); O(log n) per change.
// Timers are numbered consecutively over the tables they belong to, whose rows hold the ids; those of a table without
// ids come after all others of their second, in order of their numbers.
// Derived from the rows and rebuilt after an import: its inner arrangement is not part of the state.

import { compareText } from './bytes';
import { hexPair, writeBytes, writeHex, writeLiteral } from './text';

// Entry: u64 deadline in seconds; the rest: u32 timer, u32 lead, which is the first four characters of the id, so that timers
// of one second are nearly always compared without a look at their rows.
const ENTRY_BYTES: usize = 16;
const REST: usize = 8;
/** Comes after every id. */
const NO_LEAD: u32 = 0xffffffff;

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

// The first characters of an id, zeros behind a shorter one: in the order of the ids, as far as they differ.
function leadOf(heap: DeadlineHeap, timer: u32): u32 {
  const table = tableOf(heap, timer);
  if (table.form == ID_NONE) return NO_LEAD;
  const row = rowOf(table, timer);
  if (isHex(table.form)) return (hexPair(load<u8>(row)) << 16) | hexPair(load<u8>(row, 1));
  store<u32>(TEXT_A, 0);
  writeId(TEXT_A, table, timer);
  return bswap<u32>(load<u32>(TEXT_A));
}

// Whether a timer fires before another of the same second and with the same lead.
function isFirst(heap: DeadlineHeap, timerA: u32, timerB: u32): bool {
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

// Whether an entry, its second and the rest of it, comes before another.
function isBefore(heap: DeadlineHeap, secsA: u64, restA: u64, secsB: u64, restB: u64): bool {
  if (secsA != secsB) return secsA < secsB;
  const leadA = restA >> 32;
  const leadB = restB >> 32;
  return leadA != leadB ? leadA < leadB : isFirst(heap, <u32>restA, <u32>restB);
}

function entryAt(heap: DeadlineHeap, position: u32): usize {
  return heap.entries + <usize>position * ENTRY_BYTES;
}

function secsAt(entry: usize): u64 {
  return load<u64>(entry);
}

function restAt(entry: usize): u64 {
  return load<u64>(entry, REST);
}

function put(heap: DeadlineHeap, position: u32, secs: u64, rest: u64): void {
  const at = entryAt(heap, position);
  store<u64>(at, secs);
  store<u64>(at, rest, REST);
  store<u32>(heap.positions + ((<usize>(<u32>rest)) << 2), position);
}

function rise(heap: DeadlineHeap, position: u32, secs: u64, rest: u64): void {
  while (position > 0) {
    const parent = (position - 1) >> 1;
    const at = entryAt(heap, parent);
    if (!isBefore(heap, secs, rest, secsAt(at), restAt(at))) break;
    put(heap, position, secsAt(at), restAt(at));
    position = parent;
  }
  put(heap, position, secs, rest);
}

function sink(heap: DeadlineHeap, position: u32, secs: u64, rest: u64): void {
  while (true) {
    let child = position * 2 + 1;
    if (child >= heap.count) break;
    let at = entryAt(heap, child);
    if (child + 1 < heap.count) {
      const right = entryAt(heap, child + 1);
      if (isBefore(heap, secsAt(right), restAt(right), secsAt(at), restAt(at))) {
        child++;
        at = right;
      }
    }
    if (!isBefore(heap, secsAt(at), restAt(at), secs, rest)) break;
    put(heap, position, secsAt(at), restAt(at));
    position = child;
  }
  put(heap, position, secs, rest);
}

/** Adds a timer whose id is already in its row, and stays there; a timer is in the heap at most once. */
export function pushDeadline(heap: DeadlineHeap, timer: u32, deadlineSecs: u64): void {
  rise(heap, heap.count++, deadlineSecs, ((<u64>leadOf(heap, timer)) << 32) | timer);
}

/** Removes a timer from any position, while its id is still in its row. */
export function dropDeadline(heap: DeadlineHeap, timer: u32): void {
  const position = load<u32>(heap.positions + ((<usize>timer) << 2));
  assert(
    position < heap.count && <u32>restAt(entryAt(heap, position)) == timer,
    'deadline heap: timer is missing',
  );
  heap.count--;
  if (position == heap.count) return;
  const last = entryAt(heap, heap.count);
  const secs = secsAt(last);
  const rest = restAt(last);
  const parent = entryAt(heap, (position - 1) >> 1);
  if (position > 0 && isBefore(heap, secs, rest, secsAt(parent), restAt(parent))) {
    rise(heap, position, secs, rest);
  } else {
    sink(heap, position, secs, rest);
  }
}

/** The timer with the earliest deadline; only while count > 0. */
export function topTimer(heap: DeadlineHeap): u32 {
  return <u32>restAt(heap.entries);
}

/** The earliest deadline in seconds, 0 when the heap is empty. */
export function topDeadlineSecs(heap: DeadlineHeap): u64 {
  return heap.count == 0 ? 0 : load<u64>(heap.entries);
}
