// The table of stream data (protocol 2.1): every type, from documents as they are stored at once and later.

import { describe, expect, it } from 'vitest';
import { STREAM_DATA, streamData, streamDataSchema } from '../../../host/api/stream-events.ts';
import { EVENT_TYPES } from '../../../host/store/event-types.ts';
import { eventOf, idOf } from './stream-source.ts';

const VOTES = { approve_weight: 3, reject_weight: 1, total_weight: 5, participants: 2 };

describe('stream data', () => {
  it('has a row for every event type and no other', () => {
    expect(Object.keys(STREAM_DATA)).toEqual([...EVENT_TYPES]);
  });

  it('of a transfer names the parties, and stays what it was when the transfer is settled', () => {
    const made = eventOf(7, 'transfer', {
      payload: { to_agent: 'B'.repeat(64), amount: 5, memo: 'hi' },
      recipient_id: 'bob',
      amount: 5,
      memo: 'hi',
      deadline: 99,
      settlement_state: 'optimistic',
      votes: VOTES,
    });
    const data = {
      event_id: idOf(7),
      agent_id: 'alice',
      from: 'alice',
      to: 'bob',
      amount: 5,
      memo: 'hi',
      deadline: 99,
      settlement_state: 'optimistic',
    };
    expect(streamData(made)).toEqual(data);
    const later = { ...made, settlement_state: 'adjusted', settlement_reason: 'rejected', fee: 3 } as const;
    expect(streamData(later)).toEqual(data);
    const plain = { ...made, payload: { to_agent: 'bob', amount: 5 }, memo: undefined };
    expect(streamData(plain)).not.toHaveProperty('memo');
  });

  it('of a generation is the claim, not what became of it', () => {
    const made = eventOf(8, 'generation', {
      payload: { claimed_value: 9, evidence_hash: 'e', task_description: 'long text' },
      recipient_id: 'bob',
      amount: 9,
      claimed_value: 9,
      evidence_hash: 'e',
      deadline: 99,
      settlement_state: 'settled',
      verified_value: 4,
    });
    expect(streamData(made)).toEqual({
      event_id: idOf(8),
      agent_id: 'alice',
      beneficiary: 'bob',
      claimed_value: 9,
      evidence_hash: 'e',
      deadline: 99,
      settlement_state: 'optimistic',
    });
  });

  it('of system events is the payload', () => {
    const payload = {
      target_event_id: idOf(7),
      target_type: 'transfer',
      settlement_state: 'settled',
      settlement_reason: 'verified',
      amount: 5,
      fee: 1,
      votes: VOTES,
    };
    const system = { auth: 'system', agent_id: 'system:node', amount: undefined } as const;
    expect(streamData(eventOf(9, 'settlement', { ...system, payload }))).toEqual({
      event_id: idOf(9),
      agent_id: 'system:node',
      ...payload,
    });
    const slash = { target_agent: 'bob', amount: 4, reason: 'rejected_transfer', remaining_stake: 6 };
    expect(streamData(eventOf(9, 'slash', { ...system, payload: slash }))).toMatchObject(slash);
  });

  it('of other writes: members from the payload, else from the event; null and other fields are left out', () => {
    const vote = {
      event_id: idOf(7),
      verdict: true,
      target_event_id: idOf(7),
      validator_id: 'v1',
      weight: 3,
      verified_value: null,
    };
    expect(streamData(eventOf(2, 'verification', { payload: vote, amount: undefined }))).toEqual({
      event_id: idOf(2),
      agent_id: 'alice',
      target_event_id: idOf(7),
      validator_id: 'v1',
      verdict: true,
      weight: 3,
    });
    expect(streamData(eventOf(3, 'unstake'))).toEqual({
      event_id: idOf(3),
      agent_id: 'alice',
      amount: 3,
      staked_amount: 6,
    });
    const claimed = { task_id: 't1', payload: { claim_deadline: 5, webhook_secret: 'x' } };
    expect(streamData(eventOf(4, 'task_claimed', claimed))).toEqual({
      event_id: idOf(4),
      agent_id: 'alice',
      task_id: 't1',
      claim_deadline: 5,
    });
  });

  it('of every type tolerates a document without any of its members', () => {
    for (const type of EVENT_TYPES) {
      const data = streamData(eventOf(1, type, { payload: {}, amount: undefined }));
      expect(data).toMatchObject({ event_id: idOf(1), agent_id: 'alice' });
      expect(Object.values(data)).not.toContain(undefined);
    }
  });

  it('has a schema in which optional members are not required', () => {
    const schema = streamDataSchema('transfer') as { properties: object; required: string[] };
    expect(Object.keys(schema.properties)).toContain('memo');
    expect(schema.required).toEqual([
      'event_id',
      'agent_id',
      'from',
      'to',
      'amount',
      'deadline',
      'settlement_state',
    ]);
    for (const type of EVENT_TYPES) expect(() => streamDataSchema(type)).not.toThrow();
  });
});
