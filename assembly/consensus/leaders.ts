// Who leads which slot: drawn by weight without repetition in a round, fixed for the epoch. consensus 5.4.
// Keeps: a function of epoch id and seat table alone, so it never depends on decisions; late seats and those of weight 0
// never lead.

import { dag, takeCleared } from '../dag/arena';
import { hasBit, setBit, weightOf } from '../dag/seats';
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
/** Numbers of slots: the place is above the bits of a round. */
const PLACE_SHIFT: u64 = 32;

/** Bytes that `openSchedule` allocates. */
export function scheduleBytes(seatCount: u32): usize {
  return 2 * (((<usize>seatCount + 63) >> 6) << 3);
}

/** Seats with weight that are not late. `weights`, `late`: a u64 and a byte for each seat. */
export function leadingSeats(weights: usize, late: usize, seatCount: u32): u32 {
  let count: u32 = 0;
  for (let seat: usize = 0; seat < <usize>seatCount; seat++) {
    count += <u32>(load<u64>(weights + (seat << 3)) != 0 && load<u8>(late + seat) == 0);
  }
  return count;
}

/** Seeds the schedule of an open table of seats. `late`: a byte for each seat. */
export function openSchedule(epochId: usize, leaderCount: u32, late: usize): void {
  const e = epoch();
  memory.copy(PREIMAGE + TAG_BYTES, epochId, 32);
  sha256(PREIMAGE, <u32>TAG_BYTES + 32, HASH);
  e.leaderSeed = load<u64>(HASH);
  e.leaderCount = leaderCount;
  const d = dag();
  e.drawn = takeCleared((<usize>d.creatorWords) << 3);
  e.late = takeCleared((<usize>d.creatorWords) << 3);
  e.leadingWeight = d.totalWeight;
  for (let seat: u32 = 0; seat < d.seatCount; seat++) {
    if (load<u8>(late + seat) == 0) continue;
    setBit(e.late, seat);
    e.leadingWeight -= weightOf(seat);
  }
}

function mix(number: u64): u64 {
  let z = epoch().leaderSeed + number * STEP;
  z = (z ^ (z >> 30)) * MIX_1;
  z = (z ^ (z >> 27)) * MIX_2;
  return z ^ (z >> 31);
}

/** Begins to draw the leaders of a round. */
export function beginDraw(): void {
  memory.copy(epoch().drawn, epoch().late, (<usize>dag().creatorWords) << 3);
}

/**
 * Draws the leader of the slot at this place of a round, after those of the places below it. `left`: weight of the seats
 * that may lead and are not drawn yet.
 */
export function drawLeader(round: u32, place: u32, left: u64): u32 {
  const drawn = epoch().drawn;
  let x = mix(<u64>round + ((<u64>place) << PLACE_SHIFT)) % left;
  let seat: u32 = 0;
  for (; ; seat++) {
    if (hasBit(drawn, seat)) continue;
    const weight = weightOf(seat);
    if (weight > x) break;
    x -= weight;
  }
  setBit(drawn, seat);
  return seat;
}

/** Seat that leads the slot at a place of a round; -1 where a round has no such place. */
export function leaderOf(round: u32, place: u32): i32 {
  if (place >= epoch().leaderCount) return -1;
  beginDraw();
  let left = epoch().leadingWeight;
  let seat: u32 = 0;
  for (let at: u32 = 0; at <= place; at++) {
    seat = drawLeader(round, at, left);
    left -= weightOf(seat);
  }
  return <i32>seat;
}
