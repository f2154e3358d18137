// Keys of validators with a seat: consensus key, recovery key, and what waits to replace each.
// Keeps: no consensus key stands for two seats, at once or after a wait; a rotation counts the key epoch up by one.
// The running epoch of consensus has its own table: a changed key counts there from the next one on (CONSENSUS 5.11).

import { NO_SEAT } from '../abi';
import { copy32, equal32, isZero } from '../lib/bytes';
import { header } from '../state/header';
import { isFreeConsensusKey, markSeat, seatAt, seatKey } from './seats';
import { markValidator, Validator, validatorAt } from './validators';

export function recoveryKeyOf(validator: Validator): usize {
  return changetype<usize>(validator) + offsetof<Validator>('recovery0');
}

export function nextRecoveryOf(validator: Validator): usize {
  return changetype<usize>(validator) + offsetof<Validator>('nextRecovery0');
}

export function nextKeyOf(validator: Validator): usize {
  return changetype<usize>(validator) + offsetof<Validator>('nextKey0');
}

export function hasSeat(validator: Validator): bool {
  return validator.seat != NO_SEAT;
}

export function hasRecoveryKey(validator: Validator): bool {
  return !isZero(recoveryKeyOf(validator), 32);
}

export const NOBODY: u32 = u32.MAX_VALUE;

/**
 * True when a key[32] is a seat's consensus key, waits to be that of another validator, or is or will be anybody's
 * recovery key. `index`: the validator whose own waiting key does not count, since the new one replaces it; or NOBODY.
 * O(validators).
 */
export function isKeyInUse(key: usize, index: u32): bool {
  if (!isFreeConsensusKey(key)) return true;
  for (let i: u32 = 0; i < header().validatorCount; i++) {
    const other = validatorAt(i);
    if (i != index && equal32(nextKeyOf(other), key)) return true;
    if (equal32(recoveryKeyOf(other), key) || equal32(nextRecoveryOf(other), key)) return true;
  }
  return false;
}

/** Gives the validator's seat another key. */
export function changeKey(validator: Validator, key: usize): void {
  const seat = seatAt(validator.seat);
  copy32(seatKey(seat), key);
  seat.keyEpoch++;
  markSeat(seat);
}

/** The rotation by the recovery key has waited long enough. */
export function takeNextKey(validator: Validator): void {
  changeKey(validator, nextKeyOf(validator));
  memory.fill(nextKeyOf(validator), 0, 32);
  validator.nextKeySecs = 0;
  markValidator(validator);
}

/** The replacement of the recovery key has waited long enough. */
export function takeNextRecovery(validator: Validator): void {
  copy32(recoveryKeyOf(validator), nextRecoveryOf(validator));
  memory.fill(nextRecoveryOf(validator), 0, 32);
  validator.nextRecoverySecs = 0;
  markValidator(validator);
}
