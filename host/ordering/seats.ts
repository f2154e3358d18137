// The seat table that the ledger would give the next epoch now (consensus 5.11), whether it requires an early seal, and
// which of its seats are late.
// Keeps: a function of the state and the running table alone, both of which a joiner has under a quorum's signatures; it
// takes effect only at a seal.

import * as abi from '../../assembly/abi.ts';
import type { State } from '../core/state.ts';
import type { SeatWeight } from '../wire/block.ts';
import { equalBytes } from '../wire/bytes.ts';
import { type Epoch, isQuorumOf, votersOf } from './epoch.ts';

/**
 * The table of the next epoch: keys and weights of the present state. If too few seats would have weight, those that are
 * not excluded keep their weights of the running table. Undefined if that is too few as well: then no epoch opens.
 */
export function seatsNow(state: Pick<State, 'seats'>, running: Epoch): readonly SeatWeight[] | undefined {
  // One query, since this runs after every block that may be a seal.
  const seats = state.seats();
  const fresh = seats.map(({ weight }) => weight);
  // An excluded validator has no weight of its own, and must not keep that of the running table either.
  const isExcluded = (seat: number): boolean => seats[seat]!.status === abi.VALIDATOR_EXCLUDED;
  const kept = running.seats.map(({ weight }, seat) => (isExcluded(seat) ? 0n : weight));
  const minSeats = Math.max(1, running.minParticipants);
  const weights = [fresh, kept].find((list) => list.filter((weight) => weight > 0n).length >= minSeats);
  return weights && seats.map(({ key }, i) => ({ key, weight: weights[i]! }));
}

/** Does a key, or the set of seats with weight, differ from the running table: then the epoch is sealed early. */
export function isChange(running: Epoch, now: readonly SeatWeight[] | undefined): boolean {
  if (!now) return true;
  return running.seats.some(
    ({ key, weight }, i) => weight > 0n !== now[i]!.weight > 0n || !equalBytes(key, now[i]!.key),
  );
}

/** A seat is late below these parts of the rounds in which the timeliest seat came in time. */
const LATE_BELOW = { parts: 3, of: 4 };

/**
 * The table with its late seats marked. `timely`: for each seat the rounds of the sealed epoch in which its witness came in time.
 * Those that are not late are a quorum, so that more than half of the leaders' weight is honest.
 */
export function markLate(
  seats: readonly SeatWeight[],
  minParticipants: number,
  timely: readonly number[],
): readonly SeatWeight[] {
  const voters = votersOf(seats);
  const most = Math.max(0, ...voters.map((seat) => timely[seat]!));
  const byTime = voters.sort((a, b) => timely[b]! - timely[a]! || a - b);
  const leading = new Set<number>();
  for (const seat of byTime) {
    const isLate = LATE_BELOW.of * timely[seat]! < LATE_BELOW.parts * most;
    if (isLate && isQuorumOf({ seats, minParticipants }, leading)) break;
    leading.add(seat);
  }
  return seats.map((seat, i) => (seat.weight > 0n && !leading.has(i) ? { ...seat, isLate: true } : seat));
}
