import { describe, expect, it } from 'vitest';
import * as lost from '../../../host/client/lost-answer.ts';
import type { Agent, LedgerEvent } from '../../../host/client/objects.ts';

const TARGET = {
  event_id: 'target',
  settlement_state: 'settled',
  settlement_reason: 'verified',
  verified_value: 60,
};
const reads = (target: object = TARGET): lost.Reads => ({
  agent: async (id) =>
    ({ agent_id: id, capability_fingerprint: 'f', staked_amount: 4, balance: 6, trust_limit: 4 }) as Agent,
  balance: async (id) => ({ agent_id: id, currency: 'TOK', balance: 6, staked_amount: 4, reserved: 0 }),
  stakeInfo: async () => ({ staked_amount: 4, trust_limit: 8 }) as never,
  event: async () => target as LedgerEvent,
});
const event = (more: object): LedgerEvent =>
  ({ event_id: 'e', agent_id: 'a', payload: {}, ...more }) as LedgerEvent;

describe('an answer rebuilt from its event', () => {
  it('registration', async () => {
    const answer = await lost.rebuildRegistration(reads(), event({ payload: { onboarding_allocation: 10 } }));
    expect(answer).toMatchObject({ event_id: 'e', agent_id: 'a', onboarding_allocation: 10, balance: 6 });
  });
  it('transfer', async () => {
    const made = event({ amount: 5, recipient_id: 'b', deadline: 99 });
    expect(await lost.rebuildTransfer(reads(), made)).toEqual({
      event_id: 'e',
      agent_id: 'a',
      status: 'optimistic',
      deadline: 99,
      amount: 5,
      to_agent: 'b',
      balance: 6,
    });
  });
  it('generation', async () => {
    const made = event({ claimed_value: 80, recipient_id: 'b', deadline: 99 });
    const answer = await lost.rebuildGeneration(made);
    expect(answer).toMatchObject({ claimed_value: 80, beneficiary: 'b', deadline: 99 });
  });
  it('faucet', async () => {
    expect(await lost.rebuildFaucet(reads(), event({ amount: 5, payload: { next_at: 7 } }))).toMatchObject({
      amount: 5,
      balance: 6,
      next_at: 7,
    });
  });
  it('a deciding verdict', async () => {
    const vote = event({ payload: { event_id: 'target', verdict: true } });
    expect(await lost.rebuildVerify(reads(), vote)).toMatchObject({
      event_id: 'target',
      verdict: true,
      status: 'settled',
      verified_value: 60,
    });
  });
  it('a verdict on an event that is still pending', async () => {
    const open = { event_id: 'target', settlement_state: 'optimistic' };
    const vote = event({ payload: { event_id: 'target', verdict: false } });
    expect(await lost.rebuildVerify(reads(open), vote)).toMatchObject({ verdict: false, status: 'pending' });
  });
  it('key revocation', async () => {
    const revoked = event({ payload: { key_id: 'k' } });
    expect(await lost.rebuildKeyRevocation(revoked)).toEqual({
      event_id: 'e',
      key_id: 'k',
      status: 'revoked',
    });
  });
});
