// The seat table that would be built from the ledger now (consensus 5.11), and whether it waits for a seal.
// Keeps: a function of the state and of the running table; it takes effect only at an epoch boundary.

import * as abi from '../../assembly/abi.ts';
import type { State } from '../core/state.ts';
import type { SeatWeight } from '../wire/block.ts';
import { equalBytes } from '../wire/bytes.ts';
import type { Epoch } from './epoch.ts';

/**
 * The table of the next epoch: keys and weights of the state as it stands; when too few seats would have weight, the
 * weights of the running table for all who are not excluded, for whatever reason. Undefined when that is too few as
 * well: no epoch opens.
 */
export function seatsNow(
  state: State,
  running: Epoch,
  excluded: readonly number[],
): readonly SeatWeight[] | undefined {
  // One query: asked after every block of an epoch that may seal.
  const seats = state.seats();
  const isOut = (seat: number): boolean =>
    excluded.includes(seat) || seats[seat]!.status === abi.VALIDATOR_EXCLUDED;
  const left = (weight: bigint, seat: number): bigint => (isOut(seat) ? 0n : weight);
  const fresh = seats.map(({ weight }, seat) => left(weight, seat));
  const kept = running.seats.map(({ weight }, seat) => left(weight, seat));
  const least = Math.max(1, running.minParticipants);
  const weights = [fresh, kept].find((list) => list.filter((weight) => weight > 0n).length >= least);
  return weights && seats.map(({ key }, i) => ({ key, weight: weights[i]! }));
}

/** Does a key or the set of seats with weight differ from the running table: such a change seals early. */
export function isChange(running: Epoch, now: readonly SeatWeight[] | undefined): boolean {
  if (!now) return true;
  return running.seats.some(
    ({ key, weight }, i) => weight > 0n !== now[i]!.weight > 0n || !equalBytes(key, now[i]!.key),
  );
}
