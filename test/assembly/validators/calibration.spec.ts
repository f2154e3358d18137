// Calibration, assignment weights and canaries with the examples of protocol 6.9 and 7.4.

import {
  EVENT_VALIDATOR_STATUS,
  OUT_EVENT,
  STATUS_REASON_CANARY,
  VALIDATOR_ACTIVE,
  VALIDATOR_PROBATION,
} from '../../../assembly/abi';
import { outputBytes, setOutputBytes } from '../../../assembly/io/output';
import { header } from '../../../assembly/state/header';
import { root } from '../../../assembly/state/root';
import { countServing } from '../../../assembly/tasks/lanes';
import {
  assignmentWeight,
  assignmentWeightBp,
  CANARY_RIGHT,
  calibrationAt,
  calibrationBp,
  countAsMiss,
  countMiss,
  countVote,
  isSuspendedIn,
  noteCanary,
  overallAssignmentWeight,
} from '../../../assembly/validators/calibration';
import { Validator, validatorAt } from '../../../assembly/validators/validators';
import { GENERAL } from '../support/draws';
import { freshState, LAUNCH, newValidator, setNow, TOKEN } from '../support/state';

const DAY: u64 = 86400;
const MONTH: u64 = 30 * DAY;
const FORM: usize = memory.data(56, 8);

function setUp(status: u32 = VALIDATOR_ACTIVE): Validator {
  freshState();
  setNow(LAUNCH);
  setOutputBytes(0);
  const first = newValidator(0, 25000 * TOKEN, 5000, status);
  for (let i: u64 = 1; i < 3; i++) newValidator(i, 25000 * TOKEN, 5000);
  return first;
}

function vote(right: u32, wrong: u32): void {
  for (let i: u32 = 0; i < right; i++) countVote(0, GENERAL, true, true);
  for (let i: u32 = 0; i < wrong; i++) countVote(0, GENERAL, false, true);
}

/** Numbers of canaries judged correctly, partly correctly and wrongly, in this order. */
function canaries(right: u32, partly: u32, wrong: u32, nowSecs: u64 = LAUNCH): void {
  for (let i: u32 = 0; i < right; i++) noteCanary(0, GENERAL, CANARY_RIGHT, nowSecs);
  for (let i: u32 = 0; i < partly; i++) noteCanary(0, GENERAL, 1, nowSecs);
  for (let i: u32 = 0; i < wrong; i++) noteCanary(0, GENERAL, 0, nowSecs);
}

describe('calibration', () => {
  it('is 10,000 below 20 signals, then 12,000, 10,000 or 7,000 by accuracy', () => {
    expect(calibrationBp(0, 0)).toBe(10000);
    expect(calibrationBp(19, 0)).toBe(10000);
    expect(calibrationBp(19, 19)).toBe(10000);
    expect(calibrationBp(20, 20)).toBe(12000);
    expect(calibrationBp(20, 18)).toBe(12000);
    expect(calibrationBp(10000, 8999)).toBe(10000);
    expect(calibrationBp(20, 12)).toBe(10000);
    expect(calibrationBp(10000, 5999)).toBe(7000);
    expect(calibrationBp(20, 0)).toBe(7000);
  });

  it('gives an accuracy of 9,300 in probation a weight of 3,600', () => {
    expect(assignmentWeightBp(calibrationBp(100, 93), VALIDATOR_PROBATION)).toBe(3600);
    expect(assignmentWeightBp(calibrationBp(100, 93), VALIDATOR_ACTIVE)).toBe(12000);
    expect(assignmentWeightBp(10000, VALIDATOR_PROBATION)).toBe(3000);
    expect(assignmentWeightBp(7000, VALIDATOR_PROBATION)).toBe(2100);
  });

  it('counts by category and in total', () => {
    const validator = setUp();
    vote(18, 2);
    expect(assignmentWeight(0, GENERAL, LAUNCH + MONTH)).toBe(12000);
    expect(assignmentWeight(0, 1, LAUNCH + MONTH)).toBe(10000);
    for (let i = 0; i < 20; i++) countVote(0, 1, false, true);
    expect(assignmentWeight(0, 1, LAUNCH + MONTH)).toBe(7000);
    expect(validator.votesDecided).toBe(40);
    expect(validator.votesRight).toBe(18);
    expect(validator.tasksProcessed).toBe(40);
    expect(overallAssignmentWeight(validator)).toBe(7000);
  });

  it('has a row for each category, in their order', () => {
    freshState();
    const validator = newValidator(0, TOKEN, 5000);
    countVote(0, 7, true, true);
    countVote(0, 1, false, true);
    countVote(0, 1, true, true);
    countVote(0, 3, true, true);
    expect(validator.votesDecided).toBe(4);
    expect(validator.votesRight).toBe(3);
    expect(validator.tasksProcessed).toBe(4);
    const first = calibrationAt(validator.calibrationHead - 1);
    expect(first.category).toBe(1);
    expect(first.signals).toBe(2);
    expect(first.correct).toBe(1);
    const second = calibrationAt(first.next - 1);
    expect(second.category).toBe(3);
    expect(calibrationAt(second.next - 1).category).toBe(7);
  });

  it('only counts in total when the table is full', () => {
    freshState();
    const validator = newValidator(0, TOKEN, 5000);
    for (let category: u32 = 0; category < 60; category++) countVote(0, category, false, true);
    expect(validator.votesDecided).toBe(60);
    expect(header().calibrationCount).toBe(50);
    for (let i = 0; i < 20; i++) countVote(0, 55, false, true);
    expect(assignmentWeight(0, 55, LAUNCH)).toBe(10000);
    for (let i = 0; i < 20; i++) countVote(0, 5, false, true);
    expect(assignmentWeight(0, 5, LAUNCH)).toBe(7000);
  });
});

