// Seats that are silent for too long lose their ordering weight, and get it back when they are heard again
// (consensus 5.11).
// Keeps: only a seal removes weight. What it removes is at most MAX_REMOVED_PERCENT of all weight, and leaves weight to
// MIN_SEATS_LEFT seats and to min_participants. Stake, weight of verdicts and status of the validator stay.

import {
  EVENT_SEAT_WEIGHT,
  OUT_SEAT_WEIGHT_BYTES,
  OUT_SEAT_WEIGHT_CHANGE,
  OUT_SEAT_WEIGHT_EPOCH,
  OUT_SEAT_WEIGHT_SEAT,
  OUT_SEAT_WEIGHT_SILENT_FROM,
  OUT_SEAT_WEIGHT_SILENT_SINCE,
  PARAM_MIN_PARTICIPANTS,
  PARAM_SILENCE_EPOCHS,
  PARAM_SILENCE_SECS,
  SEAT_WEIGHT_BOUND,
  SEAT_WEIGHT_HEARD,
  SEAT_WEIGHT_REMOVED,
} from '../abi';
import { hasRoom } from '../io/output';
import { beginTextEvent } from '../io/system-event';
import { header, nowSecs, param } from '../state/header';
import { isSeat, markSeat, Seat, seatAt, seatId, seatValidator } from './seats';
import { validatorAt } from './validators';
import { orderingWeight } from './weight';

// 3/7 of equal weights, so that seven seats can become four, and a little more, since weights of equal stakes drift
// apart with reputation. It determines the share of liars that the network bears: consensus 5.14.
const MAX_REMOVED_PERCENT: u64 = 45;
// Three equal seats bear no fault, as four of which one is dead; without the fourth they could not even be helped by it.
const MIN_SEATS_LEFT: u32 = 4;
// A network that orders has a block every few seconds, also an idle one (consensus 5.13 d). A longer step of T is time
// in which nothing was ordered, or a clock that jumped.
const MAX_AWAKE_STEP_MS: u64 = 60000;

/** Ordering weight of a seat if it were not removed. */
export function fullSeatWeight(number: u32): u64 {
  const index = seatValidator(number);
  return index < 0 ? 0 : orderingWeight(validatorAt(<u32>index), nowSecs());
}

/** To be called with T of a new block, before the header has it. */
export function passTime(timeMs: u64): void {
  const h = header();
  h.awakeMs += min<u64>(timeMs - h.timeMs, MAX_AWAKE_STEP_MS);
  // At genesis there was no T.
  if (h.epochOpenedMs == 0) h.epochOpenedMs = timeMs;
}

function setChange(seat: Seat, change: u32): void {
  seat.isRemoved = change == SEAT_WEIGHT_REMOVED ? 1 : 0;
  if (seat.weightUntold == 0) header().seatWeightsPending++;
  seat.weightUntold = <u16>change;
}

/** A vertex of the seat is ordered. The first of a seat in an epoch is never void, so all may be counted. */
export function noteHeard(number: u32): void {
  const running = header().epoch + 1;
  if (!isSeat(number) || seatAt(number).heardIn == running) return;
  const seat = seatAt(number);
  seat.heardIn = running;
  seat.silentFrom = 0;
  seat.silentSinceMs = 0;
  seat.silentAwakeMs = 0;
  if (seat.isRemoved != 0) setChange(seat, SEAT_WEIGHT_HEARD);
  markSeat(seat);
}

// Seats without weight need not be heard; a removed one must, to get its weight back.
function setExpected(number: u32): void {
  const seat = seatAt(number);
  const isExpected: u16 = seat.isRemoved != 0 || fullSeatWeight(number) != 0 ? 1 : 0;
  if (seat.isExpected == isExpected && (isExpected != 0 || seat.silentFrom == 0)) return;
  seat.isExpected = isExpected;
  if (isExpected == 0) {
    seat.silentFrom = 0;
    seat.silentSinceMs = 0;
    seat.silentAwakeMs = 0;
  }
  markSeat(seat);
}

/** At genesis: the seats that have weight in epoch 0. */
export function expectSeats(): void {
  for (let number: u32 = 0, found: u32 = 0; found < header().seatCount; number++) {
    if (!isSeat(number)) continue;
    setExpected(number);
    found++;
  }
}

