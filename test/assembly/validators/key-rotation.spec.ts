// Consensus keys and recovery keys (protocol 4.3): who may rotate, when it takes effect, which keys are in use.

import {
  AUTH_UNSIGNED,
  FORBIDDEN_ACTOR,
  INVALID_REQUEST,
  KEY_IN_USE,
  NO_SEAT,
  OK,
  OP_KEY_ROTATE,
  OP_RECOVERY_SET,
  PARAM_RECOVERY_DELAY_SECS,
  REASON_CONSENSUS_KEY,
  ROTATION_PENDING,
  VALIDATOR_NOT_FOUND,
} from '../../../assembly/abi';
import { keyOf } from '../../../assembly/ledger/agents';
import { equal32, isZero } from '../../../assembly/lib/bytes';
import { param } from '../../../assembly/state/header';
import { nextDeadlineSecs } from '../../../assembly/state/timers';
import { nextKeyOf, nextRecoveryOf, recoveryKeyOf } from '../../../assembly/validators/consensus-keys';
import { rotateKey, setRecoveryKey } from '../../../assembly/validators/key-rotation';
import { addSeat, seatAt, seatKey } from '../../../assembly/validators/seats';
import { fireValidator } from '../../../assembly/validators/timers';
import { operatorOf, Validator, validatorAt, validatorId } from '../../../assembly/validators/validators';
import { beginRecord, putName, result, run, setAuth, signBy } from '../support/command';
import { freshState, LAUNCH, newAgent, newValidator, setNow, TOKEN } from '../support/state';

const FORM: usize = 96;
const KEY: usize = 168;
const A: usize = memory.data(32, 8);
const B: usize = memory.data(32, 8);

/** A key of 32 equal bytes, at one of two addresses. */
function key(at: usize, value: u8): usize {
  memory.fill(at, value, 32);
  return at;
}

function seated(number: u64, seat: u32, keyByte: u8): Validator {
  const validator = newValidator(number, 30000 * TOKEN, 5000);
  validator.seat = seat;
  addSeat(seat, validator.agent, <i32>seat, key(A, keyByte), 1, validatorId(validator), validator.idBytes);
  return validator;
}

/** Validators 0 and 1 have seats 0 and 1 with keys 10 and 11; validator 2 has none. */
function network(): void {
  freshState();
  seated(0, 0, 10);
  seated(1, 1, 11);
  newValidator(2, 30000 * TOKEN, 5000);
}

function name(record: usize, index: u32): void {
  putName(record + FORM, validatorId(validatorAt(index)), validatorAt(index).idBytes);
}

/** A rotation of a validator's key to `to`, signed by a key of 32 bytes `signer`. */
function rotate(index: u32, signer: u8, to: u8): i32 {
  const record = beginRecord(OP_KEY_ROTATE, operatorOf(validatorAt(index)));
  name(record, index);
  signBy(key(B, signer));
  memory.fill(record + KEY, to, 32);
  return run(rotateKey);
}

function recover(index: u32, to: u8): i32 {
  const record = beginRecord(OP_RECOVERY_SET, operatorOf(validatorAt(index)));
  memory.fill(record + KEY, to, 32);
  return run(setRecoveryKey);
}

function hasKey(seat: u32, value: u8): bool {
  return equal32(seatKey(seatAt(seat)), key(B, value));
}

function delaySecs(): u64 {
  return param(PARAM_RECOVERY_DELAY_SECS);
}

describe('the old key', () => {
  it('rotates at once, whatever the current epoch of consensus', () => {
    network();
    expect(rotate(0, 10, 20)).toBe(OK);
    expect(result(0)).toBe(validatorAt(0).agent);
    expect(result(1)).toBe(0);
    expect(result(2)).toBe(0);
    expect(result(3)).toBe(1);
    expect(result(4)).toBe(2);
    expect(result(5)).toBe(0);
    expect(result(6)).toBe(load<u64>(key(B, 10)));
    expect(result(9)).toBe(load<u64>(key(B, 10)));
    expect(hasKey(0, 20)).toBe(true);
    expect(seatAt(0).keyEpoch).toBe(2);
    expect(rotate(0, 10, 21)).toBe(FORBIDDEN_ACTOR);
    expect(rotate(0, 20, 21)).toBe(OK);
  });

  it('is that of the vouching seat when nothing is signed', () => {
    network();
    const record = beginRecord(OP_KEY_ROTATE, operatorOf(validatorAt(0)));
    name(record, 0);
    memory.fill(record + KEY, 20, 32);
    setAuth(AUTH_UNSIGNED, 1);
    expect(run(rotateKey)).toBe(FORBIDDEN_ACTOR);
    setAuth(AUTH_UNSIGNED, 0);
    expect(run(rotateKey)).toBe(OK);
    expect(hasKey(0, 20)).toBe(true);
  });

  it('of another seat, or an unknown one, changes nothing', () => {
    network();
    expect(rotate(0, 11, 20)).toBe(FORBIDDEN_ACTOR);
    expect(rotate(0, 99, 20)).toBe(FORBIDDEN_ACTOR);
    // An unset recovery key never signs.
    expect(rotate(0, 0, 20)).toBe(FORBIDDEN_ACTOR);
    expect(validatorAt(2).seat).toBe(NO_SEAT);
    expect(rotate(2, 0, 20)).toBe(FORBIDDEN_ACTOR);
    expect(hasKey(0, 10)).toBe(true);
    expect(seatAt(0).keyEpoch).toBe(1);
  });

  it('needs a name: an empty one is not a validator', () => {
    network();
    const record = beginRecord(OP_KEY_ROTATE, operatorOf(validatorAt(0)));
    memory.fill(record + KEY, 20, 32);
    expect(run(rotateKey)).toBe(VALIDATOR_NOT_FOUND);
  });
});

