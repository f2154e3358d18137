// Who leads which slot: drawn by weight, fixed for the epoch. consensus 5.4.
// Keeps: a function of epoch id and weights alone, so it never depends on decisions; seats of weight 0 never lead.

import { dag, take } from '../dag/arena';
import { weightOf } from '../dag/seats';
import { sha256 } from '../lib/sha256';
import { epoch } from './epoch';

const TAG_BYTES: usize = 13;
// "VWS-LEADER-V1", then room for an epoch id.
const PREIMAGE: usize = memory.data<u8>([
  86, 87, 83, 45, 76, 69, 65, 68, 69, 82, 45, 86, 49, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]);
const HASH: usize = memory.data(32, 8);

// splitmix64, in halves: TypeScript tools read a longer literal as a rounded number.
const STEP: u64 = ((<u64>0x9e3779b9) << 32) | 0x7f4a7c15;
const MIX_1: u64 = ((<u64>0xbf58476d) << 32) | 0x1ce4e5b9;
const MIX_2: u64 = ((<u64>0x94d049bb) << 32) | 0x133111eb;

/** Seeds the schedule; the memory for the cumulative weights was reserved. */
export function openSchedule(epochId: usize): void {
  const e = epoch();
  memory.copy(PREIMAGE + TAG_BYTES, epochId, 32);
  sha256(PREIMAGE, <u32>TAG_BYTES + 32, HASH);
  e.leaderSeed = load<u64>(HASH);
  const seats = dag().seatCount;
  e.cumulative = take((<usize>seats) << 3);
  let sum: u64 = 0;
  for (let seat: u32 = 0; seat < seats; seat++) {
    sum += weightOf(seat);
    store<u64>(e.cumulative + ((<usize>seat) << 3), sum);
  }
}

/** Seat that leads the slot of a round. */
export function leaderOf(round: u32): u32 {
  const e = epoch();
  let z = e.leaderSeed + <u64>round * STEP;
  z = (z ^ (z >> 30)) * MIX_1;
  z = (z ^ (z >> 27)) * MIX_2;
  z = z ^ (z >> 31);
  const x = z % dag().totalWeight;
  let low: u32 = 0;
  let high = dag().seatCount - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u64>(e.cumulative + ((<usize>middle) << 3)) > x) high = middle;
    else low = middle + 1;
  }
  return low;
}
