// An event as the stream of a node tells it: what is in its message, and nothing that was computed here.
// Keeps: the message that is made of it again is the one that it came from (protocol 9.2).

import type { StreamEvent } from '../client/stream-types.ts';
import type { EventDoc } from '../store/documents.ts';

/** Of an event that is settled later by another one. */
export interface Settlement {
  /** Of the event that it settles. */
  id: string;
  state: string;
  fee: number | undefined;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const amount = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Their amounts are those of what they are about. */
const ABOUT_OTHERS = new Set<string>(['settlement', 'slash']);
/** They are open until a settlement. So is a delivery of an assured task, which the stream does not tell from others. */
const PENDING = new Set<string>(['transfer', 'generation', 'task_disputed']);

/** The document: `payload` has what the message says, and it has no place in the order. */
export function streamedEvent({ seq, type, timestamp, data }: StreamEvent): EventDoc {
  const { event_id, agent_id, ...payload } = data as { event_id: string; agent_id: string } & Record<
    string,
    unknown
  >;
  const members = {
    event_id,
    event_type: type,
    seq,
    agent_id,
    payload,
    recipient_id: text(payload.to ?? payload.beneficiary ?? payload.reserved_for),
    amount: ABOUT_OTHERS.has(type)
      ? undefined
      : amount(payload.amount ?? payload.claimed_value ?? payload.budget),
    task_id: text(payload.task_id),
    settlement_state: PENDING.has(type) ? 'optimistic' : 'settled',
    timestamp,
  };
  return members as unknown as EventDoc;
}

/** What an event says of an earlier one. */
export function settlementOf({ event_type, payload }: EventDoc): Settlement | undefined {
  if (event_type !== 'settlement') return undefined;
  const { target_event_id, settlement_state, fee } = payload as Record<string, string>;
  return { id: target_event_id!, state: settlement_state!, fee: amount(fee) };
}
