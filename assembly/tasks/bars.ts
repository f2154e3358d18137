// Agents barred from a task: those whose claim expired may not claim it again; those whose exclusive time
// lapsed are not picked by the router again (protocol 4.4, 6.16). Chained from the task, newest first, freed with it.
// Keeps: nobody needs a row to claim, or to be hired: claims that are given back are free, so whoever made many could keep all
// others from working. A task has MAX_BARS at most; beyond them, or where no row is left, its oldest one gives way.

import { BARS, capacity, Header, header } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';
import { giveRow, hasRow, RowStore, takeRow } from '../state/row-store';
import { Task, touchTask } from './rows';

export const BAR_ROW_BYTES: u32 = 8;
/** May not claim; the router does not pick it either. */
export const BAR_CLAIM: u32 = 0;
/** Is not picked by the router, but may claim. */
export const BAR_ROUTE: u32 = 1;
/** Bars of one task: whoever needs more identities than this for it finds them as cheap as one more. */
const MAX_BARS: u32 = 32;

@unmanaged
export class Bar {
  /** Next bar of the task, row + 1; links free rows as well. */
  next: u32;
  /** Agent index * 2 + BAR_*. */
  agent: u32;
}

function rows(): RowStore {
  return changetype<RowStore>(changetype<usize>(header()) + offsetof<Header>('barsUsed'));
}

export function barAt(row: u32): Bar {
  return changetype<Bar>(root().bars + ((<usize>row) << 3));
}

export function hasBarRow(): bool {
  return hasRow(rows(), capacity(BARS));
}

// Number of the task's bars. O(MAX_BARS).
function countBars(task: Task): u32 {
  let count: u32 = 0;
  for (let link = task.barHead; link != 0; link = barAt(link - 1).next) count++;
  return count;
}

// Frees the oldest bar of a task that has one.
function dropOldest(task: Task): void {
  let before: u32 = 0;
  let last = task.barHead;
  while (barAt(last - 1).next != 0) {
    before = last;
    last = barAt(last - 1).next;
  }
  if (before == 0) task.barHead = 0;
  else {
    barAt(before - 1).next = 0;
    markBytes(changetype<usize>(barAt(before - 1)), BAR_ROW_BYTES);
  }
  giveRow(rows(), root().bars, BAR_ROW_BYTES, 0, last - 1);
}

/** Bars an agent from a task, as far as there is a row. */
export function addBar(task: Task, agent: u32, kind: u32): void {
  const count = countBars(task);
  if (count != 0 && (count == MAX_BARS || !hasBarRow())) dropOldest(task);
  touchTask(task);
  if (!hasBarRow()) return;
  const row = takeRow(rows(), root().bars, BAR_ROW_BYTES, 0);
  const bar = barAt(row);
  bar.agent = (agent << 1) | kind;
  bar.next = task.barHead;
  task.barHead = row + 1;
  markBytes(changetype<usize>(bar), BAR_ROW_BYTES);
}

/** True when an earlier claim of the task by this agent expired, and its bar is still kept. */
export function isClaimBarred(task: Task, agent: u32): bool {
  for (let link = task.barHead; link != 0; link = barAt(link - 1).next) {
    if (barAt(link - 1).agent == ((agent << 1) | BAR_CLAIM)) return true;
  }
  return false;
}

/** True when the router may not pick the agent for the task. */
export function isRouteBarred(task: Task, agent: u32): bool {
  for (let link = task.barHead; link != 0; link = barAt(link - 1).next) {
    if (barAt(link - 1).agent >> 1 == agent) return true;
  }
  return false;
}

/** Frees all bars of a task. */
export function removeBars(task: Task): void {
  for (let link = task.barHead; link != 0; ) {
    const row = link - 1;
    link = barAt(row).next;
    giveRow(rows(), root().bars, BAR_ROW_BYTES, 0, row);
  }
  task.barHead = 0;
}
