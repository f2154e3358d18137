// Seats of the manifest: which agent operates each, and its validator if it has one.
// Keeps: a seat is taken once, at genesis; a seat without validator record still vouches and orders.

import { capacity, header, VALIDATORS } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';

export const SEAT_ROW_BYTES: u32 = 8;

@unmanaged
class Seat {
  /** Operator's agent index + 1, 0 = no such seat. */
  operator: u32;
  /** Validator index + 1, 0 = none. */
  validator: u32;
}

function seatAt(seat: u32): Seat {
  return changetype<Seat>(root().seats + ((<usize>seat) << 3));
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

/** Takes a free seat. `validator` is an index, or -1. */
export function addSeat(seat: u32, operator: u32, validator: i32): void {
  const row = seatAt(seat);
  row.operator = operator + 1;
  row.validator = <u32>(validator + 1);
  header().seatCount++;
  markBytes(changetype<usize>(row), SEAT_ROW_BYTES);
}
