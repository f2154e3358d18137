// TxIDs executed in the last 600 seconds: a ring in order of execution, with an index.
// Keeps: a TxID is in the ring once, oldest first, so expiry only removes from the front. The ring has as many rows as were
// once needed: it doubles when it is full, so a quiet network does not walk through the memory of a busy one.

import { copy32 } from '../lib/bytes';
import { capacity, header, TXIDS } from '../state/header';
import { markBytes } from '../state/marks';
import { isLinked, linkNewest, ringRow, SEEN_ROW_BYTES, seenAt, unlinkOldest } from './seen-index';

// A request can pass for 240 s (120 of life, 60 of skew at each end), so a TxID kept 600 s is never
// forgotten while its request could still be accepted. protocol 1.8.
export const TXID_KEEP_SECS: u64 = 600;
const SECS: usize = 32;
const FIRST_ROWS: u32 = 16;

export function isSeen(txid: usize): bool {
  return isLinked(txid);
}

export function hasSeenRow(): bool {
  return header().seenCount < capacity(TXIDS);
}

// Doubles a full ring, as far as the table goes. What it holds from its oldest row to its end moves to the new end.
function growRing(): void {
  const h = header();
  const rows = h.seenRows;
  h.seenRows = min<u32>(capacity(TXIDS), max<u32>(FIRST_ROWS, rows << 1));
  if (h.seenFirst == 0) return;
  const bytes = (rows - h.seenFirst) * SEEN_ROW_BYTES;
  const from = seenAt(h.seenFirst);
  const to = seenAt(h.seenRows) - bytes;
  memory.copy(to, from, bytes);
  memory.fill(from, 0, min<usize>(<usize>bytes, to - from));
  markBytes(from, bytes);
  markBytes(to, bytes);
  h.seenFirst = h.seenRows - (rows - h.seenFirst);
}

/** Remembers a TxID that is not in the ring; the caller has seen hasSeenRow. */
export function rememberTxid(txid: usize, nowSecs: u64): void {
  if (header().seenCount == header().seenRows) growRing();
  const at = seenAt(ringRow(header().seenCount++));
  copy32(at, txid);
  store<u64>(at, nowSecs, SECS);
  markBytes(at, SEEN_ROW_BYTES);
  linkNewest();
}

// Number of TxIDs from the oldest on that are to be forgotten, up to the end of the ring.
function expiredRun(nowSecs: u64): u32 {
  const h = header();
  const most = min<u32>(h.seenCount, h.seenRows - h.seenFirst);
  let count: u32 = 0;
  while (count < most && load<u64>(seenAt(h.seenFirst + count), SECS) + TXID_KEEP_SECS <= nowSecs) count++;
  return count;
}

function forgetOldest(count: u32): void {
  const h = header();
  const first = seenAt(h.seenFirst);
  memory.fill(first, 0, <usize>count * SEEN_ROW_BYTES);
  markBytes(first, count * SEEN_ROW_BYTES);
  unlinkOldest(count);
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
