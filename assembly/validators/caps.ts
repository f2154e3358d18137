// The caps of a day: how much of its panel seats one validator, or one cluster, may hold (DECISIONS 6.9, caps).
// Keeps: a cluster counts as one; seats of the panel under way count as given. Whoever would pass the cap with one
// more seat is passed over, and drawn only when the panel could not be filled otherwise.

import { BP } from '../ledger/rates';
import { header } from '../state/header';
import { root } from '../state/root';
import { candidateCount, takeOut } from './candidates';
import { seatsTodayOf, seatsTodayOfAll } from './day-seats';
import { validatorAt, validatorInOrder } from './validators';

const SMALL_BP: u64 = 2000;
const LARGE_BP: u64 = 1500;
/** Active validators from which the lower cap holds. */
const LARGE_ACTIVE: u32 = 10;
const LEAST_CANDIDATES: u32 = 5;
const LEAST_SEATS: u64 = 20;

@unmanaged
class Caps {
  capBp: u64;
  /** Seats of the day, all those of the panel under way included. */
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

/** True when caps hold for a panel of `size` among the candidates laid out; then they are measured from now on. */
export function beginCaps(active: u32, size: u32, nowSecs: u64): bool {
  const given = seatsTodayOfAll(nowSecs);
  if (candidateCount() < LEAST_CANDIDATES || given < LEAST_SEATS) return false;
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

/** Takes those who would pass their cap out of the candidates laid out. */
export function passOver(): void {
  for (let place: u32 = 0; place < header().validatorCount; place++) {
    if (isOverCap(validatorInOrder(place))) takeOut(place);
  }
}

/** A seat of the panel under way was given to a validator (index): its cluster may be at its cap now. */
export function noteDrawn(index: u32): void {
  const cluster = validatorAt(index).cluster;
  if (cluster == 0) return;
  store<u32>(seatsOf(cluster), load<u32>(seatsOf(cluster)) + 1);
  passOver();
}
