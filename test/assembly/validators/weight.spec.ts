// Weights, required stake, calibration and assignment weight with the examples of DECISIONS 6.7 and 6.9.

import { VALIDATOR_ACTIVE, VALIDATOR_PROBATION, VALIDATOR_SUSPENDED } from '../../../assembly/abi';
import { header } from '../../../assembly/state/header';
import {
  assignmentWeight,
  assignmentWeightBp,
  calibrationAt,
  calibrationBp,
  countVote,
} from '../../../assembly/validators/calibration';
import { operatorOf } from '../../../assembly/validators/validators';
import {
  requiredStakeFor,
  totalVoteWeight,
  validatorReputationBp,
  voteWeight,
  weightOf,
} from '../../../assembly/validators/weight';
import { freshState, LAUNCH, newValidator, TOKEN } from '../support/state';

describe('vote weight', () => {
  it('reputation 8,000 bp and 25,000 tokens: 20,000,000,000', () => {
    expect(weightOf(8000, 25000 * TOKEN)).toBe(20000000000);
  });

  it('takes the better of score and baseline, and is 0 unless active', () => {
    freshState();
    const active = newValidator(0, 25000 * TOKEN, 5000);
    expect(voteWeight(active, LAUNCH)).toBe(12500000000);
    operatorOf(active).completed = 80;
    expect(validatorReputationBp(active, LAUNCH)).toBe(8000);
    expect(voteWeight(active, LAUNCH)).toBe(20000000000);
    expect(voteWeight(newValidator(1, 25000 * TOKEN, 9000, VALIDATOR_PROBATION), LAUNCH)).toBe(0);
    expect(voteWeight(newValidator(2, 25000 * TOKEN, 9000, VALIDATOR_SUSPENDED), LAUNCH)).toBe(0);
    expect(totalVoteWeight(LAUNCH)).toBe(20000000000);
  });
});

describe('required stake', () => {
  it('V 1,200,000, n 12, M 400,000 tokens: 120,000 tokens', () => {
    expect(requiredStakeFor(1200000 * TOKEN, 12, 400000 * TOKEN)).toBe(120000 * TOKEN);
    expect(requiredStakeFor(1200000 * TOKEN, 12, 0)).toBe(50000 * TOKEN);
    expect(requiredStakeFor(0, 0, 0)).toBe(10000 * TOKEN);
    expect(requiredStakeFor(100000 * TOKEN, 0, 0)).toBe(50000 * TOKEN);
  });
});

describe('calibration', () => {
  it('needs 20 signals and has three steps', () => {
    expect(calibrationBp(19, 0)).toBe(10000);
    expect(calibrationBp(20, 18)).toBe(12000);
    expect(calibrationBp(10000, 8999)).toBe(10000);
    expect(calibrationBp(10000, 9000)).toBe(12000);
    expect(calibrationBp(20, 12)).toBe(10000);
    expect(calibrationBp(10000, 5999)).toBe(7000);
  });

  it('accuracy 9,300 in probation: 3,600', () => {
    expect(assignmentWeightBp(calibrationBp(10000, 9300), VALIDATOR_PROBATION)).toBe(3600);
    expect(assignmentWeightBp(calibrationBp(10000, 9300), VALIDATOR_ACTIVE)).toBe(12000);
  });

  it('counts for the category and over all', () => {
    freshState();
    const validator = newValidator(0, TOKEN, 5000);
    countVote(0, 7, true);
    countVote(0, 1, false);
    countVote(0, 1, true);
    countVote(0, 3, true);
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

  it('a full table counts on over all only', () => {
    freshState();
    const validator = newValidator(0, TOKEN, 5000);
    for (let category: u32 = 0; category < 60; category++) countVote(0, category, false);
    expect(validator.votesDecided).toBe(60);
    expect(header().calibrationCount).toBe(50);
    for (let i = 0; i < 20; i++) countVote(0, 55, false);
    expect(assignmentWeight(0, 55)).toBe(10000);
    for (let i = 0; i < 20; i++) countVote(0, 5, false);
    expect(assignmentWeight(0, 5)).toBe(7000);
  });
});
