// Open items: transfers and generations that wait for a verdict, with their deadlines.
// Keeps: an item stands in the table, the index and the heap together, or in none; decided ones leave.
// Money in escrow is the row's amount for transfers; generations hold none.

import { DeadlineHeap, dropDeadline, pushDeadline } from '../lib/deadline-heap';
import { addRow, attachIndex, clearIndex, findRow, KeyIndex, removeRow, slotCount } from '../lib/key-index';
import { capacity, Header, header, ITEMS } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';
import { giveRow, hasRow, RowStore, takeRow } from '../state/row-store';

export const ITEM_ROW_BYTES: u32 = 88;
const BY_EVENT: usize = memory.data(64, 8);
const HEAP: usize = memory.data(64, 8);

@unmanaged
export class Item {
  eventId0: u64;
  eventId1: u64;
  eventId2: u64;
  eventId3: u64;
  /** ITEM_TRANSFER or ITEM_GENERATION, 0 in a free row. */
  kind: u32;
  agent: u32;
  /** Recipient of a transfer, beneficiary of a generation: agent index. */
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
  /** First and last vote in order of voting, row + 1; the first links free rows. */
  voteHead: u32;
  voteTail: u32;
}

function rows(): RowStore {
  return changetype<RowStore>(changetype<usize>(header()) + offsetof<Header>('itemsUsed'));
}

export function deadlines(): DeadlineHeap {
  return changetype<DeadlineHeap>(HEAP);
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

/** Address of the three assigned validator indexes (u16). */
export function assignedOf(item: Item): usize {
  return changetype<usize>(item) + offsetof<Item>('assigned0');
}

export function attachItems(): void {
  const r = root();
  const slots = slotCount(capacity(ITEMS));
  attachIndex(changetype<KeyIndex>(BY_EVENT), r.itemSlots, slots, r.items, ITEM_ROW_BYTES, 0, 32);
  const heap = deadlines();
  heap.entries = r.heapEntries;
  heap.places = r.heapPlaces;
  heap.rows = r.items;
  heap.strideBytes = ITEM_ROW_BYTES;
  heap.idOffset = 0;
  heap.count = 0;
}

/** Rows of the table that may hold an item. */
export function itemRowsUsed(): u32 {
  return rows().used;
}

export function rebuildItemIndex(): void {
  clearIndex(changetype<KeyIndex>(BY_EVENT));
  deadlines().count = 0;
  for (let row: u32 = 0; row < rows().used; row++) {
    if (itemAt(row).kind == 0) continue;
    addRow(changetype<KeyIndex>(BY_EVENT), row);
    pushDeadline(deadlines(), row, itemAt(row).deadlineSecs);
  }
}

/** Row of the open item with this event id, or -1. */
export function findItem(eventId: usize): i32 {
  return findRow(changetype<KeyIndex>(BY_EVENT), eventId);
}

export function hasItemRow(): bool {
  return hasRow(rows(), capacity(ITEMS));
}

/** Opens an item; the caller has seen hasItemRow and moves the money. */
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
  memory.copy(changetype<usize>(item), eventId, 32);
  item.kind = kind;
  item.agent = agent;
  item.recipient = recipient;
  item.amount = amount;
  item.createdSecs = nowSecs;
  item.deadlineSecs = deadlineSecs;
  addRow(changetype<KeyIndex>(BY_EVENT), row);
  pushDeadline(deadlines(), row, deadlineSecs);
  markItem(item);
  return item;
}

/** Takes a decided item out of table, index and heap; its votes were given back before. */
export function removeItem(item: Item): void {
  const row = itemRow(item);
  dropDeadline(deadlines(), row);
  removeRow(changetype<KeyIndex>(BY_EVENT), row);
  giveRow(rows(), root().items, ITEM_ROW_BYTES, <u32>offsetof<Item>('voteHead'), row);
}

export function markItem(item: Item): void {
  markBytes(changetype<usize>(item), ITEM_ROW_BYTES);
}
