// Open items: events that wait for verdicts: transfers, generations, submissions, disputes.
// Keeps: an item is in both the table and the index, or in neither; decided ones leave. Transfers and generations
// have a timer; submissions and disputes follow their task's. Rows are reserved for unfinished tasks, because their
// disputes cannot be refused. The escrow of a transfer is the row's amount; other items have none.

import { ITEM_GENERATION, ITEM_SUBMISSION, ITEM_TRANSFER } from '../abi';
import { copy32 } from '../lib/bytes';
import {
  addRow,
  attachIndex,
  clearIndex,
  findRow,
  guessRow,
  KeyIndex,
  removeRow,
  slotCount,
  warmSlots,
} from '../lib/key-index';
import { capacity, Header, header, ITEMS } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';
import { giveRow, RowStore, takeRow } from '../state/row-store';
import { startTimer, stopTimer } from '../state/timers';

export const ITEM_ROW_BYTES: u32 = 128;
export const MAX_ASSIGNED: u32 = 7;
/** Who may judge an item: all validators; those assigned; all announced judges, of a dispute only. */
export const PANEL_NONE: u8 = 0;
export const PANEL_SEATS: u8 = 1;
export const PANEL_JUDGES: u8 = 2;
const BY_EVENT: usize = memory.data(64, 8);

@unmanaged
export class Item {
  eventId0: u64;
  eventId1: u64;
  eventId2: u64;
  eventId3: u64;
  /** ITEM_*, 0 in a free row. */
  kind: u32;
  agent: u32;
  /** Recipient of a transfer, beneficiary of a generation, poster of a task: agent index. */
  recipient: u32;
  voteCount: u32;
  /** Amount of a transfer, claimed value of a generation, micro-units. */
  amount: u64;
  deadlineSecs: u64;
  createdSecs: u64;
  assignedCount: u16;
  assigned0: u16;
  assigned1: u16;
  assigned2: u16;
  assigned3: u16;
  assigned4: u16;
  assigned5: u16;
  assigned6: u16;
  /** First and last vote in order of voting, row + 1; the first also links free rows. */
  voteHead: u32;
  voteTail: u32;
  /** Further parties, agent index + 1, 0 = none: the claimer of a disputed task, the poster of a subtask's parent. */
  thirdParty: u32;
  fourthParty: u32;
  /** Validators that may not judge the dispute because they judged the submission. */
  barredCount: u16;
  barred0: u16;
  barred1: u16;
  barred2: u16;
  barred3: u16;
  barred4: u16;
  barred5: u16;
  barred6: u16;
  /** Task of a submission or dispute, row + 1. */
  task: u32;
  /** 1: closed to votes; the task's outcome decides it. */
  isClosed: u8;
  /** 1: the votes on this dispute are revealed now; before, they are committed. */
  isRevealing: u8;
  /** Who may judge it, PANEL_*. */
  panel: u8;
  /** 1: the clusters of the barred may not judge it either. */
  barsClusters: u8;
}

function rows(): RowStore {
  return changetype<RowStore>(changetype<usize>(header()) + offsetof<Header>('itemsUsed'));
}

export function itemAt(row: u32): Item {
  return changetype<Item>(root().items + <usize>row * ITEM_ROW_BYTES);
}

export function itemRow(item: Item): u32 {
  return <u32>((changetype<usize>(item) - root().items) / ITEM_ROW_BYTES);
}

export function eventIdOfItem(item: Item): usize {
  return changetype<usize>(item);
}

/** Address of the assigned validator indexes (u16, MAX_ASSIGNED). */
export function assignedOf(item: Item): usize {
  return changetype<usize>(item) + offsetof<Item>('assigned0');
}

/** Address of the barred validator indexes (u16, MAX_ASSIGNED). */
export function barredOf(item: Item): usize {
  return changetype<usize>(item) + offsetof<Item>('barred0');
}

function hasTimer(item: Item): bool {
  return item.kind == ITEM_TRANSFER || item.kind == ITEM_GENERATION;
}

export function attachItems(): void {
  const r = root();
  const slots = slotCount(capacity(ITEMS));
  attachIndex(changetype<KeyIndex>(BY_EVENT), r.itemSlots, slots, r.items, ITEM_ROW_BYTES, 0, 32);
}

/** Rows of the table that may hold an item. */
export function itemRowsUsed(): u32 {
  return rows().used;
}

/** Index and timers from the rows; the caller has cleared the timers. */
export function rebuildItemIndex(): void {
  clearIndex(changetype<KeyIndex>(BY_EVENT));
  for (let row: u32 = 0; row < rows().used; row++) {
    const item = itemAt(row);
    if (item.kind == 0) continue;
    addRow(changetype<KeyIndex>(BY_EVENT), row);
    if (hasTimer(item)) startTimer(row, item.deadlineSecs);
  }
}

/** Loads where the searches for items begin, by the tags of their event ids (lib/warm.ts). */
export function warmItemSlots(tags: usize, strideBytes: usize, count: u32): void {
  warmSlots(changetype<KeyIndex>(BY_EVENT), tags, strideBytes, count);
}

/** Row of the open item whose event id has this tag, probably; -1: there is none. */
export function guessItem(tag: u32): i32 {
  return guessRow(changetype<KeyIndex>(BY_EVENT), tag);
}

/** Loads the row of an item (lib/warm.ts). */
export function warmItem(row: u32): u64 {
  return itemAt(row).eventId0 ^ itemAt(row).amount;
}

/** Row of the open item with this event id, or -1. */
export function findItem(eventId: usize): i32 {
  return findRow(changetype<KeyIndex>(BY_EVENT), eventId);
}

/** True when `count` rows are neither used nor reserved. */
export function hasItemRows(count: u32): bool {
  const h = header();
  return <u64>h.itemsLive + h.itemsReserved + count <= capacity(ITEMS);
}

/** Opens an item; the caller has checked hasItemRows, or gives up a reserved row, and moves the money. */
export function openItem(
  eventId: usize,
  kind: u32,
  agent: u32,
  recipient: u32,
  amount: u64,
  nowSecs: u64,
  deadlineSecs: u64,
): Item {
  const row = takeRow(rows(), root().items, ITEM_ROW_BYTES, <u32>offsetof<Item>('voteHead'));
  const item = itemAt(row);
  copy32(changetype<usize>(item), eventId);
  item.kind = kind;
  item.agent = agent;
  item.recipient = recipient;
  item.amount = amount;
  item.createdSecs = nowSecs;
  item.deadlineSecs = deadlineSecs;
  item.panel = kind == ITEM_SUBMISSION ? PANEL_SEATS : PANEL_NONE;
  addRow(changetype<KeyIndex>(BY_EVENT), row);
  if (hasTimer(item)) startTimer(row, deadlineSecs);
  markItem(item);
  return item;
}

/** Removes a decided item from table, index and timers; its votes were freed before. */
export function removeItem(item: Item): void {
  const row = itemRow(item);
  if (hasTimer(item)) stopTimer(row);
  removeRow(changetype<KeyIndex>(BY_EVENT), row);
  giveRow(rows(), root().items, ITEM_ROW_BYTES, <u32>offsetof<Item>('voteHead'), row);
}

export function markItem(item: Item): void {
  markBytes(changetype<usize>(item), ITEM_ROW_BYTES);
}
