// Documents for system events about verifiable events and stakes: settlements and slashes.

import * as abi from '../../../assembly/abi.ts';
import type { SettlementEvent, SlashEvent } from '../../core/outcomes.ts';
import { changeEvent, seqOfEvent } from '../../store/events.ts';
import { toHex } from '../../wire/bytes.ts';
import type { EventWriter, Place } from './event-writer.ts';
import { SETTLEMENT_REASONS, voterDocs, votesDoc } from './votes.ts';

const SLASH_REASONS: Record<number, string> = {
  [abi.SLASH_REJECTED_TRANSFER]: 'rejected_transfer',
  [abi.SLASH_REJECTED_GENERATION]: 'rejected_generation',
  [abi.SLASH_LOST_DISPUTE]: 'lost_dispute',
  [abi.SLASH_OFFENSE + abi.OFFENSE_FRAUDULENT_APPROVAL]: 'fraudulent_approval',
  [abi.SLASH_OFFENSE + abi.OFFENSE_DISHONEST_REPLAY]: 'dishonest_replay',
  [abi.SLASH_OFFENSE + abi.OFFENSE_COLLUSION]: 'collusion',
};
/** Event types by kind of open item: `target_type` of a settlement. */
const KIND_NAMES: Record<number, 'transfer' | 'generation' | 'task_submitted' | 'task_disputed'> = {
  [abi.ITEM_TRANSFER]: 'transfer',
  [abi.ITEM_GENERATION]: 'generation',
  [abi.ITEM_SUBMISSION]: 'task_submitted',
  [abi.ITEM_DISPUTE]: 'task_disputed',
};

/** Writes the settlement of an event: into the event's document, and as a separate event. */
export function projectSettlement(o: SettlementEvent, writer: EventWriter, place: Place): void {
  const isOfTask = o.targetKind === abi.ITEM_SUBMISSION || o.targetKind === abi.ITEM_DISPUTE;
  if (!isOfTask && writer.closesLeaf(o.target)) return;
  const kind = KIND_NAMES[o.targetKind]!;
  const reason = SETTLEMENT_REASONS[o.reason]!;
  const votes = votesDoc(o);
  const state = o.settled ? ('settled' as const) : ('adjusted' as const);
  const verified = o.settled && kind === 'generation' ? { verified_value: o.verifiedValue } : {};
  // The fees of a task are reported by task_settled.
  const fee = kind === 'transfer' || kind === 'generation' ? { fee: o.fee } : {};
  const voters = voterDocs(o.voters, writer.c.ids);
  const changes = { settlement_state: state, settlement_reason: reason, ...verified, ...fee, votes, voters };
  const seq = seqOfEvent(writer.set, o.target);
  const target = seq && changeEvent(writer.set, seq, (doc) => Object.assign(doc, changes));
  if (!target) throw new Error(`settled event ${toHex(o.target)} has no document`);
  const payload = {
    target_event_id: target.event_id,
    target_type: kind,
    settlement_state: state,
    settlement_reason: reason,
    ...(kind === 'transfer' ? { amount: o.amount } : {}),
    ...verified,
    ...fee,
    votes,
  };
  writer.system('settlement', o, payload, place);
}

export function projectSlash(o: SlashEvent, writer: EventWriter, place: Place): void {
  const payload = {
    target_agent: writer.c.ids.agentId(o.agent),
    amount: o.amount,
    reason: SLASH_REASONS[o.cause]!,
    remaining_stake: o.remaining,
    ...(o.challenge ? { challenge_id: `chal-${toHex(o.challenge)}` } : {}),
  };
  writer.system('slash', o, payload, place);
}