describe('misses', () => {
  it('a missed duty is a signal without a hit in the category, not a vote', () => {
    const validator = setUp();
    vote(18, 1);
    countMiss(0, GENERAL);
    expect(assignmentWeight(0, GENERAL, LAUNCH + MONTH)).toBe(12000);
    countMiss(0, GENERAL);
    expect(assignmentWeight(0, GENERAL, LAUNCH + MONTH)).toBe(10000);
    expect(validator.votesDecided).toBe(19);
    expect(validator.tasksProcessed).toBe(19);
  });

  it('a correct vote becomes a wrong one, the number of votes stays', () => {
    const validator = setUp();
    vote(18, 2);
    countAsMiss(0, GENERAL);
    expect(validator.votesDecided).toBe(20);
    expect(validator.votesRight).toBe(17);
    expect(assignmentWeight(0, GENERAL, LAUNCH + MONTH)).toBe(10000);
  });

  it('does not lower counts reset by probation, nor a category without signals', () => {
    const validator = setUp(VALIDATOR_PROBATION);
    vote(1, 0);
    validator.votesRight = 0;
    validator.votesDecided = 0;
    countAsMiss(0, GENERAL);
    countAsMiss(0, GENERAL);
    countAsMiss(0, 1);
    expect(validator.votesRight).toBe(0);
    expect(calibrationAt(validator.calibrationHead - 1).correct).toBe(0);
    expect(calibrationAt(validator.calibrationHead - 1).signals).toBe(1);
  });
});

