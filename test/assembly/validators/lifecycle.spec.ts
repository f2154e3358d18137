// The life of a validator: each row of the table in protocol 7.4 that follows from time, stake or offenses.

import {
  COOLDOWN_ACTIVE,
  EVENT_VALIDATOR_STATUS,
  FORBIDDEN_ACTOR,
  OFFENSE_COLLUSION,
  OFFENSE_DISHONEST_REPLAY,
  OFFENSE_FRAUDULENT_APPROVAL,
  OK,
  OP_VALIDATOR_RESUME,
  PERMANENTLY_EXCLUDED,
  STAKE_BELOW_REQUIRED,
  STATUS_REASON_OFFENSE,
  STATUS_REASON_PASSED,
  STATUS_REASON_PROBATION,
  STATUS_REASON_STAKE,
  TASK_STATE,
  VALIDATOR_ACTIVE,
  VALIDATOR_EXCLUDED,
  VALIDATOR_NOT_FOUND,
  VALIDATOR_PROBATION,
  VALIDATOR_SUSPENDED,
} from '../../../assembly/abi';
import { setOutputBytes } from '../../../assembly/io/output';
import { balanceOf, move, stakeOf } from '../../../assembly/ledger/money';
import { header, nowSecs } from '../../../assembly/state/header';
import { dueTimer, nextDeadlineSecs, rowOfTimer } from '../../../assembly/state/timers';
import { noteAssuredCompleted } from '../../../assembly/validators/assured-window';
import { cooldownDays, offenseSlashBp, punish } from '../../../assembly/validators/discipline';
import { beginWait, placesToday, tryToJoin } from '../../../assembly/validators/joining';
import { isStakeLocked } from '../../../assembly/validators/lock';
import { hadTooFewEvents, hasPassed } from '../../../assembly/validators/probation';
import { resumeValidator } from '../../../assembly/validators/resuming';
import { watchStakes } from '../../../assembly/validators/stake-watch';
import { startCycle, suspend } from '../../../assembly/validators/status';
import { fireValidator, rearmValidator } from '../../../assembly/validators/timers';
import { operatorOf, Validator, validatorAt, validatorId } from '../../../assembly/validators/validators';
import { beginRecord, eventCount, lastEvent, putName, result, run } from '../support/command';
import { freshState, LAUNCH, newAgent, newValidator, setNow, TOKEN } from '../support/state';

const DAY: u64 = 86400;
const ENOUGH: u64 = 30000 * TOKEN;
const NAME: usize = memory.data<u8>([110, 111, 98, 111, 100, 121, 0, 0]);

/** Validator 0 with enough stake, among others that do not matter. */
function one(status: u32): Validator {
  freshState();
  const validator = newValidator(0, ENOUGH, 0, status);
  if (status == VALIDATOR_PROBATION) startCycle(validator, 1, LAUNCH);
  rearmValidator(0);
  return validator;
}

/** Moves time and fires due timers; returns their number. */
function passTo(secs: u64): u32 {
  setNow(secs);
  setOutputBytes(0);
  let fired: u32 = 0;
  for (let timer = dueTimer(secs); timer >= 0; timer = dueTimer(secs)) {
    fireValidator(rowOfTimer(<u32>timer), secs);
    fired++;
  }
  return fired;
}

function setVotes(validator: Validator, decided: u32, right: u32): void {
  validator.tasksProcessed = decided;
  validator.votesDecided = decided;
  validator.votesRight = right;
}

/** Expects exactly one event of the last step, with this status, reason, cycle and end. */
function expectEmitted(status: u32, reason: u32, cycle: u32, untilSecs: u64): void {
  expect(eventCount()).toBe(1);
  const event = lastEvent(EVENT_VALIDATOR_STATUS);
  expect(load<u32>(event, 64)).toBe(0);
  expect(load<u32>(event, 68)).toBe(status);
  expect(load<u32>(event, 72)).toBe(reason);
  expect(load<u32>(event, 76)).toBe(cycle);
  expect(load<u64>(event, 80)).toBe(untilSecs);
}

function offend(offense: u32): void {
  setOutputBytes(0);
  punish(0, offense, nowSecs());
}

function resume(): i32 {
  beginRecord(OP_VALIDATOR_RESUME, operatorOf(validatorAt(0)));
  return run(resumeValidator);
}

