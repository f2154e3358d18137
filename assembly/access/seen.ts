// TxIDs executed in the last 600 seconds: a ring in order of execution, with an index.
// Keeps: a TxID stands in the ring once, oldest first, so expiry only ever takes from the front.

import { addRow, attachIndex, clearIndex, findRow, KeyIndex, removeRow, slotCount } from '../lib/key-index';
import { capacity, header, TXIDS } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';

// A request can pass for 240 s (120 of life, 60 of skew at each end), so a TxID kept 600 s is never
// forgotten while its request could still be accepted. DECISIONS 1.8.
export const TXID_KEEP_SECS: u64 = 600;
export const SEEN_ROW_BYTES: u32 = 40;
const SECS: usize = 32;
const BY_TXID: usize = memory.data(64, 8);

function seenAt(row: u32): usize {
  return root().seen + <usize>row * SEEN_ROW_BYTES;
}

// TxIDs fall on the slots at random, so an index of full size has a page of memory touched for nearly every one until all
// of it is: 128 MB with the default capacity, however few are remembered. It doubles in place as they become more.
function attachSlots(count: u32): void {
  const r = root();
  attachIndex(changetype<KeyIndex>(BY_TXID), r.seenSlots, count, r.seen, SEEN_ROW_BYTES, 0, 32);
}

export function attachSeen(): void {
  attachSlots(slotCount(0));
}

// Row of the n-th oldest TxID.
function ringRow(place: u32): u32 {
  const row = header().seenFirst + place;
  const size = capacity(TXIDS);
  return row < size ? row : row - size;
}

/** Makes the index anew from the ring, as large as that takes. Slots behind it hold nothing. */
export function rebuildSeenIndex(): void {
  clearIndex(changetype<KeyIndex>(BY_TXID));
  attachSlots(slotCount(header().seenCount));
  for (let place: u32 = 0; place < header().seenCount; place++) {
    addRow(changetype<KeyIndex>(BY_TXID), ringRow(place));
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

/** Forgets what was kept for TXID_KEEP_SECS; at each block, costs what expires. */
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

/** Dates TxIDs of before the launch to it. */
export function dateSeen(beforeSecs: u64, launchSecs: u64): void {
  for (let place: u32 = 0; place < header().seenCount; place++) {
    const at = seenAt(ringRow(place));
    if (load<u64>(at, SECS) == beforeSecs) store<u64>(at, launchSecs, SECS);
    markBytes(at, SEEN_ROW_BYTES);
  }
}
