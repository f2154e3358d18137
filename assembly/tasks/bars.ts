// Agents barred from a task: those whose claim expired may not claim it again; those whose exclusive time
// lapsed are not picked by the router again (protocol 4.4, 6.16). Chained from the task, freed with it.
// Keeps: a row is reserved for each claim and each exclusive assignment, because their expiry cannot be refused.

import { BARS, capacity, Header, header } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';
import { giveRow, RowStore, takeRow } from '../state/row-store';
import { Task, touchTask } from './rows';

export const BAR_ROW_BYTES: u32 = 8;
/** May not claim; the router does not pick it either. */
export const BAR_CLAIM: u32 = 0;
/** Is not picked by the router, but may claim. */
export const BAR_ROUTE: u32 = 1;

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

/** True when a row is neither used nor reserved. */
export function hasBarRow(): bool {
  const h = header();
  return <u64>h.barsLive + h.barsReserved < capacity(BARS);
}

/** Bars an agent from a task. The caller gives up its reserved row. */
export function addBar(task: Task, agent: u32, kind: u32): void {
  const row = takeRow(rows(), root().bars, BAR_ROW_BYTES, 0);
  const bar = barAt(row);
  bar.agent = (agent << 1) | kind;
  bar.next = task.barHead;
  task.barHead = row + 1;
  markBytes(changetype<usize>(bar), BAR_ROW_BYTES);
  touchTask(task);
}

/** True when an earlier claim of the task by this agent expired. */
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
