// The heap of all timers: open items, tasks, replay jobs, challenges, validators, refills of the replay reserves, and
// API keys that expire.
// Keeps: timers of the same second fire in order of their ids (protocol 1.4), whatever they belong to.
// Timers are numbered by the rows of the tables in TIMER_* order. The owners of the tables add them.

import {
  addTimerTable,
  attachHeap,
  DEADLINE_HEAP_BYTES,
  DeadlineHeap,
  dropDeadline,
  pushDeadline,
  topDeadlineSecs,
  topTimer,
} from '../lib/deadline-heap';
import { CHALLENGES, capacity, ITEMS, JOBS, KEYS, TASKS, VALIDATORS } from './header';
import { root } from './root';

/** What a timer belongs to. */
export const TIMER_ITEM: u32 = 0;
export const TIMER_TASK: u32 = 1;
export const TIMER_JOB: u32 = 2;
export const TIMER_CHALLENGE: u32 = 3;
export const TIMER_VALIDATOR: u32 = 4;
export const TIMER_RESERVE: u32 = 5;
export const TIMER_KEY: u32 = 6;
const TIMER_KINDS: u32 = 7;

/** Replay reserves, in order of their pools. */
export const RESERVE_COUNT: u32 = 5;
const HEAP: usize = memory.data(DEADLINE_HEAP_BYTES, 8);

function timers(): DeadlineHeap {
  return changetype<DeadlineHeap>(HEAP);
}

function rowsOf(kind: u32): u32 {
  if (kind == TIMER_ITEM) return capacity(ITEMS);
  if (kind == TIMER_TASK) return capacity(TASKS);
  if (kind == TIMER_JOB) return capacity(JOBS);
  if (kind == TIMER_CHALLENGE) return capacity(CHALLENGES);
  if (kind == TIMER_VALIDATOR) return capacity(VALIDATORS);
  return kind == TIMER_RESERVE ? RESERVE_COUNT : capacity(KEYS);
}

function firstOf(kind: u32): u32 {
  let first: u32 = 0;
  for (let before: u32 = 0; before < kind; before++) first += rowsOf(before);
  return first;
}

/** Sets the memory of the heap; then each table is added with `addTimers`, in order of TIMER_*. */
export function beginTimers(): void {
  attachHeap(timers(), root().heapEntries, root().heapPositions);
}

/** Adds a table, see addTimerTable; `rows` is 0 for timers without rows. */
export function addTimers(
  kind: u32,
  rows: usize,
  stride: u32,
  form: u32,
  textAt: u32 = 0,
  lengthAt: u32 = 0,
): void {
  const first = addTimerTable(timers(), rows, stride, rowsOf(kind), form, textAt, lengthAt);
  assert(first == firstOf(kind), 'timers are added out of order');
}

export function clearTimers(): void {
  timers().count = 0;
}

export function timerOf(kind: u32, row: u32): u32 {
  return firstOf(kind) + row;
}

/** Kind of a timer, TIMER_*. */
export function kindOfTimer(timer: u32): u32 {
  let kind: u32 = 0;
  let end = rowsOf(0);
  while (timer >= end) end += rowsOf(++kind);
  assert(kind < TIMER_KINDS, 'no such timer');
  return kind;
}

/** Row of a timer in the table of its kind. */
export function rowOfTimer(timer: u32): u32 {
  return timer - firstOf(kindOfTimer(timer));
}

export function startTimer(timer: u32, deadlineSecs: u64): void {
  pushDeadline(timers(), timer, deadlineSecs);
}

export function stopTimer(timer: u32): void {
  dropDeadline(timers(), timer);
}

/** Number of running timers. */
export function timerCount(): u32 {
  return timers().count;
}

/** Deadline of the next timer in seconds, 0 when there is none. */
export function nextDeadlineSecs(): u64 {
  return topDeadlineSecs(timers());
}

/** The first timer that is due at `nowSecs`, or -1. */
export function dueTimer(nowSecs: u64): i32 {
  const heap = timers();
  return heap.count > 0 && topDeadlineSecs(heap) <= nowSecs ? <i32>topTimer(heap) : -1;
}
