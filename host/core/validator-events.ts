// Decodes the events about validators that the core emits by itself (assembly/abi.ts, EVENT_VALIDATOR_STATUS).

import * as abi from '../../assembly/abi.ts';

export interface ValidatorStatusEvent {
  kind: 'event';
  type: 'validator_status';
  id: Uint8Array;
  seq: number;
  order: number;
  index: number;
  /** Validator index. */
  validator: number;
  /** VALIDATOR_* */
  status: number;
  /** STATUS_REASON_* */
  reason: number;
  /** Probation cycle, 0 = none. */
  cycle: number;
  /** Seconds, 0 = none. */
  suspendedUntil: number;
}

/** The event at `at`, or undefined for a type not about validators. `base`: the members that every event has. */
export function readValidatorEvent(
  type: number,
  at: number,
  view: DataView,
  base: Pick<ValidatorStatusEvent, 'kind' | 'id' | 'seq' | 'order' | 'index'>,
): ValidatorStatusEvent | undefined {
  if (type !== abi.EVENT_VALIDATOR_STATUS) return undefined;
  const u32 = (field: number): number => view.getUint32(at + field, true);
  return {
    ...base,
    type: 'validator_status',
    validator: u32(64),
    status: u32(68),
    reason: u32(72),
    cycle: u32(76),
    suspendedUntil: Number(view.getBigUint64(at + 80, true)),
  };
}
