// Weights and required stake with the examples of protocol 6.7 and 6.9.

import { VALIDATOR_PROBATION, VALIDATOR_SUSPENDED } from '../../../assembly/abi';
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

  it('uses the higher of score and baseline, and is 0 unless active', () => {
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
