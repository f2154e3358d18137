// The daily caps: which share of the day's panel seats one validator, or one cluster, may hold (protocol 6.9, caps).
// Keeps: a cluster counts as one; seats of the current panel count as taken. Whoever would exceed the cap with one
// more seat is skipped, and drawn only when the panel cannot be filled otherwise.

import { BP } from '../ledger/rates';
import { header } from '../state/header';
import { root } from '../state/root';
import { candidateCount, takeOut } from './candidates';
import { seatsTodayOf, seatsTodayOfAll } from './day-seats';
import { validatorAt, validatorInOrder } from './validators';

const SMALL_BP: u64 = 2000;
const LARGE_BP: u64 = 1500;
/** Number of active validators from which the lower cap applies. */
const LARGE_ACTIVE: u32 = 10;
const MIN_CANDIDATES: u32 = 5;
const MIN_SEATS: u64 = 20;

@unmanaged
class Caps {
  capBp: u64;
  /** Seats of the day, including all those of the current panel. */
  seats: u64;
  nowSecs: u64;
}
const CAPS: usize = memory.data(24, 8);

function caps(): Caps {
  return changetype<Caps>(CAPS);
}

// Address of the seats of a cluster (validator index + 1).
function seatsOf(cluster: u32): usize {
  return root().clusterSeats + ((<usize>(cluster - 1)) << 2);
}

/** True when caps apply to a panel of `size` among the listed candidates; then they are measured from now on. */
export function beginCaps(active: u32, size: u32, nowSecs: u64): bool {
  const given = seatsTodayOfAll(nowSecs);
  if (candidateCount() < MIN_CANDIDATES || given < MIN_SEATS) return false;
  const c = caps();
  c.capBp = active < LARGE_ACTIVE ? SMALL_BP : LARGE_BP;
  c.seats = given + size;
  c.nowSecs = nowSecs;
  const count = header().validatorCount;
  memory.fill(root().clusterSeats, 0, (<usize>count) << 2);
  for (let index: u32 = 0; index < count; index++) {
    const cluster = validatorAt(index).cluster;
    if (cluster == 0) continue;
    store<u32>(seatsOf(cluster), load<u32>(seatsOf(cluster)) + <u32>seatsTodayOf(index, nowSecs));
  }
  return true;
}

function isOverCap(index: u32): bool {
  const c = caps();
  const cluster = validatorAt(index).cluster;
  const held = cluster == 0 ? seatsTodayOf(index, c.nowSecs) : load<u32>(seatsOf(cluster));
  return (held + 1) * BP > c.capBp * c.seats;
}

/** Removes those that would exceed their cap from the listed candidates. */
export function passOver(): void {
  for (let position: u32 = 0; position < header().validatorCount; position++) {
    if (isOverCap(validatorInOrder(position))) takeOut(position);
  }
}

/** Counts a seat of the current panel for a validator (index): its cluster may have reached its cap. */
export function noteDrawn(index: u32): void {
  const cluster = validatorAt(index).cluster;
  if (cluster == 0) return;
  store<u32>(seatsOf(cluster), load<u32>(seatsOf(cluster)) + 1);
  passOver();
}
