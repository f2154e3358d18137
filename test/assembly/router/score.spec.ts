// Points, ceilings and classes of protocol 6.16.

import {
  CLASS_NEW_FEW,
  CLASS_NEW_SOME,
  CLASS_TRUSTED,
  classOf,
  isNewcomer,
  loadShare,
  lowestClass,
  PRICE_POINTS,
  priceShare,
  recordShare,
  tagShare,
} from '../../../assembly/router/score';
import { freshState, newAgent, TOKEN } from '../support/state';

// Largest budget, in tokens, that a record admits, up to 60.
function ceiling(completed: u32, averageBp: u64, isNew: bool): u64 {
  let tokens: u64 = 0;
  while (tokens < 60 && classOf(completed, averageBp, isNew) >= lowestClass((tokens + 1) * TOKEN)) tokens++;
  return tokens;
}

describe('points', () => {
  it('of a record: 6 parts mean score, 4 parts completion rate, 3000 at most', () => {
    expect(recordShare(10000, 10000)).toBe(3000);
    expect(recordShare(0, 0)).toBe(0);
    // (6 * 9000 + 4 * 9600) / 10 = 9240
    expect(recordShare(9000, 9600)).toBe(2772);
    // (6 * 8333 + 4 * 6666) / 10 = 7666.2, floored before it is multiplied: 2299.8
    expect(recordShare(8333, 6666)).toBe(2299);
  });

  it('of a price: for the rest of the budget', () => {
    expect(priceShare(PRICE_POINTS, 2 * TOKEN, TOKEN / 2)).toBe(1125);
    expect(priceShare(PRICE_POINTS, 2 * TOKEN, 0)).toBe(1500);
    expect(priceShare(PRICE_POINTS, 2 * TOKEN, 2 * TOKEN)).toBe(0);
    expect(priceShare(PRICE_POINTS, 2 * TOKEN, 1)).toBe(1499);
    expect(priceShare(3000, 9007199254740991, 1)).toBe(2999);
  });

  it('of free capacity and of common tags', () => {
    expect(loadShare(1, 0)).toBe(1500);
    expect(loadShare(3, 1)).toBe(1000);
    expect(loadShare(7, 6)).toBe(214);
    expect(tagShare(1, 3)).toBe(666);
    expect(tagShare(2, 2)).toBe(2000);
    expect(tagShare(0, 0)).toBe(0);
  });
});

describe('ceilings', () => {
  it('follow the completions in the category, for newcomers and others alike', () => {
    expect(ceiling(0, 0, true)).toBe(2);
    expect(ceiling(2, 10000, false)).toBe(2);
    expect(ceiling(3, 0, true)).toBe(5);
    expect(ceiling(9, 10000, false)).toBe(5);
    expect(ceiling(10, 0, false)).toBe(20);
    expect(ceiling(49, 10000, false)).toBe(20);
    expect(ceiling(50, 0, false)).toBe(50);
    expect(ceiling(99, 10000, false)).toBe(50);
    expect(ceiling(100, 8000, false)).toBe(50);
    expect(ceiling(100, 8001, false)).toBe(60);
  });

  it('admit their own amount and nothing above', () => {
    expect(lowestClass(2 * TOKEN) <= CLASS_NEW_FEW).toBe(true);
    expect(lowestClass(2 * TOKEN + 1)).toBe(CLASS_NEW_SOME);
    expect(lowestClass(50 * TOKEN) < CLASS_TRUSTED).toBe(true);
    expect(lowestClass(50 * TOKEN + 1)).toBe(CLASS_TRUSTED);
  });

  it('apply to newcomers: fewer than 10 completions in total', () => {
    freshState();
    const agent = newAgent(1, 0, 0);
    agent.completed = 9;
    expect(isNewcomer(agent)).toBe(true);
    agent.completed = 10;
    expect(isNewcomer(agent)).toBe(false);
  });
});
