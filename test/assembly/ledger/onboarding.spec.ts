// Grants at the edges of their tiers (protocol 6.11).

import { POOL_ECOSYSTEM } from '../../../assembly/abi';
import { balanceOf, move, poolBalance, poolOf } from '../../../assembly/ledger/money';
import { grantTier, nextGrant } from '../../../assembly/ledger/onboarding';
import { header } from '../../../assembly/state/header';
import { freshState, newAgent, TOKEN } from '../support/state';

describe('onboarding', () => {
  it('grants the 1,000th agent 50,000 tokens and the 1,001st 10,000', () => {
    expect(grantTier(999)).toBe(50000 * TOKEN);
    expect(grantTier(1000)).toBe(10000 * TOKEN);
    expect(grantTier(9999)).toBe(10000 * TOKEN);
    expect(grantTier(10000)).toBe(1000 * TOKEN);
    expect(grantTier(99999)).toBe(1000 * TOKEN);
    expect(grantTier(100000)).toBe(100 * TOKEN);
    expect(grantTier(799999)).toBe(100 * TOKEN);
    expect(grantTier(800000)).toBe(0);
  });

  it('sums to exactly genesis:ecosystem', () => {
    let sum: u64 = 0;
    for (let n: u32 = 0; n < 800001; n++) sum += grantTier(n);
    freshState();
    expect(sum).toBe(poolBalance(POOL_ECOSYSTEM));
  });

  it('never grants more than the pool holds', () => {
    freshState();
    const held = poolBalance(POOL_ECOSYSTEM);
    move(poolOf(POOL_ECOSYSTEM), balanceOf(newAgent(1, 0, 0)), held - 7);
    expect(nextGrant()).toBe(7);
    header().grantCount = 800000;
    expect(nextGrant()).toBe(0);
  });
});
