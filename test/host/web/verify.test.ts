// The pace of a verification, and the comparison of two balances.

import { expect, it } from 'vitest';
import { compare } from '../../../host/web/verify/compare.ts';
import { paceOf } from '../../../host/web/verify/pace.ts';
import type { VerifyProgress } from '../../../host/web/verify/worker-messages.ts';

const at = (order: number, seconds: number, transactions = 0): VerifyProgress => ({
  phase: 'running',
  order,
  toOrder: 1000,
  epoch: 0,
  transactions,
  signatures: 0,
  checkpoints: 0,
  bytes: 0,
  seconds,
});

it('counts from where this run began, not from stored progress', () => {
  const pace = paceOf(at(400, 0, 5000), at(600, 4, 7000));
  expect(pace).toEqual({ share: 0.6, transactionsPerSec: 500, secsLeft: 8 });
});

it('gives no time left while there is too little data', () => {
  expect(paceOf(at(0, 0), at(0, 0)).secsLeft).toBeUndefined();
  expect(paceOf(at(0, 0), { ...at(0, 3), toOrder: 0 })).toEqual({
    share: 0,
    transactionsPerSec: 0,
    secsLeft: undefined,
  });
  expect(paceOf(at(0, 0), at(2000, 1)).share).toBe(1);
});

it('two balances contradict each other only at the same order number', () => {
  const checked = { agent_id: 'a', balance: 5, staked: 1, order: 9 };
  expect(compare({ balance: 5, staked: 1, order: 12 }, checked)).toBe('equal');
  expect(compare({ balance: 6, staked: 1, order: 12 }, checked)).toBe('moved_on');
  expect(compare({ balance: 6, staked: 1, order: 9 }, checked)).toBe('different');
  expect(compare({ balance: 5, staked: 2, order: 9 }, checked)).toBe('different');
  expect(compare({ balance: 5, staked: 1, order: 9 }, undefined)).toBe('unknown');
});
