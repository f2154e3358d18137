// Keys of validators with a seat: consensus key, recovery key, and pending replacements.
// Keeps: no two seats have the same consensus key, now or after a pending change; a rotation increments the key epoch.
// The current epoch of consensus has its own seat table: a changed key takes effect in the next one (consensus 5.11).

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
 * True when a key[32] is a seat's consensus key, the pending one of another validator, or anybody's current or pending
 * recovery key. `index`: the validator whose own pending key does not count, since the new one replaces it; or NOBODY.
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

/** Applies a rotation by the recovery key after its delay. */
export function applyNextKey(validator: Validator): void {
  changeKey(validator, nextKeyOf(validator));
  memory.fill(nextKeyOf(validator), 0, 32);
  validator.nextKeySecs = 0;
  markValidator(validator);
}

/** Applies a replacement of the recovery key after its delay. */
export function applyNextRecovery(validator: Validator): void {
  copy32(recoveryKeyOf(validator), nextRecoveryOf(validator));
  memory.fill(nextRecoveryOf(validator), 0, 32);
  validator.nextRecoverySecs = 0;
  markValidator(validator);
}
