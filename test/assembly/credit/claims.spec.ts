// What backs open claims: the examples of protocol 6.7.

import {
  backingNeeded,
  claimBacking,
  claimedStake,
  maxClaimedBudget,
  maxClaims,
} from '../../../assembly/credit/claims';
import { noteFees, workerOf } from '../../../assembly/credit/workers';
import { freshState, newAgent, TOKEN } from '../support/state';

describe('open claims', () => {
  it('one of up to 1,000 tokens needs nothing', () => {
    freshState();
    expect(claimBacking(newAgent(1, 500 * TOKEN, 0))).toBe(0, 'a balance backs nothing');
    expect(maxClaims(0)).toBe(1);
    expect(maxClaimedBudget(0)).toBe(1000 * TOKEN);
    expect(backingNeeded(0, 0)).toBe(0);
    expect(backingNeeded(1, 1000 * TOKEN)).toBe(0);
    expect(backingNeeded(1, 1000 * TOKEN + 1)).toBe(1);
  });

  it('stake backs one more for each 100 tokens, up to twenty', () => {
    freshState();
    expect(maxClaims(250 * TOKEN)).toBe(3);
    expect(maxClaimedBudget(250 * TOKEN)).toBe(1250 * TOKEN);
    expect(maxClaims(100 * TOKEN - 1)).toBe(1);
    expect(maxClaims(1900 * TOKEN)).toBe(20);
    expect(maxClaims(1000000 * TOKEN)).toBe(20);
    expect(backingNeeded(20, 0)).toBe(1900 * TOKEN);
    expect(backingNeeded(20, 2900 * TOKEN + 7)).toBe(1900 * TOKEN + 7);
  });

  it('a token of fees backs as much as 100 tokens of stake', () => {
    freshState();
    const agent = newAgent(1, 0, 30 * TOKEN);
    noteFees(0, 10000);
    expect(claimBacking(agent)).toBe(31 * TOKEN);
    noteFees(0, TOKEN - 10000);
    expect(claimBacking(agent)).toBe(130 * TOKEN);
  });

  it('keeps the stake that claims need, as far as fees do not back them', () => {
    freshState();
    const agent = newAgent(1, 0, 400 * TOKEN);
    const worker = workerOf(0);
    worker.claimed = 3;
    worker.claimedBudget = 1250 * TOKEN;
    expect(claimedStake(agent)).toBe(250 * TOKEN);
    noteFees(0, TOKEN);
    expect(claimedStake(agent)).toBe(150 * TOKEN);
    noteFees(0, 2 * TOKEN);
    expect(claimedStake(agent)).toBe(0);
  });
});