describe('a recovery key', () => {
  it('takes effect at once the first time', () => {
    network();
    expect(recover(0, 30)).toBe(OK);
    expect(result(1)).toBe(0);
    expect(result(2)).toBe(LAUNCH);
    expect(equal32(recoveryKeyOf(validatorAt(0)), key(B, 30))).toBe(true);
    expect(nextDeadlineSecs()).toBe(0);
  });

  it('is replaced after the delay, the old one being valid until then', () => {
    network();
    recover(0, 30);
    setNow(LAUNCH + 50);
    expect(recover(0, 31)).toBe(OK);
    expect(result(2)).toBe(LAUNCH + 50 + delaySecs());
    expect(equal32(recoveryKeyOf(validatorAt(0)), key(B, 30))).toBe(true);
    // A pending one is replaced by the next, and the delay starts again.
    setNow(LAUNCH + 60);
    expect(recover(0, 32)).toBe(OK);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 60 + delaySecs());
    fireValidator(0, nextDeadlineSecs());
    expect(equal32(recoveryKeyOf(validatorAt(0)), key(B, 32))).toBe(true);
    expect(isZero(nextRecoveryOf(validatorAt(0)), 32)).toBe(true);
    expect(validatorAt(0).nextRecoverySecs).toBe(0);
    expect(nextDeadlineSecs()).toBe(0);
  });

  it('rotates after the delay, and can replace a pending rotation', () => {
    network();
    recover(0, 30);
    expect(rotate(0, 30, 20)).toBe(OK);
    expect(result(2)).toBe(LAUNCH + delaySecs());
    expect(result(4)).toBe(2);
    expect(result(5)).toBe(1);
    expect(hasKey(0, 10)).toBe(true);
    setNow(LAUNCH + 10);
    expect(rotate(0, 30, 21)).toBe(OK);
    // The same key again only restarts the delay.
    setNow(LAUNCH + 20);
    expect(rotate(0, 30, 21)).toBe(OK);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 20 + delaySecs());
    fireValidator(0, nextDeadlineSecs());
    expect(hasKey(0, 21)).toBe(true);
    expect(seatAt(0).keyEpoch).toBe(2);
    expect(isZero(nextKeyOf(validatorAt(0)), 32)).toBe(true);
    expect(nextDeadlineSecs()).toBe(0);
  });

  it('keeps the old key from rotating while its own rotation is pending', () => {
    network();
    recover(0, 30);
    rotate(0, 30, 20);
    expect(rotate(0, 10, 21)).toBe(ROTATION_PENDING);
    expect(rotate(0, 10, 11)).toBe(KEY_IN_USE);
    fireValidator(0, nextDeadlineSecs());
    expect(rotate(0, 20, 21)).toBe(OK);
  });

  it('is set by the operator only, and is not the consensus key', () => {
    network();
    const record = beginRecord(OP_RECOVERY_SET, operatorOf(validatorAt(1)));
    name(record, 0);
    memory.fill(record + KEY, 30, 32);
    expect(run(setRecoveryKey)).toBe(FORBIDDEN_ACTOR);
    expect(recover(0, 10)).toBe(INVALID_REQUEST);
    expect(result(0)).toBe(REASON_CONSENSUS_KEY);
    expect(recover(0, 0)).toBe(INVALID_REQUEST);
    beginRecord(OP_RECOVERY_SET, newAgent(5, 0, 0));
    memory.fill(record + KEY, 30, 32);
    expect(run(setRecoveryKey)).toBe(VALIDATOR_NOT_FOUND);
  });

  it('may be named by the operator, too', () => {
    network();
    const record = beginRecord(OP_RECOVERY_SET, operatorOf(validatorAt(0)));
    const hex = heap.alloc(64);
    for (let i: usize = 0; i < 32; i++) {
      const value = load<u8>(keyOf(operatorOf(validatorAt(0))) + i);
      store<u8>(hex + 2 * i, (value >> 4) + (value >> 4 < 10 ? 48 : 87));
      store<u8>(hex + 2 * i + 1, (value & 15) + ((value & 15) < 10 ? 48 : 87));
    }
    putName(record + FORM, hex, 64);
    heap.free(hex);
    memory.fill(record + KEY, 30, 32);
    expect(run(setRecoveryKey)).toBe(OK);
  });
});

describe('a key in use', () => {
  it('is any consensus key, a pending one of another validator, and every recovery key', () => {
    network();
    expect(rotate(0, 10, 11)).toBe(KEY_IN_USE);
    expect(rotate(0, 10, 10)).toBe(KEY_IN_USE);
    expect(recover(0, 11)).toBe(KEY_IN_USE);
    recover(0, 30);
    expect(recover(1, 30)).toBe(KEY_IN_USE);
    expect(recover(0, 30)).toBe(KEY_IN_USE);
    expect(rotate(1, 11, 30)).toBe(KEY_IN_USE);
    expect(rotate(0, 30, 30)).toBe(KEY_IN_USE);
    recover(0, 31);
    expect(rotate(1, 11, 31)).toBe(KEY_IN_USE);
    rotate(0, 30, 20);
    expect(rotate(1, 11, 20)).toBe(KEY_IN_USE);
    expect(recover(1, 20)).toBe(KEY_IN_USE);
    expect(hasKey(1, 11)).toBe(true);
  });
});
