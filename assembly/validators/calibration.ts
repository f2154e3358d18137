// How often a validator's votes agreed with the quorum, by category and in total, and with canaries.
// Keeps: only events decided by quorum count, not expiries (protocol 6.9). A row for each validator and
// category, chained from the validator in order of category index, never freed. When the table is full, further
// categories of a validator only count in its totals, and their calibration is neutral.

import { STATUS_REASON_CANARY, VALIDATOR_ACTIVE, VALIDATOR_PROBATION } from '../abi';
import { BP } from '../ledger/rates';
import { addRow, attachIndex, clearIndex, findRow, KeyIndex, slotCount } from '../lib/key-index';
import { mulDiv } from '../lib/u128';
import { CALIBRATIONS, capacity, daySecs, header } from '../state/header';
import { markBytes } from '../state/marks';
import { root } from '../state/root';
import { emitStatus } from './events';
import { markValidator, servesCategory, Validator, validatorAt } from './validators';

export const CALIBRATION_ROW_BYTES: u32 = 40;
const ENOUGH_SIGNALS: u32 = 20;
/** Accuracy from which a validator's calibration is raised, and below which it is lowered (protocol 6.9, 7.4). */
const GOOD_BP: u64 = 9000;
const POOR_BP: u64 = 6000;
const GOOD_WEIGHT: u64 = 12000;
const POOR_WEIGHT: u64 = 7000;
const SUSPENSION_DAYS: u64 = 30;
/** Points for a canary judged correctly. */
export const CANARY_RIGHT: u32 = 2;
const PROBATION_BP: u64 = 3000;
const BY_PAIR: usize = memory.data(64, 8);
const PAIR: usize = memory.data(8, 8);

@unmanaged
export class Calibration {
  validator: u32;
  category: u32;
  signals: u32;
  correct: u32;
  /** Next calibration of the validator, row + 1. */
  next: u32;
  canarySignals: u32;
  /** 2 for each canary judged correctly, 1 for each judged partly correctly. */
  canaryPoints: u32;
  spare: u32;
  /** End of a suspension in this category, 0 = none. */
  suspendedUntilSecs: u64;
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
    markValidator(validator);
  } else {
    calibrationAt(before - 1).next = row + 1;
    markBytes(changetype<usize>(calibrationAt(before - 1)), CALIBRATION_ROW_BYTES);
  }
}

// Row of the pair, added if it is new; -1 when the table is full.
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

/** Calibration in bp from signals and hits of one category, or of all (protocol 6.9). */
export function calibrationBp(signals: u32, correct: u32): u64 {
  if (signals < ENOUGH_SIGNALS) return BP;
  const accuracyBp = (<u64>correct * BP) / signals;
  if (accuracyBp >= GOOD_BP) return GOOD_WEIGHT;
  return accuracyBp >= POOR_BP ? BP : POOR_WEIGHT;
}

// True when enough canaries were judged, and too few of them correctly (protocol 7.4).
function isPoorAtCanaries(calibration: Calibration): bool {
  if (calibration.canarySignals < ENOUGH_SIGNALS) return false;
  return (<u64>calibration.canaryPoints * BP) / (<u64>calibration.canarySignals * CANARY_RIGHT) < POOR_BP;
}

/** Calibration times 3000 bp in probation, else times 10000 bp. Example: 12000 in probation is 3600. */
export function assignmentWeightBp(calibration: u64, status: u32): u64 {
  return status == VALIDATOR_PROBATION ? mulDiv(calibration, PROBATION_BP, BP) : calibration;
}

/** Assignment weight of a validator (index) for events of a category; 0 while canaries have suspended it there. */
export function assignmentWeight(validator: u32, category: u32, nowSecs: u64): u64 {
  const row = findCalibration(validator, category);
  let calibration = BP;
  if (row >= 0) {
    const known = calibrationAt(<u32>row);
    if (known.suspendedUntilSecs > nowSecs) return 0;
    calibration = isPoorAtCanaries(known) ? POOR_WEIGHT : calibrationBp(known.signals, known.correct);
  }
  return assignmentWeightBp(calibration, validatorAt(validator).status);
}

/** Displayed assignment weight: from the accuracy over all categories (protocol 3.9). */
export function overallAssignmentWeight(validator: Validator): u64 {
  return assignmentWeightBp(calibrationBp(validator.votesDecided, validator.votesRight), validator.status);
}

