// Whether imported validators, seats, calibrations, pairs and canaries are consistent.
// Keeps: read only; every walk is bounded, so it ends even on damaged rows.

import { NO_SEAT, VALIDATOR_EXCLUDED, VALIDATOR_PROBATION } from '../abi';
import { canaryAt } from '../cases/canaries';
import { agentAt } from '../ledger/agents';
import { CANARIES, capacity, header, VALIDATORS } from '../state/header';
import { calibrationAt } from '../validators/calibration';
import { pairAt } from '../validators/pairs';
import { MAX_CYCLES } from '../validators/probation';
import { isSeat, Seat, seatAt } from '../validators/seats';
import {
  MAX_VALIDATOR_CATEGORIES,
  MAX_VALIDATOR_ID_BYTES,
  Validator,
  validatorAt,
  validatorCategory,
} from '../validators/validators';

function isSaneValidator(validator: Validator, index: u32): bool {
  const h = header();
  if (validator.agent >= h.agentCount || agentAt(validator.agent).validator != <u16>(index + 1)) return false;
  if (validator.status == 0 || validator.status > <u32>VALIDATOR_EXCLUDED) return false;
  if (validator.idBytes > MAX_VALIDATOR_ID_BYTES || validator.cycle > MAX_CYCLES) return false;
  if (validator.calibrationHead > h.calibrationCount || validator.cluster > h.validatorCount) return false;
  if (validator.isJudge > 1 || validator.categoryCount > MAX_VALIDATOR_CATEGORIES) return false;
  if (validator.passedSecs != 0 && validator.status != VALIDATOR_PROBATION) return false;
  for (let position: u32 = 0; position < validator.categoryCount; position++) {
    if (validatorCategory(validator, position) >= h.categoryCount) return false;
  }
  // Without a seat there is no pending key.
  if (validator.seat == NO_SEAT) return validator.nextKeySecs == 0;
  return isSeat(validator.seat) && seatAt(validator.seat).validator == index + 1;
}

// As with records, the categories of a chain ascend.
function hasSaneCalibrations(): bool {
  const h = header();
  for (let row: u32 = 0; row < h.calibrationCount; row++) {
    const calibration = calibrationAt(row);
    if (calibration.validator >= h.validatorCount || calibration.category >= h.categoryCount) return false;
    if (calibration.next > h.calibrationCount) return false;
    const next = calibration.next;
    if (next != 0 && calibrationAt(next - 1).category <= calibration.category) return false;
  }
  return true;
}

function isSaneSilence(seat: Seat): bool {
  const h = header();
  if (seat.silentFrom > h.epoch || seat.heardIn > h.epoch + 1 || seat.silentAwakeMs > h.awakeMs) return false;
  return seat.isRemoved == 0 || (seat.silentFrom != 0 && seat.isExpected != 0);
}

function hasSaneSeats(): bool {
  const h = header();
  let taken: u32 = 0;
  let isPending: u32 = 0;
  let resumed: u32 = 0;
  let untold: u32 = 0;
  for (let number: u32 = 0; number < capacity(VALIDATORS); number++) {
    if (!isSeat(number)) continue;
    taken++;
    const seat = seatAt(number);
    if (seat.operator > h.agentCount || seat.validator > h.validatorCount) return false;
    if (seat.resumptionUntold != 0) resumed++;
    if (seat.idBytes > MAX_VALIDATOR_ID_BYTES || !isSaneSilence(seat)) return false;
    if (seat.weightUntold != 0) untold++;
    if (seat.exclusionUntold == 0) continue;
    isPending++;
    if (seat.validator == 0) return false;
  }
  if (resumed != h.resumptionsPending) return false;
  return taken == h.seatCount && isPending == h.exclusionsPending && untold == h.seatWeightsPending;
}

function hasSanePairs(): bool {
  const h = header();
  for (let row: u32 = 0; row < h.pairCount; row++) {
    const pair = pairAt(row);
    if (pair.lower >= pair.higher || pair.higher >= h.validatorCount) return false;
    if (pair.structuredAgreed > pair.structured || pair.othersAgreed > pair.others) return false;
  }
  return true;
}

function hasSaneCanaries(): bool {
  for (let row: u32 = 0; row < capacity(CANARIES); row++) {
    const canary = canaryAt(row);
    if (canary.committedSecs != 0 && canary.validator >= header().validatorCount) return false;
  }
  return true;
}

/** True when all of them are consistent. */
export function hasSaneValidators(): bool {
  for (let index: u32 = 0; index < header().validatorCount; index++) {
    if (!isSaneValidator(validatorAt(index), index)) return false;
  }
  return hasSaneCalibrations() && hasSaneSeats() && hasSanePairs() && hasSaneCanaries();
}
