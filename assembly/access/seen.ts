// TxIDs executed in the last 600 seconds: a ring in order of execution, with an index.
// Keeps: a TxID is in the ring once, oldest first, so expiry only removes from the front.

import { copy32 } from '../lib/bytes';
import {
  addRow,
  attachIndex,
  clearIndex,
  findRow,
  KeyIndex,
  removeRow,
  slotCount,
  warmSlot,
} from '../lib/key-index';
import { endWarming } from '../lib/warm';
import { capacity, header, TXIDS } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';

// A request can pass for 240 s (120 of life, 60 of skew at each end), so a TxID kept 600 s is never
// forgotten while its request could still be accepted. protocol 1.8.
export const TXID_KEEP_SECS: u64 = 600;
export const SEEN_ROW_BYTES: u32 = 40;
const SECS: usize = 32;
// TxIDs that are forgotten together, so that their slots are loaded together.
const EXPIRY_RUN: u32 = 64;
const BY_TXID: usize = memory.data(64, 8);

function seenAt(row: u32): usize {
  return root().seen + <usize>row * SEEN_ROW_BYTES;
}

export function attachSeen(): void {
  const r = root();
  const slots = slotCount(capacity(TXIDS));
  attachIndex(changetype<KeyIndex>(BY_TXID), r.seenSlots, slots, r.seen, SEEN_ROW_BYTES, 0, 32);
}

// Row of the n-th oldest TxID.
function ringRow(position: u32): u32 {
  const row = header().seenFirst + position;
  const size = capacity(TXIDS);
  return row < size ? row : row - size;
}

/** Rebuilds the index from the ring. */
export function rebuildSeenIndex(): void {
  clearIndex(changetype<KeyIndex>(BY_TXID));
  for (let position: u32 = 0; position < header().seenCount; position++) {
    addRow(changetype<KeyIndex>(BY_TXID), ringRow(position));
  }
}

/** Loads where the search for a TxID begins (lib/warm.ts). */
export function warmTxid(txid: usize): u64 {
  return warmSlot(changetype<KeyIndex>(BY_TXID), txid);
}

export function isSeen(txid: usize): bool {
  return findRow(changetype<KeyIndex>(BY_TXID), txid) >= 0;
}

export function hasSeenRow(): bool {
  return header().seenCount < capacity(TXIDS);
}

/** Remembers a TxID that is not in the ring; the caller has seen hasSeenRow. */
export function rememberTxid(txid: usize, nowSecs: u64): void {
  const row = ringRow(header().seenCount++);
  const at = seenAt(row);
  copy32(at, txid);
  store<u64>(at, nowSecs, SECS);
  markBytes(at, SEEN_ROW_BYTES);
  addRow(changetype<KeyIndex>(BY_TXID), row);
}

// Number of TxIDs from the oldest on that are to be forgotten: at most EXPIRY_RUN, and up to the end of the table.
function expiredRun(nowSecs: u64): u32 {
  const h = header();
  const most = min<u32>(min<u32>(h.seenCount, capacity(TXIDS) - h.seenFirst), EXPIRY_RUN);
  let count: u32 = 0;
  while (count < most && load<u64>(seenAt(h.seenFirst + count), SECS) + TXID_KEEP_SECS <= nowSecs) count++;
  return count;
}

function forgetOldest(count: u32): void {
  const h = header();
  const index = changetype<KeyIndex>(BY_TXID);
  const first = h.seenFirst;
  let loaded: u64 = 0;
  for (let i: u32 = 0; i < count; i++) loaded ^= warmSlot(index, seenAt(first + i));
  endWarming(loaded);
  for (let i: u32 = 0; i < count; i++) removeRow(index, first + i);
  memory.fill(seenAt(first), 0, <usize>count * SEEN_ROW_BYTES);
  markBytes(seenAt(first), count * SEEN_ROW_BYTES);
  h.seenFirst = ringRow(count);
  h.seenCount -= count;
}

/** Forgets TxIDs after TXID_KEEP_SECS; at each block, at the cost of what expires. */
export function expireTxids(nowSecs: u64): void {
  for (let count = expiredRun(nowSecs); count > 0; count = expiredRun(nowSecs)) forgetOldest(count);
}

/** Dates TxIDs from before the launch to the launch. */
export function dateSeen(beforeSecs: u64, launchSecs: u64): void {
  for (let position: u32 = 0; position < header().seenCount; position++) {
    const at = seenAt(ringRow(position));
    if (load<u64>(at, SECS) == beforeSecs) store<u64>(at, launchSecs, SECS);
    markBytes(at, SEEN_ROW_BYTES);
  }
}
