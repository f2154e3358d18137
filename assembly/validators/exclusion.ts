// Exclusion of a seat that was proven to equivocate (DECISIONS 7.4, 12.8).
// Keeps: the validator is excluded once and for ever; its stake stays its own. Consensus takes the seat's weight away
// from the next epoch on (CONSENSUS 5.11), so nothing else depends on it here. The proof belongs to the block, the event
// to its first vertex, like those of deadlines (DECISIONS 14.7).

import { OUT_STATUS_BYTES, STATUS_REASON_EQUIVOCATION, VALIDATOR_EXCLUDED } from '../abi';
import { hasRoom } from '../io/output';
import { header } from '../state/header';
import { tellStatus } from './events';
import { isSeat, markSeat, seatAt, seatValidator } from './seats';
import { exclude } from './status';
import { rearmValidator } from './timers';
import { validatorAt } from './validators';

/** Excludes the validator of a seat. Nothing happens when it is excluded already, or the seat has none. */
export function excludeSeat(seat: u32): void {
  const index = seatValidator(seat);
  if (index < 0 || validatorAt(<u32>index).status == VALIDATOR_EXCLUDED) return;
  exclude(validatorAt(<u32>index));
  rearmValidator(<u32>index);
  header().exclusionsUntold++;
  seatAt(seat).exclusionUntold = 1;
  markSeat(seatAt(seat));
}

/** Tells the exclusions of the block in order of seats; false while the out buffer has no room. */
export function tellExclusions(): bool {
  for (let seat: u32 = 0; header().exclusionsUntold > 0; seat++) {
    if (!isSeat(seat) || seatAt(seat).exclusionUntold == 0) continue;
    if (!hasRoom(OUT_STATUS_BYTES)) return false;
    tellStatus(<u32>seatValidator(seat), STATUS_REASON_EQUIVOCATION);
    header().exclusionsUntold--;
    seatAt(seat).exclusionUntold = 0;
    markSeat(seatAt(seat));
  }
  return true;
}
