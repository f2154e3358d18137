// What may be drawn from the replay reserves, the circuit breaker and the refill (protocol 6.3, 6.4).

import { POOL_REPLAY_CODE, POOL_REPLAY_DATA, POOL_REWARDS, POOL_TREASURY } from '../../../assembly/abi';
import { noteFees } from '../../../assembly/credit/workers';
import { agentIndex } from '../../../assembly/ledger/agents';
import { move, poolBalance, poolOf, SUPPLY } from '../../../assembly/ledger/money';
import { rebuildTimers } from '../../../assembly/run/attach';
import { fullSupply } from '../../../assembly/run/audit';
import { fireTimers } from '../../../assembly/run/timers';
import { header } from '../../../assembly/state/header';
import { nextDeadlineSecs } from '../../../assembly/state/timers';
import { paysForReplay } from '../../../assembly/tasks/replays';
import { drawFromReserve, isReserveBlocked } from '../../../assembly/tasks/reserves';
import { freshState, LAUNCH, newAgent, TOKEN } from '../support/state';

const DAY: u64 = 86400;

/** A new agent with such fees behind it. */
function poster(fees: u64): u32 {
  const index = agentIndex(newAgent(100 + header().agentCount, 0, 0));
  noteFees(index, fees);
  return index;
}

/** Draws for one poster, to the treasury. */
function draw(index: u32, amount: u64, nowSecs: u64 = LAUNCH, reserve: u32 = POOL_REPLAY_CODE): u64 {
  return drawFromReserve(reserve, index, poolOf(POOL_TREASURY), amount, nowSecs);
}

/** Draws an amount for as many posters with fees behind them as it takes. */
function drain(amount: u64, nowSecs: u64 = LAUNCH, reserve: u32 = POOL_REPLAY_CODE): void {
  while (amount > 0) amount -= draw(poster(10 * TOKEN), amount, nowSecs, reserve);
}

describe('draws', () => {
  it('5 tokens for a poster on a day, from any reserve', () => {
    freshState();
    const one = poster(0);
    expect(draw(one, 4100000)).toBe(4100000);
    expect(draw(one, 4100000, LAUNCH, POOL_REPLAY_DATA)).toBe(900000);
    expect(draw(one, 1)).toBe(0);
    expect(draw(poster(0), 4100000)).toBe(4100000);
    expect(draw(one, 4100000, LAUNCH + DAY)).toBe(4100000);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(37700000);
  });

  it('the upper half only without 10 tokens of fees', () => {
    freshState();
    drain(23 * TOKEN);
    expect(draw(poster(10 * TOKEN - 1), 4100000)).toBe(2 * TOKEN);
    expect(draw(poster(10 * TOKEN - 1), 4100000)).toBe(0);
    expect(draw(poster(10 * TOKEN), 4100000)).toBe(4100000);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(20900000);
    expect(draw(poster(0), 4100000)).toBe(0);
  });

  it('no more than the reserve holds', () => {
    freshState();
    drain(48 * TOKEN);
    expect(draw(poster(10 * TOKEN), 4100000)).toBe(2 * TOKEN);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(0);
    expect(fullSupply()).toBe(SUPPLY);
  });
});

describe('circuit breaker', () => {
  it('trips below 10 tokens', () => {
    freshState();
    drain(40 * TOKEN);
    expect(isReserveBlocked(POOL_REPLAY_CODE)).toBe(false);
    drain(1);
    expect(isReserveBlocked(POOL_REPLAY_CODE)).toBe(true);
    expect(isReserveBlocked(POOL_REPLAY_DATA)).toBe(false);
  });

  it('a fee from 11.111112 tokens on pays for its replay', () => {
    expect(paysForReplay(11111111)).toBe(false);
    expect(paysForReplay(11111112)).toBe(true);
  });
});

describe('refill', () => {
  it('comes a day after a reserve reached half of its target', () => {
    freshState();
    drain(25 * TOKEN - 1);
    expect(nextDeadlineSecs()).toBe(0);
    drain(1, LAUNCH + 5);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 5 + DAY);
    fireTimers(LAUNCH + 4 + DAY);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(25 * TOKEN);
    fireTimers(LAUNCH + 5 + DAY);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(50 * TOKEN);
    expect(nextDeadlineSecs()).toBe(0);
    expect(fullSupply()).toBe(SUPPLY);
  });

  it('goes as far as the treasury can pay, and tries again', () => {
    freshState();
    drain(50 * TOKEN);
    const held = poolBalance(POOL_TREASURY);
    move(poolOf(POOL_TREASURY), poolOf(POOL_REWARDS), held - 3);
    fireTimers(LAUNCH + DAY);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(3);
    expect(nextDeadlineSecs()).toBe(LAUNCH + 2 * DAY);
    move(poolOf(POOL_REWARDS), poolOf(POOL_TREASURY), held - 3);
    fireTimers(LAUNCH + 2 * DAY);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(50 * TOKEN);
  });

  it('takes nothing if the reserve is above the target by then', () => {
    freshState();
    drain(45 * TOKEN);
    move(poolOf(POOL_TREASURY), poolOf(POOL_REPLAY_CODE), 70 * TOKEN);
    fireTimers(LAUNCH + DAY);
    expect(poolBalance(POOL_REPLAY_CODE)).toBe(75 * TOKEN);
  });

  it('is still pending after an import', () => {
    freshState();
    drain(45 * TOKEN, LAUNCH, POOL_REPLAY_DATA);
    rebuildTimers();
    expect(nextDeadlineSecs()).toBe(LAUNCH + DAY);
    fireTimers(LAUNCH + DAY);
    expect(poolBalance(POOL_REPLAY_DATA)).toBe(50 * TOKEN);
  });
});
