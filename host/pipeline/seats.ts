// The seat table that would be built from the ledger now (CONSENSUS 5.11), and whether it waits for a seal.
// Keeps: a function of the state and of the running table; it takes effect only at an epoch boundary.

import * as abi from '../../assembly/abi.ts';
import type { State } from '../core/state.ts';
import type { SeatWeight } from '../wire/block.ts';
import { equalBytes } from '../wire/bytes.ts';
import type { Epoch } from './epoch.ts';

/**
 * mul(reputation_bp, staked, 10000) for active and suspended validators (DECISIONS 6.9, 7.4), by seat. Asked after every
 * block of an epoch that may seal, so it reads the few fields it needs out of the row.
 */
function ledgerWeights(state: State, seats: number): bigint[] {
  const weights = new Array<bigint>(seats).fill(0n);
  for (let i = 0; ; i++) {
    const view = state.core.queryWords(abi.QUERY_VALIDATOR, i)?.view;
    if (!view) return weights;
    const seat = view.getUint32(abi.VALIDATOR_SEAT, true);
    if (seat >= seats) continue;
    const status = view.getUint32(abi.VALIDATOR_STATUS, true);
    // A suspension does not touch the ordering seat.
    if (status !== abi.VALIDATOR_ACTIVE && status !== abi.VALIDATOR_SUSPENDED) continue;
    const reputationBp = BigInt(view.getUint32(abi.VALIDATOR_REPUTATION_BP, true));
    weights[seat] = (reputationBp * view.getBigUint64(abi.VALIDATOR_STAKED, true)) / 10_000n;
  }
}

/**
 * The table of the next epoch: keys and weights of the state as it stands; when too few seats would have weight, the
 * weights of the running table for all who are not excluded. Undefined when that is too few as well: no epoch opens.
 */
export function seatsNow(
  state: State,
  running: Epoch,
  excluded: readonly number[],
): readonly SeatWeight[] | undefined {
  const fresh = ledgerWeights(state, running.seats.length);
  for (const seat of excluded) fresh[seat] = 0n;
  const kept = running.seats.map(({ weight }, i) => (excluded.includes(i) ? 0n : weight));
  const least = Math.max(1, running.minParticipants);
  const weights = [fresh, kept].find((list) => list.filter((weight) => weight > 0n).length >= least);
  return weights && running.seats.map(({ key }, i) => ({ key, weight: weights[i]! }));
}

/** Does a key or the set of seats with weight differ from the running table: such a change seals early. */
export function isChange(running: Epoch, now: readonly SeatWeight[] | undefined): boolean {
  if (!now) return true;
  return running.seats.some(
    ({ key, weight }, i) => weight > 0n !== now[i]!.weight > 0n || !equalBytes(key, now[i]!.key),
  );
}
