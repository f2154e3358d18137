// Setting a recovery key and rotating a consensus key (protocol 4.3, 5.8).
// Keeps: the old key rotates at once, the recovery key after a delay in which the owner of the old one may notice; while
// a rotation by the recovery key is pending, the old key cannot rotate.

import {
  AUTH_UNSIGNED,
  FORBIDDEN_ACTOR,
  IN_VALIDATOR,
  IN_VALIDATOR_KEY,
  INVALID_REQUEST,
  KEY_IN_USE,
  OK,
  PARAM_RECOVERY_DELAY_SECS,
  REASON_CONSENSUS_KEY,
  RESULT_AGENT,
  RESULT_KEY_EFFECTIVE_AT,
  RESULT_ROTATE_IS_RECOVERY,
  RESULT_ROTATE_NEW_EPOCH,
  RESULT_ROTATE_OLD_EPOCH,
  RESULT_ROTATE_OLD_KEY,
  RESULT_VALIDATOR,
  ROTATION_PENDING,
  VALIDATOR_NOT_FOUND,
} from '../abi';
import { actorKey, commits, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { copy32, equal32, isZero } from '../lib/bytes';
import { param } from '../state/header';
import {
  changeKey,
  hasRecoveryKey,
  hasSeat,
  isKeyInUse,
  NOBODY,
  nextKeyOf,
  nextRecoveryOf,
  recoveryKeyOf,
} from './consensus-keys';
import { findNamedOrOwn, findValidator } from './naming';
import { seatAt, seatKey } from './seats';
import { rearmValidator } from './timers';
import { markValidator, Validator, validatorAt } from './validators';

const NOT_SIGNED: u32 = 0;
const OLD_KEY: u32 = 1;
const RECOVERY_KEY: u32 = 2;

/**
 * OP_RECOVERY_SET. The first recovery key takes effect at once, another one after recovery_delay_secs; a third replaces
 * the pending one. Errors: INVALID_REQUEST, VALIDATOR_NOT_FOUND, FORBIDDEN_ACTOR, KEY_IN_USE. protocol 4.3.
 */
export function setRecoveryKey(): i32 {
  const key = fieldAddress(IN_VALIDATOR_KEY);
  if (isZero(key, 32)) return refuse(INVALID_REQUEST);
  const index = findNamedOrOwn(fieldAddress(IN_VALIDATOR));
  if (index < 0) return refuse(VALIDATOR_NOT_FOUND);
  const validator = validatorAt(<u32>index);
  if (validator.agent != frame().actor) return refuse(FORBIDDEN_ACTOR);
  if (hasSeat(validator) && equal32(seatKey(seatAt(validator.seat)), key)) {
    return refuse(INVALID_REQUEST, REASON_CONSENSUS_KEY);
  }
  if (isKeyInUse(key, NOBODY)) return refuse(KEY_IN_USE);
  if (!commits()) return OK;

  let effectiveSecs = frame().nowSecs;
  if (hasRecoveryKey(validator)) {
    effectiveSecs += param(PARAM_RECOVERY_DELAY_SECS);
    copy32(nextRecoveryOf(validator), key);
    validator.nextRecoverySecs = effectiveSecs;
  } else {
    copy32(recoveryKeyOf(validator), key);
  }
  markValidator(validator);
  rearmValidator(<u32>index);
  setResult(RESULT_AGENT, frame().actor);
  setResult(RESULT_VALIDATOR, <u64>index);
  setResult(RESULT_KEY_EFFECTIVE_AT, effectiveSecs);
  return OK;
}

// Which key of the validator signed the request. An unsigned request acts with the old key of the vouching seat.
function signerOf(validator: Validator): u32 {
  if (!hasSeat(validator)) return NOT_SIGNED;
  if (frame().auth == AUTH_UNSIGNED) return frame().seat == validator.seat ? OLD_KEY : NOT_SIGNED;
  if (equal32(seatKey(seatAt(validator.seat)), actorKey())) return OLD_KEY;
  const isRecovery = hasRecoveryKey(validator) && equal32(recoveryKeyOf(validator), actorKey());
  return isRecovery ? RECOVERY_KEY : NOT_SIGNED;
}

function setResults(index: u32, effectiveSecs: u64, isRecovery: bool): void {
  const validator = validatorAt(index);
  const seat = seatAt(validator.seat);
  setResult(RESULT_AGENT, validator.agent);
  setResult(RESULT_VALIDATOR, index);
  setResult(RESULT_KEY_EFFECTIVE_AT, effectiveSecs);
  setResult(RESULT_ROTATE_OLD_EPOCH, seat.keyEpoch);
  setResult(RESULT_ROTATE_NEW_EPOCH, seat.keyEpoch + 1);
  setResult(RESULT_ROTATE_IS_RECOVERY, isRecovery ? 1 : 0);
  for (let i: u32 = 0; i < 4; i++) {
    setResult(RESULT_ROTATE_OLD_KEY + i, load<u64>(seatKey(seat) + ((<usize>i) << 3)));
  }
}

/**
 * OP_KEY_ROTATE. By the old key at once; by the recovery key after recovery_delay_secs, a second one replacing the
 * first. Errors: INVALID_REQUEST, VALIDATOR_NOT_FOUND, FORBIDDEN_ACTOR (signed by neither, or no seat), KEY_IN_USE,
 * ROTATION_PENDING. protocol 4.3.
 */
export function rotateKey(): i32 {
  const key = fieldAddress(IN_VALIDATOR_KEY);
  if (isZero(key, 32)) return refuse(INVALID_REQUEST);
  const index = findValidator(fieldAddress(IN_VALIDATOR));
  if (index < 0) return refuse(VALIDATOR_NOT_FOUND);
  const validator = validatorAt(<u32>index);
  const signer = signerOf(validator);
  if (signer == NOT_SIGNED) return refuse(FORBIDDEN_ACTOR);
  if (isKeyInUse(key, <u32>index)) return refuse(KEY_IN_USE);
  const isRecovery = signer == RECOVERY_KEY;
  if (!isRecovery && validator.nextKeySecs != 0) return refuse(ROTATION_PENDING);
  if (!commits()) return OK;

  const effectiveSecs = isRecovery ? frame().nowSecs + param(PARAM_RECOVERY_DELAY_SECS) : 0;
  setResults(<u32>index, effectiveSecs, isRecovery);
  if (isRecovery) {
    copy32(nextKeyOf(validator), key);
    validator.nextKeySecs = effectiveSecs;
    markValidator(validator);
    rearmValidator(<u32>index);
  } else {
    changeKey(validator, key);
  }
  return OK;
}
