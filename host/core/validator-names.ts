// API names of the core's numbers for validators (protocol 2).

import * as abi from '../../assembly/abi.ts';

export const VALIDATOR_STATUS: Readonly<Record<number, string>> = {
  [abi.VALIDATOR_PROBATION]: 'probation',
  [abi.VALIDATOR_ACTIVE]: 'active',
  [abi.VALIDATOR_SUSPENDED]: 'suspended',
  [abi.VALIDATOR_EXCLUDED]: 'excluded',
};
/** VALIDATOR_* of a name; undefined for any other text. */
export function statusNumber(name: string): number | undefined {
  const found = Object.entries(VALIDATOR_STATUS).find(([, text]) => text === name);
  return found && Number(found[0]);
}

/** Why a seat has no ordering weight any more, or has it again. */
export const SEAT_WEIGHT_CHANGE: Readonly<Record<number, string>> = {
  [abi.SEAT_WEIGHT_REMOVED]: 'removed',
  [abi.SEAT_WEIGHT_HEARD]: 'heard',
  [abi.SEAT_WEIGHT_BOUND]: 'bound',
};

const SUSPENSION_REASONS: Readonly<Record<number, string>> = {
  [abi.STATUS_REASON_STAKE]: 'stake_below_minimum',
  [abi.STATUS_REASON_OFFENSE + abi.OFFENSE_FRAUDULENT_APPROVAL]: 'slashed:fraudulent_approval',
  [abi.STATUS_REASON_OFFENSE + abi.OFFENSE_DISHONEST_REPLAY]: 'slashed:dishonest_replay',
  [abi.STATUS_REASON_OFFENSE + abi.OFFENSE_COLLUSION]: 'slashed:collusion',
};

/** API name of the reason of a suspension; undefined for other reasons. */
export const suspensionReason = (reason: number): string | undefined => SUSPENSION_REASONS[reason];
