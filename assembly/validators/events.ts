// The event validator_status: what became of a validator without its own doing (DECISIONS 2.1).
// Keeps: told once for each transition, after the change; the caller has seen that it fits the out buffer.

import { EVENT_VALIDATOR_STATUS, OUT_FIELDS } from '../abi';
import { beginTextEvent } from '../io/system-event';
import { validatorAt, validatorId } from './validators';

/** Room of one event in the out buffer. */
export const VALIDATOR_STATUS_BYTES: u32 = OUT_FIELDS + 24;

/** Tells a validator's (index) present status with the reason (STATUS_REASON_*) of the change. */
export function tellStatus(index: u32, reason: u32): void {
  const validator = validatorAt(index);
  const record = beginTextEvent(
    EVENT_VALIDATOR_STATUS,
    'validator_status',
    validatorId(validator),
    validator.idBytes,
    VALIDATOR_STATUS_BYTES,
  );
  store<u32>(record, index, 64);
  store<u32>(record, validator.status, 68);
  store<u32>(record, reason, 72);
  store<u32>(record, validator.cycle, 76);
  store<u64>(record, validator.suspendedUntilSecs, 80);
}