describe('probation', () => {
  it('requires 50 tasks and 7000 bp', () => {
    expect(hasPassed(50, 50, 35)).toBe(true);
    expect(hasPassed(50, 50, 34)).toBe(false);
    expect(hasPassed(49, 49, 49)).toBe(false);
    expect(hasPassed(50, 0, 0)).toBe(false);
  });

  it('ends after 30 days; an applicant is active 7 days later, with its baseline', () => {
    const validator = one(VALIDATOR_PROBATION);
    setVotes(validator, 50, 35);
    expect(passTo(LAUNCH + 30 * DAY - 1)).toBe(0);
    expect(validator.status).toBe(VALIDATOR_PROBATION);
    expect(passTo(LAUNCH + 30 * DAY)).toBe(1);
    expect(validator.status).toBe(VALIDATOR_PROBATION);
    expectEmitted(VALIDATOR_PROBATION, STATUS_REASON_PASSED, 1, 0);
    expect(passTo(LAUNCH + 37 * DAY - 1)).toBe(0);
    expect(passTo(LAUNCH + 37 * DAY)).toBe(1);
    expect(validator.status).toBe(VALIDATOR_ACTIVE);
    expect(validator.baselineBp).toBe(5000);
    expect(validator.activatedSecs).toBe(LAUNCH + 37 * DAY);
    expect(validator.cycle).toBe(0);
    expect(validator.passedSecs).toBe(0);
    expectEmitted(VALIDATOR_ACTIVE, STATUS_REASON_PROBATION, 0, 0);
    expect(nextDeadlineSecs()).toBe(0);
  });

  it('is over at once for an offense, also while an applicant waits', () => {
    const validator = one(VALIDATOR_PROBATION);
    setVotes(validator, 50, 50);
    passTo(LAUNCH + 30 * DAY);
    setNow(LAUNCH + 31 * DAY);
    offend(OFFENSE_FRAUDULENT_APPROVAL);
    expect(validator.passedSecs).toBe(0);
    expect(validator.tasksProcessed).toBe(0);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 61 * DAY);
  });

  it('gives places by age: a tenth of the active validators, at least one, a day', () => {
    freshState();
    for (let i: u64 = 0; i < 25; i++) newValidator(i, ENOUGH, 5000);
    for (let i: u64 = 25; i < 28; i++) startCycle(newValidator(i, ENOUGH, 0, VALIDATOR_PROBATION), 1, LAUNCH);
    expect(placesToday(LAUNCH)).toBe(2);
    // The ids do not decide: the last one applied first.
    validatorAt(27).registeredAtSecs = LAUNCH - 1;
    for (let index: u32 = 25; index < 28; index++) beginWait(index, LAUNCH);
    for (let index: u32 = 25; index < 28; index++) tryToJoin(index, LAUNCH + 7 * DAY);
    expect(validatorAt(25).status).toBe(VALIDATOR_ACTIVE);
    expect(validatorAt(26).status).toBe(VALIDATOR_PROBATION);
    expect(validatorAt(27).status).toBe(VALIDATOR_ACTIVE);
    expect(placesToday(LAUNCH + 7 * DAY)).toBe(0);
    expect(validatorAt(26).trySecs).toBe(((LAUNCH + 7 * DAY) / DAY + 1) * DAY);
    tryToJoin(26, LAUNCH + 8 * DAY);
    expect(validatorAt(26).status).toBe(VALIDATOR_ACTIVE);
  });

  it('keeps the manifest baseline of a genesis seat', () => {
    const validator = one(VALIDATOR_PROBATION);
    validator.isGenesis = 1;
    validator.baselineBp = 700;
    setVotes(validator, 60, 60);
    passTo(LAUNCH + 30 * DAY);
    expect(validator.baselineBp).toBe(700);
  });

  it('lasts up to three cycles, each counting from zero, and ends with exclusion', () => {
    const validator = one(VALIDATOR_PROBATION);
    setVotes(validator, 49, 49);
    validator.missedDraws = 1;
    passTo(LAUNCH + 30 * DAY);
    expectEmitted(VALIDATOR_PROBATION, STATUS_REASON_PROBATION, 2, 0);
    expect(validator.missedDraws).toBe(0);
    expect(validator.tasksProcessed).toBe(0);
    expect(validator.votesDecided).toBe(0);
    expect(validator.votesRight).toBe(0);
    setVotes(validator, 100, 69);
    passTo(LAUNCH + 60 * DAY);
    expectEmitted(VALIDATOR_PROBATION, STATUS_REASON_PROBATION, 3, 0);
    setVotes(validator, 50, 34);
    passTo(LAUNCH + 90 * DAY);
    expectEmitted(VALIDATOR_EXCLUDED, STATUS_REASON_PROBATION, 0, 0);
    expect(validator.status).toBe(VALIDATOR_EXCLUDED);
    expect(nextDeadlineSecs()).toBe(0);
  });

  it('goes on with what it counted while there were too few events', () => {
    expect(hadTooFewEvents(49, 0)).toBe(true);
    expect(hadTooFewEvents(0, 50)).toBe(false);
    const validator = one(VALIDATOR_PROBATION);
    setVotes(validator, 49, 40);
    for (let cycle: u64 = 1; cycle < 6; cycle++) {
      passTo(LAUNCH + cycle * 30 * DAY);
      expectEmitted(VALIDATOR_PROBATION, STATUS_REASON_PROBATION, 1, 0);
    }
    expect(validator.tasksProcessed).toBe(49);
    setVotes(validator, 50, 41);
    passTo(LAUNCH + 180 * DAY);
    expect(validator.passedSecs).toBe(LAUNCH + 180 * DAY);
  });

  it('counts a cycle from the block that started it, however late', () => {
    const validator = one(VALIDATOR_PROBATION);
    validator.missedDraws = 50;
    expect(passTo(LAUNCH + 500 * DAY)).toBe(1);
    expect(validator.cycle).toBe(2);
    expect(validator.probationSecs).toBe(LAUNCH + 500 * DAY);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 530 * DAY);
  });

  it('restarts after an offense and keeps the number of the cycle', () => {
    const validator = one(VALIDATOR_PROBATION);
    validator.missedDraws = 50;
    passTo(LAUNCH + 30 * DAY);
    setVotes(validator, 80, 80);
    setNow(LAUNCH + 40 * DAY);
    offend(OFFENSE_FRAUDULENT_APPROVAL);
    expectEmitted(VALIDATOR_PROBATION, STATUS_REASON_OFFENSE + OFFENSE_FRAUDULENT_APPROVAL, 2, 0);
    expect(validator.tasksProcessed).toBe(0);
    expect(validator.votesDecided).toBe(0);
    expect(validator.slashes).toBe(1);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 70 * DAY);
  });
});

