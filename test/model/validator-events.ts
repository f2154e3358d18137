// The one system event about a validator.

import * as abi from '../../assembly/abi.ts';
import { emit } from './events.ts';
import type { ModelState } from './state.ts';
import type { ModelValidator } from './validator-state.ts';

/** Tells the status of a validator as it is now; `reason` is why it is told. */
export function tellStatus(s: ModelState, v: ModelValidator, reason: number): void {
  const event = emit(s, abi.EVENT_VALIDATOR_STATUS, 'validator_status', v.id);
  event.validator = {
    validator: v.index,
    status: v.status,
    reason,
    cycle: v.cycle,
    until: v.suspendedUntil,
  };
}
