// Applicants between passed probation and their place: who counts on a day, and which objections count (protocol 7.4).

import {
  ALREADY_VOTED,
  CAPACITY,
  OK,
  OP_VALIDATOR_OBJECT,
  VALIDATOR_ACTIVE,
  VALIDATOR_PROBATION,
} from '../../../assembly/abi';
import { beginWait, MAX_OBJECTIONS, placesToday, tryToJoin } from '../../../assembly/validators/joining';
import { objectToApplicant } from '../../../assembly/validators/objections';
import { startCycle } from '../../../assembly/validators/status';
import { operatorOf, validatorAt, validatorId } from '../../../assembly/validators/validators';
import { beginRecord, putName, run } from '../support/command';
import { freshState, LAUNCH, newValidator, TOKEN } from '../support/state';

const DAY: u64 = 86400;
const STAKE: u64 = 30000 * TOKEN;

/** Active validators, and then applicants in their first cycle. */
function network(active: u32, applicants: u32): void {
  freshState();
  for (let i: u64 = 0; i < active; i++) newValidator(i, STAKE, 5000);
  for (let i: u64 = active; i < active + applicants; i++)
    startCycle(newValidator(i, STAKE, 0, VALIDATOR_PROBATION), 1, LAUNCH);
}

function object(by: u32, target: u32): i32 {
  const record = beginRecord(OP_VALIDATOR_OBJECT, operatorOf(validatorAt(by)));
  putName(record + 96, validatorId(validatorAt(target)), 2);
  return run(objectToApplicant);
}

describe('a place of a day', () => {
  it('is a tenth of those that were active without the ones of that day', () => {
    network(19, 2);
    for (let index: u32 = 19; index < 21; index++) beginWait(index, LAUNCH);
    for (let index: u32 = 19; index < 21; index++) tryToJoin(index, LAUNCH + 7 * DAY);
    expect(validatorAt(19).status).toBe(VALIDATOR_ACTIVE);
    expect(placesToday(LAUNCH + 7 * DAY)).toBe(0);
    expect(validatorAt(20).status).toBe(VALIDATOR_PROBATION);
    expect(placesToday(LAUNCH + 8 * DAY)).toBe(2);
  });
});

describe('an objection', () => {
  it('of an earlier wait does not count again, and its validator may object once more', () => {
    network(4, 1);
    beginWait(4, LAUNCH);
    expect(object(0, 4)).toBe(OK);
    expect(object(0, 4)).toBe(ALREADY_VOTED);
    startCycle(validatorAt(4), 2, LAUNCH);
    beginWait(4, LAUNCH);
    // One of four again: with the one from before it would be half of the weight, and end the wait.
    expect(object(1, 4)).toBe(OK);
    expect(validatorAt(4).passedSecs).toBe(LAUNCH);
    expect(object(0, 4)).toBe(OK);
    expect(validatorAt(4).passedSecs).toBe(0);
  });

  it('to an applicant that waits no more leaves its place to another', () => {
    network(4, MAX_OBJECTIONS + 1);
    for (let i: u32 = 0; i <= MAX_OBJECTIONS; i++) beginWait(4 + i, LAUNCH);
    for (let i: u32 = 0; i < MAX_OBJECTIONS; i++) expect(object(0, 4 + i)).toBe(OK);
    expect(object(0, 4 + MAX_OBJECTIONS)).toBe(CAPACITY);
    startCycle(validatorAt(9), 2, LAUNCH);
    expect(object(0, 4 + MAX_OBJECTIONS)).toBe(OK);
  });
});
