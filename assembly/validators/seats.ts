// Seats of the manifest: which agent operates each, its validator if it has one, and its consensus key.
// Keeps: a seat is assigned once, at genesis; a seat without a validator still vouches and orders. No two seats
// have the same key. The seat table of an epoch follows from keys and weights at the seal before it (consensus 5.11).

import { copy32, equal32 } from '../lib/bytes';
import { capacity, header, VALIDATORS } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';

export const SEAT_ROW_BYTES: u32 = 176;

@unmanaged
export class Seat {
  /** Operator's agent index + 1, 0 = no such seat. */
  operator: u32;
  /** Validator index + 1, 0 = none. */
  validator: u32;
  keyEpoch: u32;
  idBytes: u8;
  /** 1: its validator was excluded for equivocation, and the event is pending until the block's first vertex. */
  exclusionUntold: u8;
  /** Incarnation in which it resumed, while that event is pending; 0 = none. */
  resumptionUntold: u16;
  /** Number of a day, and what the seat's vertices gave out on it in grants, micro-units (accounts/grants.ts). */
  grantsDay: u64;
  grantsSpent: u64;
  key0: u64;
  key1: u64;
  key2: u64;
  key3: u64;
  /** T at the beginning of the first epoch of its silence, ms, and the awakeMs of the header then. */
  silentSinceMs: u64;
  silentAwakeMs: u64;
  /** Number + 1 of that epoch; 0 = not silent. */
  silentFrom: u32;
  /** Number + 1 of the last epoch in which a vertex of it was ordered. */
  heardIn: u32;
  /** 1: its silence counts in the running epoch. */
  isExpected: u16;
  /** 1: without ordering weight, because it was silent (validators/silence.ts). */
  isRemoved: u16;
  /** SEAT_WEIGHT_* whose event is pending until the next vertex, 0 = none. */
  weightUntold: u16;
  /** Newest revision that its newest ordered vertex names (validators/revisions.ts). */
  revision: u16;
  /** Number of a day, and the agents that were registered in the seat's vertices on it (accounts/newcomers.ts). */
  agentsDay: u64;
  agentsToday: u64;
  // From here validator_id[64] of the manifest.
  id: u64;
}
const KEY_AT: usize = 32;
const ID_AT: usize = 112;

export function seatAt(seat: u32): Seat {
  return changetype<Seat>(root().seats + <usize>seat * SEAT_ROW_BYTES);
}

/** Address of the consensus key[32]. */
export function seatKey(seat: Seat): usize {
  return changetype<usize>(seat) + KEY_AT;
}

/** Address of the validator id in the manifest. */
export function seatId(seat: Seat): usize {
  return changetype<usize>(seat) + ID_AT;
}

export function isSeat(seat: u32): bool {
  return seat < capacity(VALIDATORS) && seatAt(seat).operator != 0;
}

/** Agent index of a seat's operator; only for a seat that exists. */
export function seatOperator(seat: u32): u32 {
  return seatAt(seat).operator - 1;
}

/** Validator index of a seat, or -1. */
export function seatValidator(seat: u32): i32 {
  return isSeat(seat) ? <i32>seatAt(seat).validator - 1 : -1;
}

/** Seat that an agent (index) operates, or -1. O(seats). */
export function seatOfOperator(agent: u32): i32 {
  let found: u32 = 0;
  for (let seat: u32 = 0; seat < capacity(VALIDATORS) && found < header().seatCount; seat++) {
    if (!isSeat(seat)) continue;
    if (seatOperator(seat) == agent) return <i32>seat;
    found++;
  }
  return -1;
}

/** True when no seat has this consensus key[32]. O(seats). */
export function isFreeConsensusKey(key: usize): bool {
  let found: u32 = 0;
  for (let seat: u32 = 0; seat < capacity(VALIDATORS) && found < header().seatCount; seat++) {
    if (!isSeat(seat)) continue;
    if (equal32(seatKey(seatAt(seat)), key)) return false;
    found++;
  }
  return true;
}

export function markSeat(seat: Seat): void {
  markBytes(changetype<usize>(seat), SEAT_ROW_BYTES);
}

/** Assigns a free seat with its key[32] and the manifest's validator id. `validator` is an index, or -1. */
export function addSeat(
  number: u32,
  operator: u32,
  validator: i32,
  key: usize,
  keyEpoch: u32,
  id: usize,
  idBytes: u32,
): void {
  const seat = seatAt(number);
  seat.operator = operator + 1;
  seat.validator = <u32>(validator + 1);
  seat.keyEpoch = keyEpoch;
  copy32(seatKey(seat), key);
  seat.idBytes = <u8>idBytes;
  memory.copy(seatId(seat), id, idBytes);
  header().seatCount++;
  markSeat(seat);
}