describe('a stake below the required one', () => {
  it('suspends after 7 consecutive days', () => {
    const validator = one(VALIDATOR_ACTIVE);
    watchStakes(LAUNCH);
    expect(validator.belowSinceSecs).toBe(0);
    // protocol 6.7: half of what was completed in 30 days, by the only one.
    noteAssuredCompleted(400000 * TOKEN);
    watchStakes(LAUNCH + 5);
    expect(header().requiredSeen).toBe(200000 * TOKEN);
    expect(validator.belowSinceSecs).toBe(LAUNCH + 5);
    watchStakes(LAUNCH + 6);
    expect(validator.belowSinceSecs).toBe(LAUNCH + 5);
    expect(passTo(LAUNCH + 5 + 7 * DAY - 1)).toBe(0);
    expect(passTo(LAUNCH + 5 + 7 * DAY)).toBe(1);
    expectEmitted(VALIDATOR_SUSPENDED, STATUS_REASON_STAKE, 0, 0);
    expect(validator.suspendedSecs).toBe(LAUNCH + 5 + 7 * DAY);
    expect(validator.suspendedUntilSecs).toBe(0);
    expect(validator.belowSinceSecs).toBe(0);
  });

  it('has no effect when the stake is restored before', () => {
    const validator = one(VALIDATOR_ACTIVE);
    const operator = operatorOf(validator);
    move(stakeOf(operator), balanceOf(operator), 20001 * TOKEN);
    expect(header().stakesMoved).toBe(1);
    watchStakes(LAUNCH);
    expect(header().stakesMoved).toBe(0);
    expect(validator.belowSinceSecs).toBe(LAUNCH);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 7 * DAY);
    operator.staked += TOKEN;
    header().stakesMoved = 1;
    watchStakes(LAUNCH + DAY);
    expect(validator.belowSinceSecs).toBe(0);
    expect(nextDeadlineSecs()).toBe(0);
  });

  it('only matters to active validators', () => {
    const validator = one(VALIDATOR_PROBATION);
    operatorOf(validator).staked = TOKEN;
    header().stakesMoved = 1;
    watchStakes(LAUNCH);
    expect(validator.belowSinceSecs).toBe(0);
    validator.isGenesis = 1;
    setVotes(validator, 50, 50);
    passTo(LAUNCH + 30 * DAY);
    watchStakes(LAUNCH + 30 * DAY);
    expect(validator.belowSinceSecs).toBe(LAUNCH + 30 * DAY);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 37 * DAY);
  });
});