// A silent seat's first epoch of silence is noted once; from then on time runs.
function countSilence(number: u32): void {
  const h = header();
  const seat = seatAt(number);
  if (seat.isExpected == 0 || seat.silentFrom != 0 || seat.heardIn == h.epoch + 1) return;
  seat.silentFrom = h.epoch + 1;
  seat.silentSinceMs = h.epochOpenedMs;
  seat.silentAwakeMs = h.epochOpenedAwakeMs;
  markSeat(seat);
}

// In the epoch that ends now and those before it.
function isSilentLongEnough(seat: Seat): bool {
  const h = header();
  const epochs = <u64>(h.epoch + 2 - seat.silentFrom);
  return (
    epochs >= param(PARAM_SILENCE_EPOCHS) &&
    h.awakeMs - seat.silentAwakeMs >= param(PARAM_SILENCE_SECS) * 1000
  );
}

// The silent seat after this one, by the first epoch of silence and then by number; -1 = none.
function nextSilent(from: u32, number: i32): i32 {
  let best: i32 = -1;
  for (let other: i32 = 0, found: u32 = 0; found < header().seatCount; other++) {
    if (!isSeat(<u32>other)) continue;
    found++;
    const first = seatAt(<u32>other).silentFrom;
    if (first == 0 || first < from || (first == from && other <= number)) continue;
    if (best < 0 || first < seatAt(<u32>best).silentFrom) best = other;
  }
  return best;
}

// Chooses anew which seats are without weight: those that are silent for the longest first, as long as the bound holds.
function assignRemovals(): void {
  let all: u64 = 0;
  let left: u32 = 0;
  for (let number: u32 = 0, found: u32 = 0; found < header().seatCount; number++) {
    if (!isSeat(number)) continue;
    found++;
    const weight = fullSeatWeight(number);
    all += weight;
    if (weight != 0) left++;
  }
  const minLeft = max<u64>(MIN_SEATS_LEFT, param(PARAM_MIN_PARTICIPANTS));
  let removed: u64 = 0;
  for (let number = nextSilent(0, -1); number >= 0; ) {
    const seat = seatAt(<u32>number);
    if (!isSilentLongEnough(seat)) return;
    const weight = fullSeatWeight(<u32>number);
    const isBounded = (removed + weight) * 100 <= all * MAX_REMOVED_PERCENT && <u64>left > minLeft;
    if (weight != 0 && isBounded) {
      removed += weight;
      left--;
      if (seat.isRemoved == 0) setChange(seat, SEAT_WEIGHT_REMOVED);
    } else if (weight != 0 && seat.isRemoved != 0) {
      setChange(seat, SEAT_WEIGHT_BOUND);
    }
    markSeat(seat);
    number = nextSilent(seat.silentFrom, number);
  }
}

/** OP_EPOCH_END: the last block sealed the epoch. O(seats times silent seats). */
export function closeEpoch(): void {
  const h = header();
  for (let number: u32 = 0, found: u32 = 0; found < h.seatCount; number++) {
    if (!isSeat(number)) continue;
    found++;
    countSilence(number);
  }
  assignRemovals();
  expectSeats();
  h.epoch++;
  h.epochOpenedMs = h.timeMs;
  h.epochOpenedAwakeMs = h.awakeMs;
}

function emitSeatWeight(number: u32): void {
  const seat = seatAt(number);
  const record = beginTextEvent(
    EVENT_SEAT_WEIGHT,
    'seat_weight',
    seatId(seat),
    seat.idBytes,
    OUT_SEAT_WEIGHT_BYTES,
  );
  store<u32>(record, number, OUT_SEAT_WEIGHT_SEAT);
  store<u32>(record, seat.weightUntold, OUT_SEAT_WEIGHT_CHANGE);
  store<u32>(record, header().epoch, OUT_SEAT_WEIGHT_EPOCH);
  store<u32>(record, seat.silentFrom, OUT_SEAT_WEIGHT_SILENT_FROM);
  store<u64>(record, seat.silentSinceMs / 1000, OUT_SEAT_WEIGHT_SILENT_SINCE);
}

/** Emits the changes of ordering weight in order of seats; false while the out buffer is full. */
export function emitSeatWeights(): bool {
  const h = header();
  for (let number: u32 = 0; h.seatWeightsPending > 0; number++) {
    if (!isSeat(number) || seatAt(number).weightUntold == 0) continue;
    if (!hasRoom(OUT_SEAT_WEIGHT_BYTES)) return false;
    emitSeatWeight(number);
    h.seatWeightsPending--;
    seatAt(number).weightUntold = 0;
    markSeat(seatAt(number));
  }
  return true;
}
