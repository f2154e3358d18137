// Exclusion of a seat that was proven to equivocate (protocol 7.4, 12.8).
// Keeps: the validator is excluded once and for ever; its operator keeps its stake. Consensus removes the seat's weight
// from the next epoch on (consensus 5.11), so nothing else depends on it here. The proof belongs to the block, the event
// to its first vertex, like those of deadlines (protocol 1.3).

import { OUT_STATUS_BYTES, STATUS_REASON_EQUIVOCATION, VALIDATOR_EXCLUDED } from '../abi';
import { hasRoom } from '../io/output';
import { header } from '../state/header';
import { emitStatus } from './events';
import { isSeat, markSeat, seatAt, seatValidator } from './seats';
import { exclude } from './status';
import { rearmValidator } from './timers';
import { validatorAt } from './validators';

/** Excludes the validator of a seat. Does nothing when it is already excluded, or the seat has none. */
export function excludeSeat(seat: u32): void {
  const index = seatValidator(seat);
  if (index < 0 || validatorAt(<u32>index).status == VALIDATOR_EXCLUDED) return;
  exclude(validatorAt(<u32>index));
  rearmValidator(<u32>index);
  header().exclusionsPending++;
  seatAt(seat).exclusionUntold = 1;
  markSeat(seatAt(seat));
}

/** Emits the exclusions of the block in order of seats; false while the out buffer is full. */
export function emitExclusions(): bool {
  for (let seat: u32 = 0; header().exclusionsPending > 0; seat++) {
    if (!isSeat(seat) || seatAt(seat).exclusionUntold == 0) continue;
    if (!hasRoom(OUT_STATUS_BYTES)) return false;
    emitStatus(<u32>seatValidator(seat), STATUS_REASON_EQUIVOCATION);
    header().exclusionsPending--;
    seatAt(seat).exclusionUntold = 0;
    markSeat(seatAt(seat));
  }
  return true;
}
