// Answers about validators: one of them, the seats, look-up by name, number per category.
// Keeps: read only; what depends on time uses the T of the last executed block.

import {
  CALIBRATION_BYTES,
  CALIBRATION_CANARY_POINTS,
  CALIBRATION_CANARY_SIGNALS,
  CALIBRATION_CATEGORY,
  CALIBRATION_CORRECT,
  CALIBRATION_SIGNALS,
  CALIBRATION_SUSPENDED_UNTIL,
  SEAT_BYTES,
  SEAT_GRANTS_LEFT,
  SEAT_IS_REMOVED,
  SEAT_KEY,
  SEAT_KEY_EPOCH,
  SEAT_OPERATOR,
  SEAT_REVISION,
  SEAT_SILENT_FROM,
  SEAT_SILENT_SINCE,
  SEAT_STATUS,
  SEAT_VALIDATOR,
  SEAT_WEIGHT,
  VALIDATOR_ACTIVATED_AT,
  VALIDATOR_AGENT,
  VALIDATOR_ASSIGNMENT_WEIGHT,
  VALIDATOR_BASELINE_BP,
  VALIDATOR_BELOW_SINCE,
  VALIDATOR_CALIBRATION,
  VALIDATOR_CALIBRATIONS,
  VALIDATOR_CATEGORIES,
  VALIDATOR_CATEGORY_COUNT,
  VALIDATOR_CLUSTER,
  VALIDATOR_COLLUSIONS,
  VALIDATOR_CONSENSUS_KEY,
  VALIDATOR_ID,
  VALIDATOR_ID_BYTES,
  VALIDATOR_IS_GENESIS,
  VALIDATOR_IS_JUDGE,
  VALIDATOR_KEY_EPOCH,
  VALIDATOR_LAST_DUTY,
  VALIDATOR_MISSED_DRAWS,
  VALIDATOR_NEXT_KEY,
  VALIDATOR_NEXT_KEY_AT,
  VALIDATOR_NEXT_RECOVERY_AT,
  VALIDATOR_OBJECTION_WEIGHT,
  VALIDATOR_OBJECTIONS_UNTIL,
  VALIDATOR_OPEN_CHALLENGES,
  VALIDATOR_PROBATION_CYCLE,
  VALIDATOR_PROBATION_STARTED,
  VALIDATOR_REASON,
  VALIDATOR_RECOVERY_KEY,
  VALIDATOR_REGISTERED_AT,
  VALIDATOR_REPUTATION_BP,
  VALIDATOR_SEAT,
  VALIDATOR_SLASHES,
  VALIDATOR_STAKED,
  VALIDATOR_STATUS,
  VALIDATOR_SUSPENDED_AT,
  VALIDATOR_SUSPENDED_UNTIL,
  VALIDATOR_TASKS_PROCESSED,
  VALIDATOR_VOTE_WEIGHT,
  VALIDATOR_VOTES_DECIDED,
  VALIDATOR_VOTES_RIGHT,
} from '../abi';
import { grantsLeftOf } from '../accounts/grants';
import { copy32 } from '../lib/bytes';
import { isCategoryForm } from '../reputation/categories';
import { header, nowSecs } from '../state/header';
import { root } from '../state/root';
import { countServing } from '../tasks/lanes';
import { calibrationAt, overallAssignmentWeight } from '../validators/calibration';
import { hasSeat, nextKeyOf, recoveryKeyOf } from '../validators/consensus-keys';
import { isWaiting, objectionsEndSecs } from '../validators/joining';
import { findValidator } from '../validators/naming';
import { objectionWeight } from '../validators/objections';
import { isSeat, seatAt, seatKey, seatOperator, seatValidator } from '../validators/seats';
import { fullSeatWeight } from '../validators/silence';
import {
  MAX_VALIDATOR_CATEGORIES,
  MAX_VALIDATOR_ID_BYTES,
  operatorOf,
  Validator,
  validatorAt,
  validatorCategory,
  validatorId,
  validatorOf,
} from '../validators/validators';
import { allJudge, validatorReputationBp, voteWeight } from '../validators/weight';

