// The event validator_status: a status change that the validator did not request (protocol 2.1).
// Keeps: emitted once for each transition, after the change; the caller has checked that it fits the out buffer.

import {
  EVENT_VALIDATOR_STATUS,
  OUT_STATUS,
  OUT_STATUS_BYTES,
  OUT_STATUS_CYCLE,
  OUT_STATUS_REASON,
  OUT_STATUS_SUSPENDED_UNTIL,
  OUT_STATUS_VALIDATOR,
} from '../abi';
import { beginTextEvent } from '../io/system-event';
import { validatorAt, validatorId } from './validators';

/** Emits a validator's (index) current status with the reason (STATUS_REASON_*) of the change. */
export function emitStatus(index: u32, reason: u32): void {
  const validator = validatorAt(index);
  const record = beginTextEvent(
    EVENT_VALIDATOR_STATUS,
    'validator_status',
    validatorId(validator),
    validator.idBytes,
    OUT_STATUS_BYTES,
  );
  store<u32>(record, index, OUT_STATUS_VALIDATOR);
  store<u32>(record, validator.status, OUT_STATUS);
  store<u32>(record, reason, OUT_STATUS_REASON);
  store<u32>(record, validator.cycle, OUT_STATUS_CYCLE);
  store<u64>(record, validator.suspendedUntilSecs, OUT_STATUS_SUSPENDED_UNTIL);
}
