// Status transitions of a validator (protocol 7.4), with the fields that belong to each status.
// Keeps: cycle, its start and its end only in probation, reason and times of a suspension only while suspended, the time below
// the required stake only while active. The caller rearms the timer and emits the event.

import { VALIDATOR_ACTIVE, VALIDATOR_EXCLUDED, VALIDATOR_PROBATION, VALIDATOR_SUSPENDED } from '../abi';
import { header } from '../state/header';
import { markValidator, Validator } from './validators';

/** protocol 6.9: baseline of an applicant from its activation on. */
const APPLICANT_BASELINE_BP: u32 = 5000;

// Clears the fields of the previous status.
function leaveStatus(validator: Validator): void {
  validator.cycle = 0;
  validator.probationSecs = 0;
  validator.passedSecs = 0;
  validator.trySecs = 0;
  validator.reason = 0;
  validator.suspendedSecs = 0;
  validator.suspendedUntilSecs = 0;
  validator.belowSinceSecs = 0;
}

function enter(validator: Validator, status: u32): void {
  validator.status = status;
  markValidator(validator);
}

/** Starts a probation cycle (1..3): resets its timer, its count and its accuracy. */
export function startCycle(validator: Validator, cycle: u32, nowSecs: u64): void {
  leaveStatus(validator);
  validator.cycle = cycle;
  validator.probationSecs = nowSecs;
  validator.votesDecided = 0;
  validator.votesRight = 0;
  validator.tasksProcessed = 0;
  validator.missedDraws = 0;
  enter(validator, VALIDATOR_PROBATION);
}

/** An applicant has passed probation; until `trySecs` the active ones may object. */
export function passProbation(validator: Validator, trySecs: u64, nowSecs: u64): void {
  validator.passedSecs = nowSecs;
  validator.trySecs = trySecs;
  markValidator(validator);
}

/** Begins the days of the current cycle again, with what it has counted. */
export function prolongCycle(validator: Validator, nowSecs: u64): void {
  validator.probationSecs = nowSecs;
  markValidator(validator);
}

// The stake is compared with the required one at the end of the block.
function enterActive(validator: Validator): void {
  leaveStatus(validator);
  header().stakesMoved = 1;
  enter(validator, VALIDATOR_ACTIVE);
}

/** After probation: an applicant gets its baseline, a genesis seat keeps that of the manifest. */
export function activate(validator: Validator, nowSecs: u64): void {
  if (validator.isGenesis == 0) validator.baselineBp = APPLICANT_BASELINE_BP;
  validator.activatedSecs = nowSecs;
  enterActive(validator);
}

/** After a suspension; the 7 days start again if the stake is still below the required one. */
export function reactivate(validator: Validator): void {
  enterActive(validator);
}

/**
 * Suspends an active validator, or prolongs a suspension: the later of both ends counts, and the reason of the last.
 * `untilSecs` is 0 for one that ends with the stake alone.
 */
export function suspend(validator: Validator, reason: u32, untilSecs: u64, nowSecs: u64): void {
  const isFirst = validator.status != VALIDATOR_SUSPENDED;
  const sinceSecs = isFirst ? nowSecs : validator.suspendedSecs;
  const endSecs = isFirst ? untilSecs : max<u64>(validator.suspendedUntilSecs, untilSecs);
  leaveStatus(validator);
  validator.reason = reason;
  validator.suspendedSecs = sinceSecs;
  validator.suspendedUntilSecs = endSecs;
  enter(validator, VALIDATOR_SUSPENDED);
}

/** Excludes for ever. */
export function exclude(validator: Validator): void {
  leaveStatus(validator);
  enter(validator, VALIDATOR_EXCLUDED);
}