function putCounters(out: usize, validator: Validator): void {
  store<u32>(out, validator.status, VALIDATOR_STATUS);
  store<u32>(out, validator.agent, VALIDATOR_AGENT);
  store<u32>(out, validator.seat, VALIDATOR_SEAT);
  store<u32>(out, validator.baselineBp, VALIDATOR_BASELINE_BP);
  store<u32>(out, <u32>validatorReputationBp(validator, nowSecs()), VALIDATOR_REPUTATION_BP);
  store<u32>(out, <u32>overallAssignmentWeight(validator), VALIDATOR_ASSIGNMENT_WEIGHT);
  store<u32>(out, validator.votesDecided, VALIDATOR_VOTES_DECIDED);
  store<u32>(out, validator.votesRight, VALIDATOR_VOTES_RIGHT);
  store<u32>(out, validator.tasksProcessed, VALIDATOR_TASKS_PROCESSED);
  store<u32>(out, validator.missedDraws, VALIDATOR_MISSED_DRAWS);
  store<u32>(out, validator.slashes, VALIDATOR_SLASHES);
  store<u32>(out, validator.collusions, VALIDATOR_COLLUSIONS);
  store<u32>(out, validator.isGenesis, VALIDATOR_IS_GENESIS);
  store<u32>(out, validator.isJudge, VALIDATOR_IS_JUDGE);
  store<u64>(out, operatorOf(validator).staked, VALIDATOR_STAKED);
  allJudge(nowSecs());
  const index = validatorOf(operatorOf(validator));
  const objected = isWaiting(validator) ? objectionWeight(<u32>index, nowSecs()) : 0;
  store<u64>(out, objected, VALIDATOR_OBJECTION_WEIGHT);
  store<u64>(out, voteWeight(validator, nowSecs()), VALIDATOR_VOTE_WEIGHT);
}

function putTimes(out: usize, validator: Validator): void {
  store<u64>(out, validator.registeredAtSecs, VALIDATOR_REGISTERED_AT);
  store<u64>(out, validator.lastDutySecs, VALIDATOR_LAST_DUTY);
  store<u64>(out, validator.suspendedSecs, VALIDATOR_SUSPENDED_AT);
  store<u64>(out, validator.suspendedUntilSecs, VALIDATOR_SUSPENDED_UNTIL);
  store<u64>(out, validator.belowSinceSecs, VALIDATOR_BELOW_SINCE);
  store<u64>(out, validator.activatedSecs, VALIDATOR_ACTIVATED_AT);
  const endSecs = isWaiting(validator) ? objectionsEndSecs(validator.passedSecs) : 0;
  store<u64>(out, endSecs, VALIDATOR_OBJECTIONS_UNTIL);
  store<u64>(out, validator.probationSecs, VALIDATOR_PROBATION_STARTED);
  store<u64>(out, validator.nextKeySecs, VALIDATOR_NEXT_KEY_AT);
  store<u64>(out, validator.nextRecoverySecs, VALIDATOR_NEXT_RECOVERY_AT);
}

function putStatus(out: usize, validator: Validator): void {
  store<u32>(out, validator.reason, VALIDATOR_REASON);
  store<u32>(out, validator.cycle, VALIDATOR_PROBATION_CYCLE);
  store<u32>(out, validator.cluster, VALIDATOR_CLUSTER);
  store<u32>(out, validator.openChallenges, VALIDATOR_OPEN_CHALLENGES);
  copy32(out + VALIDATOR_RECOVERY_KEY, recoveryKeyOf(validator));
  copy32(out + VALIDATOR_NEXT_KEY, nextKeyOf(validator));
  if (!hasSeat(validator)) return;
  store<u32>(out, seatAt(validator.seat).keyEpoch, VALIDATOR_KEY_EPOCH);
  copy32(out + VALIDATOR_CONSENSUS_KEY, seatKey(seatAt(validator.seat)));
}

