// How often a validator's votes agreed with the quorum, for each category and over all.
// Keeps: only events decided by quorum count; an expiry teaches nothing (DECISIONS 6.9).

import { CATEGORY_TRANSFER, VALIDATOR_PROBATION } from '../abi';
import { BP } from '../ledger/rates';
import { mulDiv } from '../lib/u128';
import { markValidator, Validator } from './validators';

const ENOUGH_SIGNALS: u32 = 20;
const PROBATION_BP: u64 = 3000;

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

/** Assignment weight for events of a category, `transfer` or `generation`. */
export function assignmentWeight(validator: Validator, category: u32): u64 {
  const isTransfer = category == CATEGORY_TRANSFER;
  const signals = isTransfer ? validator.transferSignals : validator.generationSignals;
  const correct = isTransfer ? validator.transferCorrect : validator.generationCorrect;
  return assignmentWeightBp(calibrationBp(signals, correct), validator.status);
}

/** Assignment weight as shown: from the accuracy over all categories (DECISIONS 3.9). */
export function overallAssignmentWeight(validator: Validator): u64 {
  return assignmentWeightBp(calibrationBp(validator.votesDecided, validator.votesRight), validator.status);
}

/** Counts one vote on an event that a quorum decided. */
export function countVote(validator: Validator, category: u32, isRight: bool): void {
  const hit: u32 = isRight ? 1 : 0;
  validator.votesDecided++;
  validator.votesRight += hit;
  validator.tasksProcessed++;
  if (category == CATEGORY_TRANSFER) {
    validator.transferSignals++;
    validator.transferCorrect += hit;
  } else {
    validator.generationSignals++;
    validator.generationCorrect += hit;
  }
  markValidator(validator);
}