function markCalibration(calibration: Calibration): void {
  markBytes(changetype<usize>(calibration), CALIBRATION_ROW_BYTES);
}

function countSignal(index: u32, category: u32, hit: u32): void {
  const row = internCalibration(index, category);
  if (row < 0) return;
  const calibration = calibrationAt(<u32>row);
  calibration.signals++;
  calibration.correct += hit;
  markCalibration(calibration);
}

/**
 * Counts one vote of a validator (index) on an event that a quorum decided. In probation only votes on events that it was
 * drawn for count at all: otherwise it would pass by votes on its own transactions (protocol 6.9).
 */
export function countVote(index: u32, category: u32, isRight: bool, isDrawn: bool): void {
  const validator = validatorAt(index);
  if (validator.status == VALIDATOR_PROBATION && !isDrawn) return;
  const hit: u32 = isRight ? 1 : 0;
  validator.votesDecided++;
  validator.votesRight += hit;
  validator.tasksProcessed++;
  countSignal(index, category, hit);
  markValidator(validator);
}

/** Counts an event that a validator (index) in probation was drawn for, and that was decided without its vote. */
export function countMissedDraw(index: u32): void {
  const validator = validatorAt(index);
  if (validator.status != VALIDATOR_PROBATION) return;
  validator.missedDraws++;
  markValidator(validator);
}

/** Counts a missed duty, which is not a vote: a signal without a hit in the category alone (protocol 7.6). */
export function countMiss(index: u32, category: u32): void {
  countSignal(index, category, 0);
}

/**
 * Turns a hit into a miss, because a challenge of the vote succeeded (protocol 6.9). A count that a new probation cycle
 * has reset is not lowered again.
 */
export function countAsMiss(index: u32, category: u32): void {
  const validator = validatorAt(index);
  if (validator.votesRight > 0) validator.votesRight--;
  markValidator(validator);
  const row = findCalibration(index, category);
  if (row < 0) return;
  const calibration = calibrationAt(<u32>row);
  if (calibration.correct > 0) calibration.correct--;
  markCalibration(calibration);
}

/** True while canaries have suspended a validator (index) in a category (index, or -1 for one without a number). */
export function isSuspendedIn(index: u32, category: i32, nowSecs: u64): bool {
  if (category < 0) return false;
  const row = findCalibration(index, <u32>category);
  return row >= 0 && calibrationAt(<u32>row).suspendedUntilSecs > nowSecs;
}

// True when canaries keep as many active validators out of a category that one more would pass a third of those that serve it:
// what a canary's answer is, is the word of one seat. O(validators).
function isCrowdedOut(category: u32, nowSecs: u64): bool {
  let serving: u32 = 0;
  let out: u32 = 1;
  for (let i: u32 = 0; i < header().validatorCount; i++) {
    const validator = validatorAt(i);
    if (validator.status != VALIDATOR_ACTIVE || !servesCategory(validator, <i32>category)) continue;
    serving++;
    if (isSuspendedIn(i, <i32>category, nowSecs)) out++;
  }
  return out * 3 > serving;
}

/**
 * Counts how a validator (index) judged a canary: 2 points for correct, 1 for partly correct, 0 for wrong. An active one
 * that is below 6000 bp after a canary it did not judge correctly is suspended in the category for 30 days (protocol
 * 7.4), with a third of those that serve it at most; a correct judgement never suspends, otherwise its accuracy could not
 * recover.
 */
export function noteCanary(index: u32, category: u32, points: u32, nowSecs: u64): void {
  const row = internCalibration(index, category);
  if (row < 0) return;
  const calibration = calibrationAt(<u32>row);
  calibration.canarySignals++;
  calibration.canaryPoints += points;
  markCalibration(calibration);
  if (points == CANARY_RIGHT || !isPoorAtCanaries(calibration)) return;
  if (validatorAt(index).status != VALIDATOR_ACTIVE || calibration.suspendedUntilSecs > nowSecs) return;
  if (isCrowdedOut(category, nowSecs)) return;
  calibration.suspendedUntilSecs = nowSecs + SUSPENSION_DAYS * daySecs();
  emitStatus(index, STATUS_REASON_CANARY);
}
