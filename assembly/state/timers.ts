// The one heap of everything that happens by time: open items, tasks, and refills of the replay reserves.
// Keeps: timers of one second fire in order of their ids (DECISIONS 1.4), whatever they belong to.
// Numbers: item rows, then task rows, then the reserves. Rows are set up by those who own the tables.

import { DeadlineHeap, dropDeadline, pushDeadline, topDeadlineSecs, topTimer } from '../lib/deadline-heap';
import { capacity, ITEMS, TASKS } from './header';
import { root } from './root';

/** Replay reserves, in order of their pools. */
export const RESERVE_COUNT: u32 = 5;
const HEAP: usize = memory.data(64, 8);

export function timers(): DeadlineHeap {
  return changetype<DeadlineHeap>(HEAP);
}

/** Points the heap at its memory and at the tables whose rows begin with ids. */
export function attachTimers(itemBytes: u32, taskBytes: u32): void {
  const r = root();
  const heap = timers();
  heap.entries = r.heapEntries;
  heap.places = r.heapPlaces;
  heap.longRows = r.items;
  heap.longStride = itemBytes;
  heap.longCount = capacity(ITEMS);
  heap.shortRows = r.tasks;
  heap.shortStride = taskBytes;
  heap.shortCount = capacity(TASKS);
  heap.count = 0;
}

export function clearTimers(): void {
  timers().count = 0;
}

export function taskTimer(row: u32): u32 {
  return capacity(ITEMS) + row;
}

export function reserveTimer(place: u32): u32 {
  return capacity(ITEMS) + capacity(TASKS) + place;
}

export function isItemTimer(timer: u32): bool {
  return timer < capacity(ITEMS);
}

/** Row of a task's timer, or -1 when the timer is a reserve's. */
export function taskOfTimer(timer: u32): i32 {
  const row = timer - capacity(ITEMS);
  return row < capacity(TASKS) ? <i32>row : -1;
}

export function reserveOfTimer(timer: u32): u32 {
  return timer - capacity(ITEMS) - capacity(TASKS);
}

export function startTimer(timer: u32, deadlineSecs: u64): void {
  pushDeadline(timers(), timer, deadlineSecs);
}

export function stopTimer(timer: u32): void {
  dropDeadline(timers(), timer);
}

/** Deadline of the next timer in seconds, 0 when there is none. */
export function nextDeadlineSecs(): u64 {
  return topDeadlineSecs(timers());
}

/** The timer that is due at `nowSecs` and comes first, or -1. */
export function dueTimer(nowSecs: u64): i32 {
  const heap = timers();
  return heap.count > 0 && topDeadlineSecs(heap) <= nowSecs ? <i32>topTimer(heap) : -1;
}
