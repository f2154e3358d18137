// How often a validator's votes agreed with the quorum, for each category and over all.
// Keeps: only events decided by quorum count; an expiry teaches nothing (DECISIONS 6.9). A row for each
// validator and category, chained from the validator in order of category index, never freed. When the table
// is full, further categories of a validator count into its totals only, and weigh as if nothing were known.

import { VALIDATOR_PROBATION } from '../abi';
import { BP } from '../ledger/rates';
import { addRow, attachIndex, clearIndex, findRow, KeyIndex, slotCount } from '../lib/key-index';
import { mulDiv } from '../lib/u128';
import { CALIBRATIONS, capacity, header } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';
import { markValidator, Validator, validatorAt } from './validators';

export const CALIBRATION_ROW_BYTES: u32 = 24;
const ENOUGH_SIGNALS: u32 = 20;
const PROBATION_BP: u64 = 3000;
const BY_PAIR: usize = memory.data(64, 8);
const PAIR: usize = memory.data(8, 8);

@unmanaged
export class Calibration {
  validator: u32;
  category: u32;
  signals: u32;
  correct: u32;
  /** Next one of the validator, row + 1. */
  next: u32;
  spare: u32;
}

export function calibrationAt(row: u32): Calibration {
  return changetype<Calibration>(root().calibrations + <usize>row * CALIBRATION_ROW_BYTES);
}

export function attachCalibrations(): void {
  const r = root();
  const slots = slotCount(capacity(CALIBRATIONS));
  const index = changetype<KeyIndex>(BY_PAIR);
  attachIndex(index, r.calibrationSlots, slots, r.calibrations, CALIBRATION_ROW_BYTES, 0, 8);
}

export function rebuildCalibrationIndex(): void {
  clearIndex(changetype<KeyIndex>(BY_PAIR));
  for (let row: u32 = 0; row < header().calibrationCount; row++) addRow(changetype<KeyIndex>(BY_PAIR), row);
}

function findCalibration(validator: u32, category: u32): i32 {
  store<u32>(PAIR, validator);
  store<u32>(PAIR, category, 4);
  return findRow(changetype<KeyIndex>(BY_PAIR), PAIR);
}

// Puts a new row into the validator's chain, by category.
function chain(validator: Validator, row: u32): void {
  const added = calibrationAt(row);
  let before: u32 = 0;
  let link = validator.calibrationHead;
  while (link != 0 && calibrationAt(link - 1).category < added.category) {
    before = link;
    link = calibrationAt(link - 1).next;
  }
  added.next = link;
  if (before == 0) {
    validator.calibrationHead = row + 1;
  } else {
    calibrationAt(before - 1).next = row + 1;
    markBytes(changetype<usize>(calibrationAt(before - 1)), CALIBRATION_ROW_BYTES);
  }
}

// Row of the pair, added if it is new; -1 when there is no room for it.
function internCalibration(validator: u32, category: u32): i32 {
  const known = findCalibration(validator, category);
  if (known >= 0) return known;
  if (header().calibrationCount >= capacity(CALIBRATIONS)) return -1;
  const row = header().calibrationCount++;
  const calibration = calibrationAt(row);
  calibration.validator = validator;
  calibration.category = category;
  addRow(changetype<KeyIndex>(BY_PAIR), row);
  chain(validatorAt(validator), row);
  return <i32>row;
}

/** Calibration in bp from signals and hits of one category, or of all (DECISIONS 6.9). */
export function calibrationBp(signals: u32, correct: u32): u64 {
  if (signals < ENOUGH_SIGNALS) return 10000;
  const accuracyBp = (<u64>correct * BP) / signals;
  if (accuracyBp >= 9000) return 12000;
  return accuracyBp >= 6000 ? 10000 : 7000;
}

/** Calibration times 3000 bp in probation, else times 10000 bp. Example: 12000 in probation is 3600. */
export function assignmentWeightBp(calibration: u64, status: u32): u64 {
  return status == VALIDATOR_PROBATION ? mulDiv(calibration, PROBATION_BP, BP) : calibration;
}

/** Assignment weight of a validator (index) for events of a category. */
export function assignmentWeight(validator: u32, category: u32): u64 {
  const row = findCalibration(validator, category);
  let calibration = BP;
  if (row >= 0) calibration = calibrationBp(calibrationAt(row).signals, calibrationAt(row).correct);
  return assignmentWeightBp(calibration, validatorAt(validator).status);
}

/** Assignment weight as shown: from the accuracy over all categories (DECISIONS 3.9). */
export function overallAssignmentWeight(validator: Validator): u64 {
  return assignmentWeightBp(calibrationBp(validator.votesDecided, validator.votesRight), validator.status);
}

/** Counts one vote of a validator (index) on an event that a quorum decided. */
export function countVote(index: u32, category: u32, isRight: bool): void {
  const validator = validatorAt(index);
  const hit: u32 = isRight ? 1 : 0;
  validator.votesDecided++;
  validator.votesRight += hit;
  validator.tasksProcessed++;
  const row = internCalibration(index, category);
  if (row >= 0) {
    const calibration = calibrationAt(row);
    calibration.signals++;
    calibration.correct += hit;
    markBytes(changetype<usize>(calibration), CALIBRATION_ROW_BYTES);
  }
  markValidator(validator);
}
