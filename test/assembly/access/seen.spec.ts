// The TxID ring: remembered for 600 seconds, in a ring of rows (protocol 1.8).

import { expireTxids, hasSeenRow, isSeen, rememberTxid } from '../../../assembly/access/seen';
import { rebuildSeenIndex } from '../../../assembly/access/seen-index';
import { header } from '../../../assembly/state/header';
import { root } from '../../../assembly/state/root';
import { freshState, LAUNCH } from '../support/state';

const TXID: usize = memory.data(32, 8);

function txid(number: u64): usize {
  store<u64>(TXID, number * 0x9e3779b97f4a1);
  store<u64>(TXID, number, 8);
  return TXID;
}

// TxIDs of one tag, and so of one bucket.
function twin(number: u64): usize {
  store<u64>(TXID, 1);
  store<u64>(TXID, number, 8);
  return TXID;
}

function expectUntouched(slots: usize): void {
  for (let at: usize = 16 * 4; at < 128 * 4; at += 4) expect(load<u32>(slots + at)).toBe(0);
  for (let at: usize = 128 * 4 + 8 * 8; at < 128 * 8; at += 4) expect(load<u32>(slots + at)).toBe(0);
}

describe('seen TxIDs', () => {
  it('are forgotten after 600 seconds, not before', () => {
    freshState();
    rememberTxid(txid(1), LAUNCH);
    rememberTxid(txid(2), LAUNCH + 1);
    expireTxids(LAUNCH + 599);
    expect(isSeen(txid(1))).toBe(true);
    expireTxids(LAUNCH + 600);
    expect(isSeen(txid(1))).toBe(false);
    expect(isSeen(txid(2))).toBe(true);
    expect(header().seenCount).toBe(1);
  });

  it('wrap around the ring', () => {
    freshState();
    for (let round: u64 = 0; round < 20; round++) {
      const now = LAUNCH + round * 300;
      expireTxids(now);
      for (let i: u64 = 0; i < 17; i++) rememberTxid(txid(round * 100 + i), now);
      expect(isSeen(txid(round * 100))).toBe(true);
      if (round > 0) expect(isSeen(txid((round - 1) * 100 + 16))).toBe(true);
      if (round > 1) expect(isSeen(txid((round - 2) * 100))).toBe(false);
    }
    rebuildSeenIndex();
    expect(isSeen(txid(1900))).toBe(true);
    expect(isSeen(txid(1800))).toBe(true);
    expect(isSeen(txid(1700))).toBe(false);
  });

  it('use the rows that were once needed, and no others, however many come after', () => {
    freshState();
    for (let i: u64 = 0; i < 20; i++) rememberTxid(txid(i), LAUNCH + i * 30);
    expect(header().seenRows).toBe(32);
    for (let i: u64 = 20; i < 500; i++) {
      expireTxids(LAUNCH + i * 30);
      rememberTxid(txid(i), LAUNCH + i * 30);
      for (let back: u64 = 0; back < 20; back++) expect(isSeen(txid(i - back))).toBe(true);
      expect(isSeen(txid(i - 20))).toBe(false);
    }
    expect(header().seenRows).toBe(32);
    for (let at: usize = 32 * 40; at < 50 * 40; at += 8) expect(load<u64>(root().seen + at)).toBe(0);
  });

  it('keep their order when the ring doubles in the middle', () => {
    freshState();
    for (let i: u64 = 0; i < 16; i++) rememberTxid(txid(i), LAUNCH + i);
    expireTxids(LAUNCH + 609);
    for (let i: u64 = 16; i < 60; i++) {
      rememberTxid(txid(i), LAUNCH + 609);
      for (let seen: u64 = 10; seen <= i; seen++) expect(isSeen(txid(seen))).toBe(true);
    }
    expect(header().seenCount).toBe(50);
    expect(header().seenRows).toBe(50);
    rebuildSeenIndex();
    for (let seen: u64 = 0; seen < 60; seen++) expect(isSeen(txid(seen))).toBe(seen >= 10);
    expireTxids(LAUNCH + 612);
    for (let seen: u64 = 10; seen < 60; seen++) expect(isSeen(txid(seen))).toBe(seen > 12);
    expireTxids(LAUNCH + 1209);
    expect(header().seenCount).toBe(0);
    for (let at: usize = 0; at < 50 * 40; at += 8) expect(load<u64>(root().seen + at)).toBe(0);
  });

  it('are found among others of their bucket, until they are forgotten', () => {
    freshState();
    for (let round: u64 = 0; round < 40; round++) {
      const now = LAUNCH + round * 100;
      expireTxids(now);
      for (let i: u64 = 0; i < 7; i++) rememberTxid(twin(round * 7 + i), now);
      for (let i: u64 = 0; i < (round + 1) * 7; i++) expect(isSeen(twin(i))).toBe(i + 42 >= (round + 1) * 7);
      expect(isSeen(twin((round + 1) * 7))).toBe(false);
      expect(header().seenCount).toBe(<u32>min<u64>((round + 1) * 7, 42));
    }
    rebuildSeenIndex();
    for (let i: u64 = 0; i < 281; i++) expect(isSeen(twin(i))).toBe(i >= 238 && i < 280);
  });

  // Half of the index is for buckets of 4 bytes, the other half for links of 8.
  it('touch no more of the index than they need', () => {
    freshState();
    const slots = root().seenSlots;
    memory.fill(slots, 0, 128 * 8);
    for (let i: u64 = 0; i < 8; i++) rememberTxid(txid(i), LAUNCH);
    expectUntouched(slots);
    for (let i: u64 = 8; i < 50; i++) {
      rememberTxid(txid(i), LAUNCH);
      for (let known: u64 = 0; known <= i; known++) expect(isSeen(txid(known))).toBe(true);
    }
    expect(isSeen(txid(50))).toBe(false);
    expireTxids(LAUNCH + 600);
    // From here on the index is larger than the remaining TxIDs need.
    rememberTxid(txid(3), LAUNCH + 600);
    memory.fill(slots, 0, 128 * 8);
    rebuildSeenIndex();
    expectUntouched(slots);
    expect(isSeen(txid(3))).toBe(true);
    expect(isSeen(txid(4))).toBe(false);
  });

  it('are refused when the window is full', () => {
    freshState();
    for (let i: u64 = 0; i < 50; i++) {
      expect(hasSeenRow()).toBe(true);
      rememberTxid(txid(i), LAUNCH);
    }
    expect(hasSeenRow()).toBe(false);
  });
});
