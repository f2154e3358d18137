// Decodes the events about validators and seats that the core emits by itself (assembly/abi.ts, EVENT_VALIDATOR_STATUS,
// EVENT_SEAT_RESUMED, EVENT_SEAT_WEIGHT).

import * as abi from '../../assembly/abi.ts';
import { u64At } from '../wire/bytes.ts';
import { type Silence, silenceAt } from './validator-state.ts';

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

export interface SeatResumedEvent {
  kind: 'event';
  type: 'seat_resumed';
  id: Uint8Array;
  seq: number;
  order: number;
  index: number;
  seat: number;
  incarnation: number;
  epoch: number;
  /** Seats of a third of the weight resumed in the epoch. */
  mayLoseWrites: boolean;
}

export interface SeatWeightEvent {
  kind: 'event';
  type: 'seat_weight';
  id: Uint8Array;
  seq: number;
  order: number;
  index: number;
  seat: number;
  /** SEAT_WEIGHT_* */
  change: number;
  /** Running epoch. */
  epoch: number;
  /** Undefined for a seat that was heard. */
  silence: Silence | undefined;
}

/** The event at `at`, or undefined for a type not about validators. `base`: the members that every event has. */
export function readValidatorEvent(
  type: number,
  at: number,
  view: DataView,
  base: Pick<ValidatorStatusEvent, 'kind' | 'id' | 'seq' | 'order' | 'index'>,
): ValidatorStatusEvent | SeatResumedEvent | SeatWeightEvent | undefined {
  if (type === abi.EVENT_SEAT_WEIGHT) return { ...base, type: 'seat_weight', ...seatWeightAt(at, view) };
  const u32 = (field: number): number => view.getUint32(at + field, true);
  if (type === abi.EVENT_SEAT_RESUMED) {
    return {
      ...base,
      type: 'seat_resumed',
      seat: u32(abi.OUT_SEAT_RESUMED),
      incarnation: u32(abi.OUT_SEAT_RESUMED_INCARNATION),
      epoch: u64At(view, at + abi.OUT_SEAT_RESUMED_EPOCH),
      mayLoseWrites: u32(abi.OUT_SEAT_RESUMED_MAY_LOSE) === 1,
    };
  }
  if (type !== abi.EVENT_VALIDATOR_STATUS) return undefined;
  return {
    ...base,
    type: 'validator_status',
    validator: u32(64),
    status: u32(68),
    reason: u32(72),
    cycle: u32(76),
    suspendedUntil: u64At(view, at + 80),
  };
}

function seatWeightAt(
  at: number,
  view: DataView,
): Pick<SeatWeightEvent, 'seat' | 'change' | 'epoch' | 'silence'> {
  const u32 = (field: number): number => view.getUint32(at + field, true);
  return {
    seat: u32(abi.OUT_SEAT_WEIGHT_SEAT),
    change: u32(abi.OUT_SEAT_WEIGHT_CHANGE),
    epoch: u32(abi.OUT_SEAT_WEIGHT_EPOCH),
    silence: silenceAt(view, at + abi.OUT_SEAT_WEIGHT_SILENT_FROM, at + abi.OUT_SEAT_WEIGHT_SILENT_SINCE),
  };
}
