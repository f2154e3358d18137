// The circuit breaker of the replay reserves and its refill (protocol 6.3).

import { POOL_REPLAY_CODE, POOL_REPLAY_DATA, POOL_REWARDS, POOL_TREASURY } from '../../../assembly/abi';
import { move, poolBalance, poolOf, SUPPLY } from '../../../assembly/ledger/money';
import { rebuildTimers } from '../../../assembly/run/attach';
import { fullSupply } from '../../../assembly/run/audit';
import { fireTimers } from '../../../assembly/run/timers';
import { nextDeadlineSecs } from '../../../assembly/state/timers';
import { drawFromReserve, isReserveBlocked } from '../../../assembly/tasks/reserves';
import { freshState, LAUNCH, TOKEN } from '../support/state';

const DAY: u64 = 86400;

describe('replay reserve', () => {
  it('trips below 10 tokens, and is refilled a day later', () => {
    freshState();
    drawFromReserve(POOL_REPLAY_CODE, poolOf(POOL_TREASURY), 40 * TOKEN, LAUNCH);
    expect(isReserveBlocked(POOL_REPLAY_CODE)).toBe(false);
    expect(nextDeadlineSecs()).toBe(0);
    drawFromReserve(POOL_REPLAY_CODE, poolOf(POOL_TREASURY), 1, LAUNCH + 5);
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

  it('pays no more than it holds', () => {
    freshState();
    expect(drawFromReserve(POOL_REPLAY_CODE, poolOf(POOL_TREASURY), 60 * TOKEN, LAUNCH)).toBe(50 * TOKEN);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(0);
  });

  it('is refilled as far as the treasury can pay, and tries again', () => {
    freshState();
    drawFromReserve(POOL_REPLAY_CODE, poolOf(POOL_TREASURY), 50 * TOKEN, LAUNCH);
    const held = poolBalance(POOL_TREASURY);
    move(poolOf(POOL_TREASURY), poolOf(POOL_REWARDS), held - 3);
    fireTimers(LAUNCH + DAY);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(3);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 2 * DAY);
    move(poolOf(POOL_REWARDS), poolOf(POOL_TREASURY), held - 3);
    fireTimers(LAUNCH + 2 * DAY);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(50 * TOKEN);
  });

  it('takes nothing if it is above the target by then', () => {
    freshState();
    drawFromReserve(POOL_REPLAY_CODE, poolOf(POOL_TREASURY), 45 * TOKEN, LAUNCH);
    move(poolOf(POOL_TREASURY), poolOf(POOL_REPLAY_CODE), 70 * TOKEN);
    fireTimers(LAUNCH + DAY);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(75 * TOKEN);
  });

  it('keeps its pending refill after an import', () => {
    freshState();
    drawFromReserve(POOL_REPLAY_DATA, poolOf(POOL_TREASURY), 45 * TOKEN, LAUNCH);
    rebuildTimers();
    expect(nextDeadlineSecs()).toBe(LAUNCH + DAY);
    fireTimers(LAUNCH + DAY);
    expect(poolBalance(POOL_REPLAY_DATA)).toBe(50 * TOKEN);
  });
});
