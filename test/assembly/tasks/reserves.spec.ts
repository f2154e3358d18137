// The circuit breaker of the replay reserves and its refill (DECISIONS 6.3).

import { POOL_REPLAY_CODE, POOL_REPLAY_DATA, POOL_TREASURY } from '../../../assembly/abi';
import { creditPool, debitPool, poolBalance, SUPPLY } from '../../../assembly/ledger/money';
import { rebuildTimers } from '../../../assembly/run/attach';
import { fullSupply } from '../../../assembly/run/audit';
import { fireTimers } from '../../../assembly/run/timers';
import { nextDeadlineSecs } from '../../../assembly/state/timers';
import { drawFromReserve, isReserveBlocked } from '../../../assembly/tasks/reserves';
import { freshState, LAUNCH, TOKEN } from '../support/state';

const DAY: u64 = 86400;

describe('replay reserve', () => {
  it('trips below 10 tokens, and is full again a day later', () => {
    freshState();
    creditPool(POOL_TREASURY, drawFromReserve(POOL_REPLAY_CODE, 40 * TOKEN, LAUNCH));
    expect(isReserveBlocked(POOL_REPLAY_CODE)).toBe(false);
    expect(nextDeadlineSecs()).toBe(0);
    creditPool(POOL_TREASURY, drawFromReserve(POOL_REPLAY_CODE, 1, LAUNCH + 5));
    expect(isReserveBlocked(POOL_REPLAY_CODE)).toBe(true);
    expect(isReserveBlocked(POOL_REPLAY_DATA)).toBe(false);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 5 + DAY);
    fireTimers(LAUNCH + 4 + DAY);
    expect(isReserveBlocked(POOL_REPLAY_CODE)).toBe(true);
    fireTimers(LAUNCH + 5 + DAY);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(50 * TOKEN);
    expect(nextDeadlineSecs()).toBe(0);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('gives no more than it holds', () => {
    freshState();
    const taken = drawFromReserve(POOL_REPLAY_CODE, 60 * TOKEN, LAUNCH);
    creditPool(POOL_TREASURY, taken);
    expect(taken).toBe(50 * TOKEN);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(0);
  });

  it('is refilled as far as the treasury reaches, and tries again', () => {
    freshState();
    creditPool(POOL_TREASURY, drawFromReserve(POOL_REPLAY_CODE, 50 * TOKEN, LAUNCH));
    const held = poolBalance(POOL_TREASURY);
    debitPool(POOL_TREASURY, held - 3);
    fireTimers(LAUNCH + DAY);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(3);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 2 * DAY);
    creditPool(POOL_TREASURY, held - 3);
    fireTimers(LAUNCH + 2 * DAY);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(50 * TOKEN);
  });

  it('one that filled up by itself takes nothing more', () => {
    freshState();
    creditPool(POOL_TREASURY, drawFromReserve(POOL_REPLAY_CODE, 45 * TOKEN, LAUNCH));
    debitPool(POOL_TREASURY, 70 * TOKEN);
    creditPool(POOL_REPLAY_CODE, 70 * TOKEN);
    fireTimers(LAUNCH + DAY);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(75 * TOKEN);
  });

  it('keeps its refill over an import', () => {
    freshState();
    creditPool(POOL_TREASURY, drawFromReserve(POOL_REPLAY_DATA, 45 * TOKEN, LAUNCH));
    rebuildTimers();
    expect(nextDeadlineSecs()).toBe(LAUNCH + DAY);
    fireTimers(LAUNCH + DAY);
    expect(poolBalance(POOL_REPLAY_DATA)).toBe(50 * TOKEN);
  });
});