function putNames(out: usize, validator: Validator): void {
  store<u32>(out, validator.categoryCount, VALIDATOR_CATEGORY_COUNT);
  for (let i: u32 = 0; i < min<u32>(validator.categoryCount, MAX_VALIDATOR_CATEGORIES); i++) {
    store<u32>(out + ((<usize>i) << 2), validatorCategory(validator, i), VALIDATOR_CATEGORIES);
  }
  store<u32>(out, validator.idBytes, VALIDATOR_ID_BYTES);
  memory.copy(out + VALIDATOR_ID, validatorId(validator), validator.idBytes);
}

// Returns the length of the whole answer.
function putCalibrations(out: usize, validator: Validator): i32 {
  const first = out + VALIDATOR_CALIBRATION;
  let at = first;
  for (let link = validator.calibrationHead; link != 0; link = calibrationAt(link - 1).next) {
    const calibration = calibrationAt(link - 1);
    memory.fill(at, 0, CALIBRATION_BYTES);
    store<u32>(at, calibration.category, CALIBRATION_CATEGORY);
    store<u32>(at, calibration.signals, CALIBRATION_SIGNALS);
    store<u32>(at, calibration.correct, CALIBRATION_CORRECT);
    store<u32>(at, calibration.canarySignals, CALIBRATION_CANARY_SIGNALS);
    store<u32>(at, calibration.canaryPoints, CALIBRATION_CANARY_POINTS);
    store<u64>(at, calibration.suspendedUntilSecs, CALIBRATION_SUSPENDED_UNTIL);
    at += CALIBRATION_BYTES;
  }
  store<u32>(out, <u32>(at - first) / CALIBRATION_BYTES, VALIDATOR_CALIBRATIONS);
  return <i32>(at - out);
}

/** QUERY_VALIDATOR. */
export function answerValidator(index: u32): i32 {
  if (index >= header().validatorCount) return -1;
  const validator = validatorAt(index);
  const out = root().output;
  memory.fill(out, 0, VALIDATOR_CALIBRATION);
  putCounters(out, validator);
  putTimes(out, validator);
  putStatus(out, validator);
  putNames(out, validator);
  return putCalibrations(out, validator);
}

function putSeat(out: usize, number: u32): void {
  memory.fill(out, 0, SEAT_BYTES);
  if (!isSeat(number)) return;
  const seat = seatAt(number);
  copy32(out + SEAT_KEY, seatKey(seat));
  store<u32>(out, seat.validator, SEAT_VALIDATOR);
  store<u32>(out, seat.keyEpoch, SEAT_KEY_EPOCH);
  store<u32>(out, seatOperator(number), SEAT_OPERATOR);
  store<u32>(out, seat.isRemoved, SEAT_IS_REMOVED);
  store<u32>(out, seat.silentFrom, SEAT_SILENT_FROM);
  store<u64>(out, seat.silentSinceMs / 1000, SEAT_SILENT_SINCE);
  store<u64>(out, grantsLeftOf(number, nowSecs()), SEAT_GRANTS_LEFT);
  store<u32>(out, seat.revision, SEAT_REVISION);
  const index = seatValidator(number);
  if (index < 0) return;
  if (seat.isRemoved == 0) store<u64>(out, fullSeatWeight(number), SEAT_WEIGHT);
  store<u32>(out, validatorAt(<u32>index).status, SEAT_STATUS);
}

/** QUERY_SEATS: up to the highest seat; unused numbers are all zero. */
export function answerSeats(): i32 {
  let found: u32 = 0;
  let out = root().output;
  for (let number: u32 = 0; found < header().seatCount; number++) {
    putSeat(out, number);
    if (isSeat(number)) found++;
    out += SEAT_BYTES;
  }
  return <i32>(out - root().output);
}

/** QUERY_VALIDATOR_FIND; the argument is the address of a validator form. */
export function answerValidatorIndex(form: usize): i32 {
  if (load<u32>(form) > MAX_VALIDATOR_ID_BYTES) return -1;
  const index = findValidator(form);
  if (index < 0) return -1;
  store<u64>(root().output, <u64>index);
  return 8;
}

/** QUERY_LANE; the argument is the address of a category form. */
export function answerLane(form: usize): i32 {
  if (!isCategoryForm(form)) return -1;
  store<u64>(root().output, countServing(form));
  return 8;
}