describe('an offense', () => {
  it('costs what protocol 6.5 says', () => {
    expect(offenseSlashBp(OFFENSE_FRAUDULENT_APPROVAL)).toBe(3000);
    expect(offenseSlashBp(OFFENSE_DISHONEST_REPLAY)).toBe(4000);
    expect(offenseSlashBp(OFFENSE_COLLUSION)).toBe(7500);
    expect(cooldownDays(OFFENSE_FRAUDULENT_APPROVAL)).toBe(30);
    expect(cooldownDays(OFFENSE_DISHONEST_REPLAY)).toBe(60);
    expect(cooldownDays(OFFENSE_COLLUSION)).toBe(180);
  });

  it('suspends an active validator for its cooldown', () => {
    for (let offense: u32 = OFFENSE_FRAUDULENT_APPROVAL; offense <= <u32>OFFENSE_COLLUSION; offense++) {
      const validator = one(VALIDATOR_ACTIVE);
      setNow(LAUNCH + 9);
      offend(offense);
      const untilSecs = LAUNCH + 9 + cooldownDays(offense) * DAY;
      expectEmitted(VALIDATOR_SUSPENDED, STATUS_REASON_OFFENSE + offense, 0, untilSecs);
      expect(validator.reason).toBe(STATUS_REASON_OFFENSE + offense);
      expect(validator.suspendedSecs).toBe(LAUNCH + 9);
      expect(validator.suspendedUntilSecs).toBe(untilSecs);
    }
  });

  it('ends the days below the required stake: the suspension replaces them', () => {
    const validator = one(VALIDATOR_ACTIVE);
    noteAssuredCompleted(400000 * TOKEN);
    watchStakes(LAUNCH);
    setNow(LAUNCH + 1);
    offend(OFFENSE_COLLUSION);
    expect(validator.belowSinceSecs).toBe(0);
    expect(nextDeadlineSecs()).toBe(0);
  });

  it('prolongs a suspension to the later of the two ends', () => {
    const validator = one(VALIDATOR_ACTIVE);
    offend(OFFENSE_DISHONEST_REPLAY);
    setNow(LAUNCH + 10 * DAY);
    offend(OFFENSE_FRAUDULENT_APPROVAL);
    expectEmitted(
      VALIDATOR_SUSPENDED,
      STATUS_REASON_OFFENSE + OFFENSE_FRAUDULENT_APPROVAL,
      0,
      LAUNCH + 60 * DAY,
    );
    setNow(LAUNCH + 40 * DAY);
    offend(OFFENSE_FRAUDULENT_APPROVAL);
    expect(validator.suspendedUntilSecs).toBe(LAUNCH + 70 * DAY);
    expect(validator.suspendedSecs).toBe(LAUNCH);
    expect(validator.slashes).toBe(3);
  });

  it('gives a suspension for the stake an end', () => {
    const validator = one(VALIDATOR_ACTIVE);
    suspend(validator, STATUS_REASON_STAKE, 0, LAUNCH);
    offend(OFFENSE_FRAUDULENT_APPROVAL);
    expect(validator.suspendedUntilSecs).toBe(LAUNCH + 30 * DAY);
    expect(validator.reason).toBe(STATUS_REASON_OFFENSE + OFFENSE_FRAUDULENT_APPROVAL);
  });

  it('excludes at the second collusion, in whatever status', () => {
    for (let status: u32 = VALIDATOR_PROBATION; status <= <u32>VALIDATOR_SUSPENDED; status++) {
      const validator = one(status);
      validator.collusions = 1;
      offend(OFFENSE_COLLUSION);
      expectEmitted(VALIDATOR_EXCLUDED, STATUS_REASON_OFFENSE + OFFENSE_COLLUSION, 0, 0);
      expect(validator.status).toBe(VALIDATOR_EXCLUDED);
      expect(nextDeadlineSecs()).toBe(0);
    }
  });

  it('of another kind after a collusion is not a second collusion', () => {
    const validator = one(VALIDATOR_ACTIVE);
    offend(OFFENSE_COLLUSION);
    offend(OFFENSE_DISHONEST_REPLAY);
    expect(validator.status).toBe(VALIDATOR_SUSPENDED);
    expect(validator.collusions).toBe(1);
    expect(validator.slashes).toBe(2);
  });

  it('changes nothing more for an excluded validator', () => {
    const validator = one(VALIDATOR_EXCLUDED);
    offend(OFFENSE_COLLUSION);
    expect(eventCount()).toBe(0);
    expect(validator.slashes).toBe(0);
    expect(validator.status).toBe(VALIDATOR_EXCLUDED);
  });
});

