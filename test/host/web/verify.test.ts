// The pace of a verification.

import { expect, it } from 'vitest';
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
  expect(pace).toEqual({ share: 0.6, ordersLeft: 400, transactionsPerSec: 500, secsLeft: 8 });
});

it('gives no time left while there is too little data', () => {
  expect(paceOf(at(0, 0), at(0, 0)).secsLeft).toBeUndefined();
  expect(paceOf(at(0, 0), { ...at(0, 3), toOrder: 0 })).toEqual({
    share: 0,
    ordersLeft: 0,
    transactionsPerSec: 0,
    secsLeft: undefined,
  });
  expect(paceOf(at(0, 0), at(2000, 1)).share).toBe(1);
});
