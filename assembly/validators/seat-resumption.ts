// Seats that lost vertices and resumed in a new incarnation of their numbers (consensus 5.7).
// Keeps: a record and no consequence for the seat: neither status nor stake nor weight changes. The newest block at which
// acknowledged writes may have been lost with the vertices stays in the header. As with exclusions, the fact belongs to
// the block and the event to its first vertex.

import {
  EVENT_SEAT_RESUMED,
  OUT_SEAT_RESUMED,
  OUT_SEAT_RESUMED_BYTES,
  OUT_SEAT_RESUMED_EPOCH,
  OUT_SEAT_RESUMED_INCARNATION,
  OUT_SEAT_RESUMED_MAY_LOSE,
} from '../abi';
import { hasRoom } from '../io/output';
import { beginTextEvent } from '../io/system-event';
import { header, nowSecs } from '../state/header';
import { isSeat, markSeat, seatAt, seatId } from './seats';

/** Notes that a seat resumed in an epoch. `mayLose`: with the weight that resumed in it, writes may be lost. */
export function resumeSeat(seat: u32, incarnation: u32, epoch: u64, mayLose: bool): void {
  const h = header();
  if (seatAt(seat).resumptionUntold == 0) h.resumptionsPending++;
  seatAt(seat).resumptionUntold = <u16>incarnation;
  markSeat(seatAt(seat));
  h.resumedEpoch = epoch;
  h.resumedMayLose = mayLose ? 1 : 0;
  if (mayLose) h.losesWrites = 1;
}

function emitResumption(number: u32): void {
  const seat = seatAt(number);
  const record = beginTextEvent(
    EVENT_SEAT_RESUMED,
    'seat_resumed',
    seatId(seat),
    seat.idBytes,
    OUT_SEAT_RESUMED_BYTES,
  );
  store<u32>(record, number, OUT_SEAT_RESUMED);
  store<u32>(record, seat.resumptionUntold, OUT_SEAT_RESUMED_INCARNATION);
  store<u32>(record, header().resumedMayLose, OUT_SEAT_RESUMED_MAY_LOSE);
  store<u64>(record, header().resumedEpoch, OUT_SEAT_RESUMED_EPOCH);
}

/** Emits the resumptions of the block in order of seats; false while the out buffer is full. */
export function emitResumptions(): bool {
  for (let seat: u32 = 0; header().resumptionsPending > 0; seat++) {
    if (!isSeat(seat) || seatAt(seat).resumptionUntold == 0) continue;
    if (!hasRoom(OUT_SEAT_RESUMED_BYTES)) return false;
    emitResumption(seat);
    header().resumptionsPending--;
    seatAt(seat).resumptionUntold = 0;
    markSeat(seatAt(seat));
  }
  return true;
}

/** At the end of the block: if it may have lost writes, its last order and its time are kept. */
export function keepLostWrites(): void {
  const h = header();
  if (h.losesWrites == 0) return;
  h.losesWrites = 0;
  h.lostWritesOrder = h.order;
  h.lostWritesSecs = nowSecs();
}
