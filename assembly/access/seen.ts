// TxIDs executed in the last 600 seconds: a ring in order of execution, with an index.
// Keeps: a TxID is in the ring once, oldest first, so expiry only removes from the front.

import { addRow, attachIndex, clearIndex, findRow, KeyIndex, removeRow, slotCount } from '../lib/key-index';
import { capacity, header, TXIDS } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';

// A request can pass for 240 s (120 of life, 60 of skew at each end), so a TxID kept 600 s is never
// forgotten while its request could still be accepted. protocol 1.8.
export const TXID_KEEP_SECS: u64 = 600;
export const SEEN_ROW_BYTES: u32 = 40;
const SECS: usize = 32;
const BY_TXID: usize = memory.data(64, 8);

function seenAt(row: u32): usize {
  return root().seen + <usize>row * SEEN_ROW_BYTES;
}

// TxIDs hash to random slots, so an index of full size would touch a new page of memory for nearly every one: 128 MB
// with the default capacity, however few are stored. So it starts small and doubles in place as it fills.
function attachSlots(count: u32): void {
  const r = root();
  attachIndex(changetype<KeyIndex>(BY_TXID), r.seenSlots, count, r.seen, SEEN_ROW_BYTES, 0, 32);
}

export function attachSeen(): void {
  attachSlots(slotCount(0));
}

// Row of the n-th oldest TxID.
function ringRow(position: u32): u32 {
  const row = header().seenFirst + position;
  const size = capacity(TXIDS);
  return row < size ? row : row - size;
}

/** Rebuilds the index from the ring, as large as needed. The slots behind it stay empty. */
export function rebuildSeenIndex(): void {
  clearIndex(changetype<KeyIndex>(BY_TXID));
  attachSlots(slotCount(header().seenCount));
  for (let position: u32 = 0; position < header().seenCount; position++) {
    addRow(changetype<KeyIndex>(BY_TXID), ringRow(position));
  }
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
  memory.copy(at, txid, 32);
  store<u64>(at, nowSecs, SECS);
  markBytes(at, SEEN_ROW_BYTES);
  const isFull = header().seenCount << 1 > changetype<KeyIndex>(BY_TXID).mask + 1;
  if (isFull) rebuildSeenIndex();
  else addRow(changetype<KeyIndex>(BY_TXID), row);
}

/** Forgets TxIDs after TXID_KEEP_SECS; at each block, at the cost of what expires. */
export function expireTxids(nowSecs: u64): void {
  const h = header();
  while (h.seenCount > 0) {
    const row = h.seenFirst;
    const at = seenAt(row);
    if (load<u64>(at, SECS) + TXID_KEEP_SECS > nowSecs) return;
    removeRow(changetype<KeyIndex>(BY_TXID), row);
    memory.fill(at, 0, SEEN_ROW_BYTES);
    markBytes(at, SEEN_ROW_BYTES);
    h.seenFirst = ringRow(1);
    h.seenCount--;
  }
}

/** Dates TxIDs from before the launch to the launch. */
export function dateSeen(beforeSecs: u64, launchSecs: u64): void {
  for (let position: u32 = 0; position < header().seenCount; position++) {
    const at = seenAt(ringRow(position));
    if (load<u64>(at, SECS) == beforeSecs) store<u64>(at, launchSecs, SECS);
    markBytes(at, SEEN_ROW_BYTES);
  }
}
