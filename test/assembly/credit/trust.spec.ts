// Trust with the examples of protocol 6.8.

import { addStake, slashToTreasury, weightedSince } from '../../../assembly/credit/stake';
import { noteFee, standingOf } from '../../../assembly/credit/standing';
import {
  daysStaked,
  decayedTasks,
  effectiveTasks,
  multiplierFor,
  trustLimit,
} from '../../../assembly/credit/trust';
import { balanceOf, move, stakeOf } from '../../../assembly/ledger/money';
import { freshState, LAUNCH, newAgent, TOKEN, underKey } from '../support/state';

const DAY: u64 = 86400;

describe('multiplier', () => {
  it('needs both columns of each tier', () => {
    expect(multiplierFor(0, 0)).toBe(1);
    expect(multiplierFor(24, 1000)).toBe(1);
    expect(multiplierFor(25, 29)).toBe(1);
    expect(multiplierFor(25, 30)).toBe(2);
    expect(multiplierFor(49, 60)).toBe(2);
    expect(multiplierFor(50, 59)).toBe(2);
    expect(multiplierFor(50, 60)).toBe(3);
    expect(multiplierFor(75, 90)).toBe(4);
    expect(multiplierFor(99, 120)).toBe(4);
    expect(multiplierFor(100, 119)).toBe(4);
    expect(multiplierFor(100, 120)).toBe(5);
    expect(multiplierFor(5000, 5000)).toBe(5);
  });
});

describe('trust limit', () => {
  it('130 tasks, 65 idle days: 80 effective, 4x at 95 days, 1,000 tokens make 4,000', () => {
    expect(decayedTasks(130, 65)).toBe(80);
    freshState();
    const agent = newAgent(1, 0, 1000 * TOKEN);
    agent.completed = 130;
    agent.lastActiveSecs = LAUNCH + 30 * DAY;
    const now = LAUNCH + 95 * DAY;
    expect(effectiveTasks(agent, now)).toBe(80);
    expect(daysStaked(agent, now)).toBe(95);
    // Nothing of it without standing: 6.17. What is left of fees 65 days ago carries five times as much.
    expect(trustLimit(agent, now)).toBe(1000 * TOKEN);
    const other = newAgent(2, 0, 0);
    for (let n: u64 = 10; n < 16; n++) noteFee(agent, underKey(other, n), 50 * TOKEN, LAUNCH + 30 * DAY);
    const standing = standingOf(agent, LAUNCH + 30 * DAY);
    expect(trustLimit(agent, now)).toBe(1000 * TOKEN + 5 * standing);
    for (let n: u64 = 16; n < 60; n++) noteFee(agent, underKey(other, n), 50 * TOKEN, now - 6 * DAY);
    expect(trustLimit(agent, now)).toBe(4000 * TOKEN);
    expect(trustLimit(agent, now - 6 * DAY)).toBe(3000 * TOKEN);
  });

  it('decays by whole periods, not below 0', () => {
    expect(decayedTasks(130, 29)).toBe(130);
    expect(decayedTasks(130, 30)).toBe(105);
    expect(decayedTasks(130, 59)).toBe(105);
    expect(decayedTasks(10, 30)).toBe(0);
    expect(decayedTasks(10, 10000)).toBe(0);
  });

  it('is 0 without stake', () => {
    freshState();
    expect(trustLimit(newAgent(1, 50, 0), LAUNCH + 500 * DAY)).toBe(0);
  });
});

describe('staked_since', () => {
  it('1,000 tokens since 1,700,000,000 and 3,000 at 1,707,776,000: 1,705,832,000', () => {
    expect(weightedSince(1700000000, 1000 * TOKEN, 1707776000, 3000 * TOKEN)).toBe(1705832000);
  });

  it('equals the formula of protocol 6.8 where that fits 64 bits', () => {
    for (let i: u64 = 1; i < 2000; i++) {
      const old = i * 977;
      const added = (i * i) % 7919;
      const since = LAUNCH - i * 31;
      const plain = (since * old + LAUNCH * added) / (old + added);
      expect(weightedSince(since, old, LAUNCH, added)).toBe(plain);
    }
  });

  it('starts with the first stake, stays when part of it is removed, is cleared at zero', () => {
    freshState();
    const agent = newAgent(1, 100, 0);
    addStake(agent, balanceOf(agent), 60, LAUNCH + 5);
    expect(agent.stakedSinceSecs).toBe(LAUNCH + 5);
    move(stakeOf(agent), balanceOf(agent), 59);
    expect(agent.stakedSinceSecs).toBe(LAUNCH + 5);
    expect(slashToTreasury(agent, 5)).toBe(1);
    expect(agent.stakedSinceSecs).toBe(0);
  });
});
