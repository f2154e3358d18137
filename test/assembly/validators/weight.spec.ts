// Weights and required stake with the examples of protocol 6.7 and 6.9.

import { VALIDATOR_PROBATION, VALIDATOR_SUSPENDED } from '../../../assembly/abi';
import { noteFee } from '../../../assembly/credit/standing';
import { operatorOf } from '../../../assembly/validators/validators';
import {
  addJudge,
  allJudge,
  beginJudges,
  endJudges,
  holdWeight,
  requiredStakeFor,
  rollWeights,
  totalVoteWeight,
  validatorReputationBp,
  voteWeight,
  weightOf,
} from '../../../assembly/validators/weight';
import { freshState, LAUNCH, newAgent, newValidator, TOKEN, underKey } from '../support/state';

describe('vote weight', () => {
  it('reputation 8,000 bp and 25,000 tokens: 20,000,000,000', () => {
    expect(weightOf(8000, 25000 * TOKEN)).toBe(20000000000);
  });

  it('uses the higher of score and baseline, and is 0 unless active', () => {
    freshState();
    const active = newValidator(0, 25000 * TOKEN, 5000);
    allJudge(LAUNCH);
    expect(voteWeight(active, LAUNCH)).toBe(12500000000);
    const operator = operatorOf(active);
    operator.completed = 80;
    // A score without standing adds nothing: 6.17. 50 tokens of fees carry 500 of weight, 200 bp of this stake.
    expect(validatorReputationBp(active, LAUNCH)).toBe(5000);
    const other = newAgent(100, 0, 0);
    noteFee(operator, other, 50 * TOKEN, LAUNCH);
    expect(validatorReputationBp(active, LAUNCH)).toBe(5200);
    operator.completed = 51;
    expect(validatorReputationBp(active, LAUNCH)).toBe(5100);
    operator.completed = 80;
    for (let n: u64 = 101; n < 160; n++) noteFee(operator, underKey(other, n), 50 * TOKEN, LAUNCH);
    expect(validatorReputationBp(active, LAUNCH)).toBe(8000);
    holdWeight(active, LAUNCH);
    expect(voteWeight(active, LAUNCH)).toBe(20000000000);
    expect(voteWeight(newValidator(1, 25000 * TOKEN, 9000, VALIDATOR_PROBATION), LAUNCH)).toBe(0);
    expect(voteWeight(newValidator(2, 25000 * TOKEN, 9000, VALIDATOR_SUSPENDED), LAUNCH)).toBe(0);
    expect(totalVoteWeight(LAUNCH)).toBe(20000000000);
  });
});

// protocol 6.9, examples: one seat with 12,500 and applicants with 5,000 each (thousands of token units).
describe('new weight', () => {
  it('counts in full up to a quarter of the held weight', () => {
    freshState();
    newValidator(0, 25000 * TOKEN, 5000);
    const fresh = newValidator(1, 6000 * TOKEN, 5000);
    fresh.heldWeight = 0;
    allJudge(LAUNCH);
    expect(voteWeight(fresh, LAUNCH)).toBe(3000000000);
    operatorOf(fresh).staked = 7000 * TOKEN;
    allJudge(LAUNCH);
    expect(voteWeight(fresh, LAUNCH)).toBe(3125000000);
  });

  it('is scaled down alike for all who have some', () => {
    freshState();
    const seat = newValidator(0, 25000 * TOKEN, 5000);
    const first = newValidator(1, 10000 * TOKEN, 5000);
    const second = newValidator(2, 40000 * TOKEN, 5000);
    first.heldWeight = 0;
    second.heldWeight = 0;
    expect(totalVoteWeight(LAUNCH)).toBe(15625000000);
    expect(voteWeight(seat, LAUNCH)).toBe(12500000000);
    expect(voteWeight(first, LAUNCH)).toBe(625000000);
    expect(voteWeight(second, LAUNCH)).toBe(2500000000);
  });

  it('counts in full where nobody has held weight, and not at all where only those who may not judge have', () => {
    freshState();
    const first = newValidator(0, 10000 * TOKEN, 5000);
    first.heldWeight = 0;
    allJudge(LAUNCH);
    expect(voteWeight(first, LAUNCH)).toBe(5000000000);
    newValidator(1, 25000 * TOKEN, 5000);
    beginJudges();
    addJudge(first, LAUNCH);
    endJudges(LAUNCH);
    expect(voteWeight(first, LAUNCH)).toBe(0);
  });

  it('becomes held by a thirtieth a day, once a day', () => {
    freshState();
    newValidator(0, 25000 * TOKEN, 5000);
    const fresh = newValidator(1, 40000 * TOKEN, 5000);
    fresh.heldWeight = 0;
    rollWeights(LAUNCH);
    expect(fresh.heldWeight).toBe(104166667);
    rollWeights(LAUNCH);
    expect(fresh.heldWeight).toBe(104166667);
    rollWeights(LAUNCH + 86400);
    expect(fresh.heldWeight).toBeGreaterThan(208000000);
  });

  it('is what a validator gets back after it withdrew stake', () => {
    freshState();
    const seat = newValidator(0, 25000 * TOKEN, 5000);
    operatorOf(seat).staked = 5000 * TOKEN;
    rollWeights(LAUNCH);
    expect(seat.heldWeight).toBe(2500000000);
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