describe('resuming', () => {
  it('needs a validator, its operator and a suspension', () => {
    const validator = one(VALIDATOR_ACTIVE);
    expect(resume()).toBe(TASK_STATE);
    suspend(validator, STATUS_REASON_STAKE, 0, LAUNCH);
    const stranger = newAgent(7, 0, 0);
    beginRecord(OP_VALIDATOR_RESUME, stranger);
    expect(run(resumeValidator)).toBe(VALIDATOR_NOT_FOUND);
    putName(beginRecord(OP_VALIDATOR_RESUME, stranger) + 96, NAME, 6);
    expect(run(resumeValidator)).toBe(VALIDATOR_NOT_FOUND);
    putName(beginRecord(OP_VALIDATOR_RESUME, stranger) + 96, validatorId(validator), 2);
    expect(run(resumeValidator)).toBe(FORBIDDEN_ACTOR);
    expect(validator.status).toBe(VALIDATOR_SUSPENDED);
  });

  it('waits for the end of the cooldown', () => {
    const validator = one(VALIDATOR_ACTIVE);
    offend(OFFENSE_FRAUDULENT_APPROVAL);
    setNow(LAUNCH + 30 * DAY - 1);
    expect(resume()).toBe(COOLDOWN_ACTIVE);
    expect(result(0)).toBe(LAUNCH + 30 * DAY);
    setNow(LAUNCH + 30 * DAY);
    expect(resume()).toBe(OK);
    expect(result(1)).toBe(0);
    expect(validator.status).toBe(VALIDATOR_ACTIVE);
    expect(validator.reason).toBe(0);
    expect(validator.suspendedSecs).toBe(0);
    expect(validator.suspendedUntilSecs).toBe(0);
    expect(resume()).toBe(TASK_STATE);
  });

  it('needs the stake after stake_below_minimum, but not after an offense', () => {
    const validator = one(VALIDATOR_ACTIVE);
    const operator = operatorOf(validator);
    operator.staked = 10000 * TOKEN - 1;
    suspend(validator, STATUS_REASON_STAKE, 0, LAUNCH);
    expect(resume()).toBe(STAKE_BELOW_REQUIRED);
    expect(result(0)).toBe(10000 * TOKEN - 1);
    expect(result(1)).toBe(10000 * TOKEN);
    operator.staked++;
    expect(resume()).toBe(OK);
    offend(OFFENSE_FRAUDULENT_APPROVAL);
    operator.staked = 1;
    setNow(LAUNCH + 31 * DAY);
    expect(resume()).toBe(OK);
    // The 7 days of grace start again.
    watchStakes(LAUNCH + 31 * DAY);
    expect(validator.belowSinceSecs).toBe(LAUNCH + 31 * DAY);
  });

  it('is impossible for an excluded validator, whose stake is released after the lock', () => {
    const validator = one(VALIDATOR_EXCLUDED);
    expect(resume()).toBe(PERMANENTLY_EXCLUDED);
    validator.lastDutySecs = LAUNCH;
    expect(isStakeLocked(operatorOf(validator), LAUNCH + 10 * DAY - 1)).toBe(true);
    expect(isStakeLocked(operatorOf(validator), LAUNCH + 10 * DAY)).toBe(false);
    validator.openChallenges = 1;
    expect(isStakeLocked(operatorOf(validator), LAUNCH + 10 * DAY)).toBe(true);
  });
});
