// Seats of the epoch: weights, and which sets of seats are a quorum.
// Keeps: a quorum is 1000 * sum(w) >= 667 * W in exact integers and at least minParticipants seats of positive
// weight (consensus 5.9). Sets are masks with a bit for each seat. Nothing changes inside an epoch.

import { dag, takeCleared } from './arena';
import { ENTRY_BYTES, sortEntries } from './sort';

/** Total supply in micro-units: the upper bound of any sum of weights (protocol 6.9). */
export const MAX_WEIGHT: u64 = 1000000000000000;

/** Bytes that `openSeats` allocates. */
export function seatBytes(seatCount: u32): usize {
  const bytesOfMask = (<usize>seatCount + 7) >> 3;
  return <usize>seatCount * 8 + (bytesOfMask << 11) + (((<usize>seatCount + 63) >> 6) << 3) + 64;
}

/** Sum of the weights at `from`, 0 when one or all together are above the supply. */
export function weightSum(from: usize, seatCount: u32): u64 {
  let sum: u64 = 0;
  for (let i: usize = 0; i < <usize>seatCount; i++) {
    const weight = load<u64>(from + (i << 3));
    if (weight > MAX_WEIGHT) return 0;
    sum += weight;
    if (sum > MAX_WEIGHT) return 0;
  }
  return sum;
}

/** Seats of positive weight among the weights at `from`. */
export function weightedSeats(from: usize, seatCount: u32): u32 {
  let count: u32 = 0;
  for (let i: usize = 0; i < <usize>seatCount; i++) count += <u32>(load<u64>(from + (i << 3)) != 0);
  return count;
}

export function weightOf(seat: u32): u64 {
  return load<u64>(dag().weights + ((<usize>seat) << 3));
}

// Number of the seats sorted at `sorted`, from the lightest (step 1) or the heaviest (-1), that form a quorum.
function seatsForQuorum(sorted: usize, first: i32, step: i32, count: u32): u32 {
  const d = dag();
  let sum: u64 = 0;
  for (let taken: u32 = 1; taken <= count; taken++) {
    sum += load<u64>(sorted + <usize>first * ENTRY_BYTES);
    first += step;
    if (sum >= d.quorumWeight && taken >= d.minParticipants) return taken;
  }
  return count;
}

/** Copies the weights at `from`, which the caller has checked. `scratch`: memory to sort all seats, twice. */
export function openSeats(from: usize, scratch: usize): void {
  const d = dag();
  const seats = d.seatCount;
  d.totalWeight = weightSum(from, seats);
  d.quorumWeight = (667 * d.totalWeight + 999) / 1000;
  d.weights = takeCleared((<usize>seats) << 3);
  d.weighted = takeCleared((<usize>d.creatorWords) << 3);
  memory.copy(d.weights, from, (<usize>seats) << 3);
  let weighted: u32 = 0;
  for (let seat: u32 = 0; seat < seats; seat++) {
    const weight = weightOf(seat);
    if (weight == 0) continue;
    setBit(d.weighted, seat);
    store<u64>(scratch + <usize>weighted * ENTRY_BYTES, weight);
    store<u64>(scratch + <usize>weighted * ENTRY_BYTES, 0, 8);
    weighted++;
  }
  sortEntries(scratch, scratch + <usize>seats * ENTRY_BYTES, weighted, 0);
  d.minSeats = seatsForQuorum(scratch, <i32>weighted - 1, -1, weighted);
  d.surelySeats = seatsForQuorum(scratch, 0, 1, weighted);

  const bytes = (<usize>seats + 7) >> 3;
  d.byteWeights = takeCleared(bytes << 11);
  for (let at: usize = 0; at < bytes; at++) {
    const table = d.byteWeights + (at << 11);
    for (let value: u32 = 1; value < 256; value++) {
      const seat = <u32>(at << 3) + ctz<u32>(value);
      const weight = seat < seats ? weightOf(seat) : 0;
      store<u64>(
        table + ((<usize>value) << 3),
        load<u64>(table + ((<usize>(value & (value - 1))) << 3)) + weight,
      );
    }
  }
}

export function setBit(mask: usize, bit: u32): void {
  const word = mask + ((<usize>bit >> 6) << 3);
  store<u64>(word, load<u64>(word) | ((<u64>1) << (bit & 63)));
}

export function hasBit(mask: usize, bit: u32): bool {
  return ((load<u64>(mask + ((<usize>bit >> 6) << 3)) >> (bit & 63)) & 1) != 0;
}

function weightOfMask(creators: usize): u64 {
  const d = dag();
  let sum: u64 = 0;
  let table = d.byteWeights;
  const end = table + (((<usize>d.seatCount + 7) >> 3) << 11);
  for (; table < end; table += 2048) sum += load<u64>(table + ((<usize>load<u8>(creators++)) << 3));
  return sum;
}

/** True when the set of seats in the mask is a quorum. Its bits from the number of seats on are 0. */
export function isQuorum(creators: usize): bool {
  const d = dag();
  let count: u32 = 0;
  for (let i: usize = 0; i < <usize>d.creatorWords; i++) {
    count += <u32>popcnt<u64>(load<u64>(creators + (i << 3)) & load<u64>(d.weighted + (i << 3)));
  }
  if (count < d.minSeats) return false;
  if (count >= d.surelySeats) return true;
  return count >= d.minParticipants && weightOfMask(creators) >= d.quorumWeight;
}

/** The same for a set whose weight is known; `count`: its seats of positive weight. */
export function isQuorumSum(weight: u64, count: u32): bool {
  return weight >= dag().quorumWeight && count >= dag().minParticipants;
}
