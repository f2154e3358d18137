import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as abi from '../../../assembly/abi.ts';
import { REFUSALS, refusalOf } from '../../../host/core/refusals.ts';
import { ERRORS, ServiceError } from '../../../host/errors.ts';

/** Names of the codes, in order of precedence, as assembly/abi.ts lists them. */
function codeNames(): string[] {
  const text = readFileSync('assembly/abi.ts', 'utf8');
  const part = text.slice(text.indexOf('--- codes'), text.indexOf('--- outcomes'));
  return [...part.matchAll(/export const (\w+) = \d+;/g)]
    .map((m) => m[1]!)
    .filter((n) => !n.startsWith('REASON_'));
}

/** Agents by number, as the host would name them. */
const NAMES = { agentId: (index: number): string => `agent-${index}` };

describe('core codes', () => {
  it('each code except OK is in the table of refusals, and nothing else is', () => {
    const numbers = codeNames()
      .filter((n) => n !== 'OK')
      .map((n) => (abi as unknown as Record<string, number>)[n]!);
    expect(
      Object.keys(REFUSALS)
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual(numbers.sort((a, b) => a - b));
  });

  it('numbers are unique', () => {
    const numbers = codeNames().map((n) => (abi as unknown as Record<string, number>)[n]);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('are of the state, but for those that are about form, time or rate: the others are asked before these are answered', () => {
    const others = Object.keys(REFUSALS)
      .map(Number)
      .filter((code) => !refusalOf(code, [], NAMES).isOfState)
      .map((code) => codeNames().find((name) => (abi as unknown as Record<string, number>)[name] === code));
    expect(others.sort()).toEqual(
      [
        ...['AUTH_REQUIRED', 'COMMIT_RATE', 'DUPLICATE_TX', 'ENTRY_INVALID'],
        ...['INVALID_REQUEST', 'KEY_RATE', 'TX_EXPIRED'],
      ].sort(),
    );
    // A full table is of the state, a full queue of this node is not: to ask for each would cost most when there is most to do.
    expect(refusalOf(abi.CAPACITY, [], NAMES)).toMatchObject({ code: 'overloaded', isOfState: true });
    expect(new ServiceError('overloaded').isOfState).toBe(false);
  });

  it('details become what protocol 2.2 names', () => {
    expect(refusalOf(abi.TRUST_LIMIT_EXCEEDED, [100, 60, 41], NAMES)).toMatchObject({
      code: 'trust_limit_exceeded',
      status: 403,
      details: { trust_limit: 100, exposure: 60, amount: 41 },
    });
    expect(refusalOf(abi.STAKE_LOCKED, [0, 20], NAMES).details).toEqual({
      reason: 'exposure',
      releasable: 20,
    });
    expect(refusalOf(abi.STAKE_LOCKED, [1, 0], NAMES).details).toEqual({
      reason: 'validator_lock',
      releasable: 0,
    });
    expect(refusalOf(abi.STAKE_LOCKED, [2, 5], NAMES).details).toEqual({ reason: 'claims', releasable: 5 });
    expect(refusalOf(abi.CLAIM_LIMIT, [0, 1, 1, 100_000_000], NAMES)).toMatchObject({
      message: 'this claim needs more stake, or fees of settled tasks, to back it',
      details: { bound: 'claims', held: 1, limit: 1, stake_missing: 100_000_000 },
    });
    expect(refusalOf(abi.CLAIM_LIMIT, [1, 0, 1_000, 500], NAMES).details).toEqual({
      bound: 'budgets',
      held: 0,
      limit: 1_000,
      stake_missing: 500,
    });
    const full = refusalOf(abi.CLAIM_LIMIT, [0, 20, 20, 0], NAMES);
    expect([full.message, full.details]).toEqual([
      'an agent holds at most 20 claimed tasks',
      { bound: 'claims', held: 20, limit: 20 },
    ]);
    expect(refusalOf(abi.FAUCET_COOLDOWN, [86_399], NAMES).headers).toEqual({ 'Retry-After': '86399' });
    expect(refusalOf(abi.ROUTED_TO_OTHER, [7, 1_800_000_060], NAMES)).toMatchObject({
      code: 'routed_to_other',
      status: 409,
      details: { routed_to: 'agent-7', exclusive_until: 1_800_000_060 },
    });
    expect(refusalOf(abi.RESERVED_FOR_OTHER, [7, 1_800_000_060], NAMES)).toMatchObject({
      code: 'reserved_for_other',
      details: { reserved_for: 'agent-7', reserved_until: 1_800_000_060 },
    });
    expect(refusalOf(abi.TOO_FEW_JUDGES, [2, 3], NAMES)).toMatchObject({
      code: 'too_few_judges',
      status: 409,
      details: { announced: 2, required: 3 },
      message: expect.stringContaining('accept_no_judges: true'),
    });
    const floor = [abi.LANE_ENTERPRISE, abi.LANE_NONE, 10, 2];
    expect(refusalOf(abi.SECURITY_FLOOR, floor, NAMES)).toMatchObject({
      code: 'SecurityFloorError',
      status: 422,
      details: { requested_lane: 'enterprise', offered_lane: 'none', required: 10, available: 2 },
    });
    expect(refusalOf(abi.ASSURANCE_BLOCKED, [9_999_999, 10_000_000], NAMES).details).toEqual({
      reserve: 9_999_999,
      required: 10_000_000,
    });
    expect(refusalOf(abi.INVALID_REQUEST, [abi.REASON_MAX_FEE, 2_500], NAMES)).toMatchObject({
      code: 'invalid_request',
      details: { fee: 2_500 },
      isOfState: true,
    });
    expect(refusalOf(abi.COMMIT_RATE, [41], NAMES)).toMatchObject({
      code: 'rate_limited',
      headers: { 'Retry-After': '41' },
    });
    expect(refusalOf(abi.INSUFFICIENT_SCOPE, [abi.SCOPE_STAKING], NAMES).details).toEqual({
      required: 'staking',
    });
  });

  it('an unknown code is a bug, not an answer', () => {
    expect(() => refusalOf(999, [], NAMES)).toThrow('unknown code');
  });
});

describe('the error catalogue', () => {
  it('has codes in one spelling, statuses in the HTTP range, texts', () => {
    for (const [code, [status, text]] of Object.entries(ERRORS)) {
      expect(code).toMatch(/^([a-z][a-z0-9_]*|DUPLICATE_TX|SecurityFloorError)$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThanOrEqual(503);
      expect(text.length).toBeGreaterThan(3);
    }
  });

  it('bodies have error and code, txid only when known', () => {
    expect(new ServiceError('self_dealing').body()).toEqual({
      error: 'validator cannot verify transactions they are party to',
      code: 'self_dealing',
    });
    expect(new ServiceError('not_found').body('ab')).toMatchObject({ txid: 'ab' });
  });
});