describe('canaries', () => {
  it('suspend at the twentieth signal below 6,000 bp, emitted once', () => {
    setUp();
    canaries(11, 1, 7);
    expect(isSuspendedIn(0, GENERAL, LAUNCH)).toBe(false);
    expect(outputBytes()).toBe(0);
    // 11 correct and 1 partly correct of 20: 5,750 bp.
    canaries(0, 0, 1);
    expect(isSuspendedIn(0, GENERAL, LAUNCH)).toBe(true);
    const event = root().output;
    expect<u32>(load<u16>(event)).toBe(OUT_EVENT);
    expect<u32>(load<u16>(event, 2)).toBe(EVENT_VALIDATOR_STATUS);
    expect(load<u32>(event, 68)).toBe(VALIDATOR_ACTIVE);
    expect(load<u32>(event, 72)).toBe(STATUS_REASON_CANARY);
    const bytes = outputBytes();
    canaries(0, 0, 3);
    expect(outputBytes()).toBe(bytes);
    expect(validatorAt(0).status).toBe(VALIDATOR_ACTIVE);
    expect(validatorAt(0).votesDecided).toBe(0);
  });

  it('do not suspend at exactly 6,000 bp: 12 of 20, or 8 correct and 8 partly correct', () => {
    setUp();
    canaries(12, 0, 8);
    expect(isSuspendedIn(0, GENERAL, LAUNCH)).toBe(false);
    setUp();
    canaries(8, 8, 4);
    expect(isSuspendedIn(0, GENERAL, LAUNCH)).toBe(false);
    canaries(0, 0, 1);
    expect(isSuspendedIn(0, GENERAL, LAUNCH)).toBe(true);
  });

  it('the suspension ends after 30 days; until the accuracy recovers the weight is 7,000', () => {
    setUp();
    vote(20, 0);
    expect(assignmentWeight(0, GENERAL, LAUNCH + MONTH)).toBe(12000);
    canaries(11, 0, 9);
    expect(isSuspendedIn(0, GENERAL, LAUNCH + MONTH - 1)).toBe(true);
    expect(assignmentWeight(0, GENERAL, LAUNCH + MONTH - 1)).toBe(0);
    expect(isSuspendedIn(0, GENERAL, LAUNCH + MONTH)).toBe(false);
    expect(isSuspendedIn(0, 1, LAUNCH)).toBe(false);
    expect(isSuspendedIn(0, -1, LAUNCH)).toBe(false);
    expect(assignmentWeight(0, GENERAL, LAUNCH + MONTH)).toBe(7000);
    // Correct ones recover it without another suspension: 13 of 22 is 5,909 bp, 14 of 23 is 6,086.
    canaries(2, 0, 0, LAUNCH + MONTH);
    expect(isSuspendedIn(0, GENERAL, LAUNCH + MONTH)).toBe(false);
    expect(assignmentWeight(0, GENERAL, LAUNCH + MONTH)).toBe(7000);
    canaries(1, 0, 0, LAUNCH + MONTH);
    expect(assignmentWeight(0, GENERAL, LAUNCH + MONTH)).toBe(12000);
  });

  it('a further wrong one below 6,000 bp suspends again', () => {
    setUp();
    canaries(0, 0, 20);
    canaries(0, 0, 1, LAUNCH + MONTH);
    expect(isSuspendedIn(0, GENERAL, LAUNCH + 2 * MONTH - 1)).toBe(true);
    expect(isSuspendedIn(0, GENERAL, LAUNCH + 2 * MONTH)).toBe(false);
  });

  it('count in probation, but suspend nobody', () => {
    setUp(VALIDATOR_PROBATION);
    canaries(0, 0, 20);
    expect(isSuspendedIn(0, GENERAL, LAUNCH)).toBe(false);
    expect(outputBytes()).toBe(0);
    expect(assignmentWeight(0, GENERAL, LAUNCH + MONTH)).toBe(2100);
  });

  it('keep a suspended validator from serving the category of a lane', () => {
    setUp();
    memory.fill(FORM, 0, 56);
    store<u32>(FORM, 7);
    store<u64>(FORM + 4, load<u64>(root().categories + <usize>GENERAL * 56 + 4));
    expect(countServing(FORM)).toBe(3);
    canaries(0, 0, 20);
    expect(countServing(FORM)).toBe(2);
    setNow(LAUNCH + MONTH);
    expect(countServing(FORM)).toBe(3);
  });

  it('suspend a third of those that serve the category, and the next one when somebody is back', () => {
    setUp();
    canaries(0, 0, 20);
    for (let i: u32 = 0; i < 20; i++) noteCanary(1, GENERAL, 0, LAUNCH);
    expect(isSuspendedIn(1, GENERAL, LAUNCH)).toBe(false);
    noteCanary(1, GENERAL, 0, LAUNCH + MONTH);
    expect(isSuspendedIn(1, GENERAL, LAUNCH + MONTH)).toBe(true);
    noteCanary(0, GENERAL, 0, LAUNCH + MONTH);
    expect(isSuspendedIn(0, GENERAL, LAUNCH + MONTH)).toBe(false);
    // Who serves another category, or is not active, does not count.
    validatorAt(2).status = VALIDATOR_PROBATION;
    noteCanary(0, GENERAL, 0, LAUNCH + 2 * MONTH);
    expect(isSuspendedIn(0, GENERAL, LAUNCH + 2 * MONTH)).toBe(false);
  });
});
