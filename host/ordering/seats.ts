// The seat table that the ledger would give the next epoch now (consensus 5.11), and whether it requires an early seal.
// Keeps: a function of the state and the running table; it takes effect only at a seal.

import * as abi from '../../assembly/abi.ts';
import type { State } from '../core/state.ts';
import type { SeatWeight } from '../wire/block.ts';
import { equalBytes } from '../wire/bytes.ts';
import type { Epoch } from './epoch.ts';

/**
 * The table of the next epoch: keys and weights of the present state. If too few seats would have weight, those that are
 * not excluded keep their weights of the running table. Undefined if that is too few as well: then no epoch opens.
 */
export function seatsNow(
  state: State,
  running: Epoch,
  excluded: readonly number[],
): readonly SeatWeight[] | undefined {
  // One query, since this runs after every block that may be a seal.
  const seats = state.seats();
  const isOut = (seat: number): boolean =>
    excluded.includes(seat) || seats[seat]!.status === abi.VALIDATOR_EXCLUDED;
  const left = (weight: bigint, seat: number): bigint => (isOut(seat) ? 0n : weight);
  const fresh = seats.map(({ weight }, seat) => left(weight, seat));
  const kept = running.seats.map(({ weight }, seat) => left(weight, seat));
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
