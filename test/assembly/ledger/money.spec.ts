// Movements keep the sum, and amounts that are not there stop the core.

import { POOL_COUNT, POOL_FAUCET, POOL_PUBLIC, POOL_REPLAY_CODE, POOL_TREASURY } from '../../../assembly/abi';
import {
  baseFee,
  creditBalance,
  debitBalance,
  debitPool,
  lockEscrow,
  poolBalance,
  releaseEscrow,
  SUPPLY,
} from '../../../assembly/ledger/money';
import { mulDiv } from '../../../assembly/lib/u128';
import { fullSupply } from '../../../assembly/run/audit';
import { voterCut } from '../../../assembly/settlement/voter-fees';
import { header } from '../../../assembly/state/header';
import { freshState, newAgent, TOKEN } from '../support/state';

describe('pools of genesis', () => {
  it('sum to the supply, with faucet and replay reserves taken out (6.1)', () => {
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

describe('fees (6.2)', () => {
  it('of 12,345,678: fee 12,345, cut 9,876, weights 3:1 get 7,407 and 2,469', () => {
    const fee = baseFee(12345678);
    expect(fee).toBe(12345);
    expect(voterCut(fee)).toBe(9876);
    expect(mulDiv(9876, 3, 4)).toBe(7407);
    expect(mulDiv(9876, 1, 4)).toBe(2469);
  });

  it('floor to nothing below 1,000', () => {
    expect(baseFee(999)).toBe(0);
    expect(baseFee(1000)).toBe(1);
  });
});

describe('movements', () => {
  it('keep the counted and the walked sum', () => {
    freshState();
    const a = newAgent(1, 500, 70);
    lockEscrow(a, 200);
    expect(a.balance).toBe(300);
    expect(a.reserved).toBe(200);
    expect(header().totalEscrowed).toBe(200);
    expect(header().supply).toBe(SUPPLY);
    releaseEscrow(a, 200);
    creditBalance(a, 200);
    expect(header().supply).toBe(SUPPLY);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('stop on what is not there', () => {
    freshState();
    newAgent(1, 5, 0);
    expect(() => {
      debitBalance(newAgent(2, 5, 0), 6);
    }).toThrow();
    expect(() => {
      debitPool(POOL_REPLAY_CODE, 50 * TOKEN + 1);
    }).toThrow();
    expect(() => {
      releaseEscrow(newAgent(3, 5, 0), 1);
    }).toThrow();
  });
});
