// The TxID ring: remembered for 600 seconds, in a ring of rows (protocol 1.8).

import {
  expireTxids,
  hasSeenRow,
  isSeen,
  rebuildSeenIndex,
  rememberTxid,
} from '../../../assembly/access/seen';
import { header } from '../../../assembly/state/header';
import { root } from '../../../assembly/state/root';
import { freshState, LAUNCH } from '../support/state';

const TXID: usize = memory.data(32, 8);

function txid(number: u64): usize {
  store<u64>(TXID, number * 0x9e3779b97f4a1);
  store<u64>(TXID, number, 8);
  return TXID;
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

  it('touch no more of the index than they need', () => {
    freshState();
    const slots = root().seenSlots;
    memory.fill(slots, 0, 128 * 8);
    for (let i: u64 = 0; i < 8; i++) rememberTxid(txid(i), LAUNCH);
    for (let at: usize = 16 * 8; at < 128 * 8; at += 8) expect(load<u64>(slots + at)).toBe(0);
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
    for (let at: usize = 16 * 8; at < 128 * 8; at += 8) expect(load<u64>(slots + at)).toBe(0);
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
