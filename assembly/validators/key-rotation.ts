// Setting a recovery key and rotating a consensus key (DECISIONS 4.3, 5.8).
// Keeps: the old key acts at once, the recovery key after a wait in which the owner of the old one may notice; while a
// rotation by the recovery key waits, the old key cannot rotate.

import {
  AUTH_UNSIGNED,
  FORBIDDEN_ACTOR,
  INVALID_REQUEST,
  KEY_IN_USE,
  OK,
  PARAM_RECOVERY_DELAY_SECS,
  REASON_CONSENSUS_KEY,
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

const FORM: usize = 96;
const KEY: usize = 168;
const OLD_KEY_RESULT: u32 = 6;
const NOT_SIGNED: u32 = 0;
const OLD_KEY: u32 = 1;
const RECOVERY_KEY: u32 = 2;

/**
 * OP_RECOVERY_SET. The first recovery key counts at once, another one after recovery_delay_secs; a third replaces the
 * one that waits. Errors: INVALID_REQUEST, VALIDATOR_NOT_FOUND, FORBIDDEN_ACTOR, KEY_IN_USE. DECISIONS 4.3.
 */
export function setRecoveryKey(): i32 {
  const key = fieldAddress(KEY);
  if (isZero(key, 32)) return refuse(INVALID_REQUEST);
  const index = findNamedOrOwn(fieldAddress(FORM));
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
  setResult(0, frame().actor);
  setResult(1, <u64>index);
  setResult(2, effectiveSecs);
  return OK;
}

// Which key of the validator the request was signed with. A node without signatures acts for its own seat.
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
  setResult(0, validator.agent);
  setResult(1, index);
  setResult(2, effectiveSecs);
  setResult(3, seat.keyEpoch);
  setResult(4, seat.keyEpoch + 1);
  setResult(5, isRecovery ? 1 : 0);
  for (let i: u32 = 0; i < 4; i++) {
    setResult(OLD_KEY_RESULT + i, load<u64>(seatKey(seat) + ((<usize>i) << 3)));
  }
}

/**
 * OP_KEY_ROTATE. By the old key at once; by the recovery key after recovery_delay_secs, a second one replacing the
 * first. Errors: INVALID_REQUEST, VALIDATOR_NOT_FOUND, FORBIDDEN_ACTOR (signed by neither, or no seat), KEY_IN_USE,
 * ROTATION_PENDING. DECISIONS 4.3.
 */
export function rotateKey(): i32 {
  const key = fieldAddress(KEY);
  if (isZero(key, 32)) return refuse(INVALID_REQUEST);
  const index = findValidator(fieldAddress(FORM));
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
