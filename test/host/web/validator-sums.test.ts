// Vote weight and income on the page, by the examples of protocol 6.2 and 6.9.

import { expect, it } from 'vitest';
import type { LedgerEvent } from '../../../host/client/index.ts';
import { feeShare, tallyOf, verdictOn, voteWeight } from '../../../host/web/validators/sums.ts';

const TOKEN = 1_000_000n;

it('weighs as protocol 6.9 says', () => {
  const plan = { stake: 25_000n * TOKEN, score: 8000n, baseline: 5000n };
  expect(voteWeight({ ...plan, standing: 750n * TOKEN })).toBe(20_000_000_000n);
  expect(voteWeight({ ...plan, standing: 50n * TOKEN })).toBe(13_000_000_000n);
  expect(voteWeight({ ...plan, standing: 0n })).toBe(12_500_000_000n);
  // Below the baseline the baseline counts.
  expect(voteWeight({ ...plan, standing: 750n * TOKEN, score: 100n })).toBe(12_500_000_000n);
  expect(voteWeight({ ...plan, stake: 0n, standing: 1n })).toBe(0n);
});

it('shares a fee as protocol 6.2 says', () => {
  expect([feeShare(12_345n, 3n, 4n), feeShare(12_345n, 1n, 4n)]).toEqual([7407n, 2469n]);
  expect(feeShare(12_345n, 3n, 0n)).toBe(0n);
});

const event = (more: Partial<LedgerEvent>): LedgerEvent =>
  ({
    event_id: 'e',
    event_type: 'transfer',
    fee: 12_345,
    settlement_reason: 'verified',
    voters: [
      { validator_id: 'v1', verdict: true, weight: 3, timestamp: 7 },
      { validator_id: 'v2', verdict: true, weight: 1, timestamp: 8 },
      { validator_id: 'v3', verdict: false, weight: 1, timestamp: 9 },
    ],
    ...more,
  }) as LedgerEvent;

it('says of a verdict whether it was right, and what it brought', () => {
  expect(verdictOn(event({}), 'v1')).toMatchObject({ isRight: true, income: 7407, approves: true });
  expect(verdictOn(event({}), 'v3')).toMatchObject({ isRight: false, income: 0, timestamp: 9 });
  expect(verdictOn(event({}), 'v4')).toBeUndefined();
  expect(verdictOn(event({ settlement_reason: 'expired' }), 'v1')).toMatchObject({
    isRight: undefined,
    income: undefined,
  });
  expect(verdictOn(event({ event_type: 'task_submitted' }), 'v1')).toMatchObject({
    isRight: true,
    income: undefined,
  });
  const rejected = event({ settlement_reason: 'rejected', fee: 0 });
  expect(verdictOn(rejected, 'v3')).toMatchObject({ isRight: true, income: 0 });
  expect(verdictOn({ ...event({}), voters: undefined } as unknown as LedgerEvent, 'v1')).toBeUndefined();
});

it('adds up verdicts, of which those without a quorum are neither right nor wrong', () => {
  const expired = event({ settlement_reason: 'expired' });
  const all = [event({}), event({ event_type: 'task_submitted' }), expired].map(
    (one) => verdictOn(one, 'v1')!,
  );
  expect(tallyOf(all)).toEqual({ decided: 2, right: 2, income: 7407 });
  expect(tallyOf([verdictOn(event({}), 'v3')!])).toEqual({ decided: 1, right: 0, income: 0 });
});
