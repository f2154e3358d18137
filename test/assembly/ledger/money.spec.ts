// Movements keep the supply, and amounts that an account does not hold stop the core.

import { POOL_COUNT, POOL_FAUCET, POOL_PUBLIC, POOL_REPLAY_CODE, POOL_TREASURY } from '../../../assembly/abi';
import {
  balanceOf,
  baseFee,
  beginSplit,
  endSplit,
  escrowOf,
  issue,
  move,
  payPart,
  poolBalance,
  poolOf,
  replayEscrow,
  SUPPLY,
  stakeOf,
} from '../../../assembly/ledger/money';
import { mulDiv } from '../../../assembly/lib/u128';
import { fullSupply } from '../../../assembly/run/audit';
import { voterCut } from '../../../assembly/settlement/voter-fees';
import { header } from '../../../assembly/state/header';
import { freshState, LAUNCH, newAgent, TOKEN } from '../support/state';

describe('genesis pools', () => {
  it('sum to the supply, with faucet and replay reserves included (protocol 6.1)', () => {
    freshState();
    let sum: u64 = 0;
    for (let pool: u32 = 0; pool < <u32>POOL_COUNT; pool++) sum += poolBalance(pool);
    expect(sum).toBe(1000000000000000);
    expect(SUPPLY).toBe(1000000000000000);
    expect(poolBalance(POOL_FAUCET)).toBe(10000000 * TOKEN);
    expect(poolBalance(POOL_PUBLIC)).toBe(90000000 * TOKEN);
    expect(poolBalance(POOL_TREASURY)).toBe(99999750 * TOKEN);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(50 * TOKEN);
  });
});

describe('fees (protocol 6.2)', () => {
  it('of 12,345,678: fee 12,345, cut 9,876, weights 3:1 get 7,407 and 2,469', () => {
    const fee = baseFee(12345678);
    expect(fee).toBe(12345);
    expect(voterCut(fee)).toBe(9876);
    expect(mulDiv(9876, 3, 4)).toBe(7407);
    expect(mulDiv(9876, 1, 4)).toBe(2469);
  });

  it('are floored to 0 below 1,000', () => {
    expect(baseFee(999)).toBe(0);
    expect(baseFee(1000)).toBe(1);
  });
});

describe('movements', () => {
  it('keep the incremental and the recomputed sum', () => {
    freshState();
    const a = newAgent(1, 500, 70);
    move(balanceOf(a), escrowOf(a), 200);
    expect(a.balance).toBe(300);
    expect(a.reserved).toBe(200);
    expect(header().totalEscrowed).toBe(200);
    expect(header().supply).toBe(SUPPLY);
    move(escrowOf(a), balanceOf(a), 200);
    expect(header().supply).toBe(SUPPLY);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('keep the totals of stakes and escrows, and clear the age of an empty stake', () => {
    freshState();
    const a = newAgent(1, 0, 70);
    expect(header().totalStaked).toBe(70);
    expect(a.stakedSinceSecs).toBe(LAUNCH);
    move(stakeOf(a), replayEscrow(), 30);
    expect(header().totalStaked).toBe(40);
    expect(header().totalEscrowed).toBe(30);
    expect(header().replayEscrow).toBe(30);
    expect(a.stakedSinceSecs).toBe(LAUNCH);
    move(stakeOf(a), poolOf(POOL_TREASURY), 40);
    expect(header().totalStaked).toBe(0);
    expect(a.stakedSinceSecs).toBe(0);
    expect(header().supply).toBe(SUPPLY);
  });

  it('between an account and itself change nothing', () => {
    freshState();
    const a = newAgent(1, 500, 0);
    move(balanceOf(a), balanceOf(a), 500);
    expect(a.balance).toBe(500);
  });

  it('stop the core when the source does not hold the amount', () => {
    freshState();
    newAgent(1, 5, 0);
    expect(() => {
      move(balanceOf(newAgent(2, 5, 0)), poolOf(POOL_TREASURY), 6);
    }).toThrow();
    expect(() => {
      move(poolOf(POOL_REPLAY_CODE), poolOf(POOL_TREASURY), 50 * TOKEN + 1);
    }).toThrow();
    expect(() => {
      const a = newAgent(3, 5, 0);
      move(escrowOf(a), balanceOf(a), 1);
    }).toThrow();
  });

  it('stop the core when more is issued than the supply', () => {
    freshState();
    expect(() => {
      issue(POOL_TREASURY, 1);
    }).toThrow();
  });
});

describe('splits', () => {
  it('pay the rest to the last account', () => {
    freshState();
    const a = newAgent(1, 500, 0);
    const treasury = poolBalance(POOL_TREASURY);
    beginSplit(balanceOf(a), 100);
    payPart(escrowOf(a), 60);
    payPart(poolOf(POOL_FAUCET), 33);
    expect(endSplit(poolOf(POOL_TREASURY))).toBe(7);
    expect(a.balance).toBe(400);
    expect(a.reserved).toBe(60);
    expect(poolBalance(POOL_TREASURY) - treasury).toBe(7);
    expect(header().supply).toBe(SUPPLY);
  });

  it('stop the core when the parts exceed the amount', () => {
    freshState();
    expect(() => {
      beginSplit(poolOf(POOL_TREASURY), 100);
      payPart(poolOf(POOL_FAUCET), 60);
      payPart(poolOf(POOL_FAUCET), 41);
    }).toThrow();
    // The split that trapped is still open.
    endSplit(poolOf(POOL_TREASURY));
  });
});
