// Turns outcomes of the core into the documents that reads show: events, names, keys, activity.
// Keeps: documents are a function of the order alone, written in the same batch as the log that made them.
// Decides nothing: amounts and states are the core's.

import * as abi from '../../assembly/abi.ts';
import type { GenesisEvent, Outcome, SettlementEvent, SlashEvent, TxOutcome } from '../core/outcomes.ts';
import type { Voter } from '../core/state.ts';
import type { AgentDoc, ApiKeyDoc, EventDoc, Totals, VoterDoc, Votes } from '../store/documents.ts';
import type { EventType } from '../store/event-types.ts';
import { keyOf, keyText, keyU32, keyU64, readU64 } from '../store/prefixes.ts';
import { readJson, type WriteSet } from '../store/write-set.ts';
import { addressBytes, encodeAddress } from '../wire/address.ts';
import { toHex } from '../wire/bytes.ts';
import { OPERATIONS } from '../wire/operations.ts';
import type { EntryInput, VertexInput } from './block.ts';
import { type EventLists, SYSTEM_AUTHOR } from './event-lists.ts';
import type { Identities } from './identity.ts';
import { scopeNames } from './translate.ts';

export const SYSTEM_AGENT = 'system:node';
const SLASH_REASONS: Record<number, string> = {
  [abi.SLASH_REJECTED_TRANSFER]: 'rejected_transfer',
  [abi.SLASH_REJECTED_GENERATION]: 'rejected_generation',
};
export const SETTLEMENT_REASONS: Record<number, EventDoc['settlement_reason']> = {
  [abi.SETTLED_VERIFIED]: 'verified',
  [abi.SETTLED_REJECTED]: 'rejected',
  [abi.SETTLED_EXPIRED]: 'expired',
};
const KIND_NAMES: Record<number, 'transfer' | 'generation'> = {
  [abi.ITEM_TRANSFER]: 'transfer',
  [abi.ITEM_GENERATION]: 'generation',
};

export const voterDocs = (voters: readonly Voter[], ids: Identities): VoterDoc[] =>
  voters.map((v) => ({
    validator_id: ids.validatorId(v.validator),
    agent_id: ids.agentId(ids.state.validator(v.validator)!.agent),
    verdict: v.verdict,
    verified_value: v.verifiedValue,
    weight: v.weight,
    timestamp: v.timestamp,
  }));

export interface Tally {
  approve: number;
  reject: number;
  total: number;
  participants: number;
}
export const votesDoc = (t: Tally): Votes => ({
  approve_weight: t.approve,
  reject_weight: t.reject,
  total_weight: t.total,
  participants: t.participants,
});

const NO_VOTES: Votes = { approve_weight: 0, reject_weight: 0, total_weight: 0, participants: 0 };

/** An executed event as listeners get it: the document and, for system events, nothing else. */
export type Listener = (event: EventDoc) => void;

export interface ProjectorContext {
  ids: Identities;
  lists: EventLists;
  totals: Totals;
  chainId: string;
  genesisHash: string;
  testnet: boolean;
}

/** Projects the outcomes of one group of blocks into one write set. */
export class Projector {
  constructor(
    private readonly set: WriteSet,
    private readonly c: ProjectorContext,
    private readonly onEvent: Listener,
  ) {}

  /** `timeSecs`: consensus time of the block. */
  apply(outcome: Outcome, vertex: VertexInput, timeSecs: number): void {
    if (outcome.kind === 'tx') {
      const entry = vertex.entries[outcome.index]!;
      if (outcome.code === abi.OK) this.#transaction(entry, outcome, vertex, timeSecs);
    } else if (outcome.kind === 'event') {
      if (outcome.type === 'genesis') this.#genesis(outcome, vertex, timeSecs);
      else if (outcome.type === 'settlement') this.#settlement(outcome, vertex, timeSecs);
      else this.#slash(outcome, vertex, timeSecs);
    }
  }

  #position(o: { seq: number; order: number; index: number }, vertex: VertexInput, timeSecs: number) {
    return {
      vertex_hash: toHex(vertex.id),
      causal_refs: vertex.parents,
      causal_timestamp: vertex.round,
      order: o.order,
      index: o.index,
      timestamp: timeSecs,
    };
  }

  #store(doc: EventDoc, id: Uint8Array, author: number): void {
    this.set.putJson(keyOf('e', id), doc);
    this.set.put(keyU64('q', doc.seq), id);
    this.c.lists.append(this.set, author, doc.event_type, doc.seq);
    this.c.totals.events[doc.event_type] = (this.c.totals.events[doc.event_type] ?? 0) + 1;
    if (doc.amount !== undefined) this.#activity(doc.amount, doc.timestamp);
    this.onEvent(doc);
  }

  #activity(amount: number, timeSecs: number): void {
    const key = keyU64('h', Math.floor(timeSecs / 3600));
    const old = this.set.get(key);
    const row = Buffer.allocUnsafe(16);
    row.writeBigUInt64BE(BigInt((old ? readU64(old, 0) : 0) + amount), 0);
    row.writeBigUInt64BE(BigInt((old ? readU64(old, 8) : 0) + 1), 8);
    this.set.put(key, row);
  }

  #transaction(entry: EntryInput, o: TxOutcome, vertex: VertexInput, timeSecs: number): void {
    const parsed = entry.parsed!;
    const agentIndex = o.words[0]!;
    if (parsed.name === 'register') this.#register(entry, agentIndex);
    const { ids } = this.c;
    const doc: EventDoc = {
      event_id: toHex(o.txId),
      event_type: OPERATIONS[parsed.name].event as EventType,
      auth: entry.auth!,
      seq: o.seq,
      agent_id: ids.agentId(agentIndex),
      payload: { ...parsed.args },
      settlement_state: 'settled',
      ...(entry.signature === undefined ? {} : { signature: entry.signature }),
      ...this.#position(o, vertex, timeSecs),
    };
    const assigned = (): string[] => {
      const count = o.words[5]!;
      return o.words.slice(6, 6 + count).map((v) => ids.validatorId(v));
    };
    switch (parsed.name) {
      case 'register': {
        const agent = ids.state.agent(agentIndex)!;
        const key = agent.publicKey;
        Object.assign(doc.payload, {
          ...(key ? { public_key: toHex(key), deposit_address: encodeAddress(key, this.c.testnet) } : {}),
          onboarding_allocation: o.words[1]!,
          staked_amount: o.words[2]!,
        });
        break;
      }
      case 'faucet':
        doc.amount = o.words[1]!;
        doc.payload.amount = o.words[1]!;
        break;
      case 'stake':
      case 'unstake':
        doc.amount = o.words[1]!;
        doc.payload.staked_amount = o.words[2]!;
        break;
      case 'transfer':
      case 'generation':
        doc.recipient_id = ids.agentId(o.words[1]!);
        doc.amount = o.words[2]!;
        doc.settlement_state = 'optimistic';
        doc.deadline = o.words[4]!;
        doc.votes = NO_VOTES;
        doc.assigned_to = assigned();
        if (parsed.name === 'transfer') {
          if (parsed.args.memo !== undefined) doc.memo = parsed.args.memo;
        } else {
          doc.claimed_value = o.words[2]!;
          doc.evidence_hash = parsed.args.evidence_hash;
          doc.task_description = parsed.args.task_description ?? '';
        }
        break;
      case 'verify':
        Object.assign(doc.payload, {
          target_event_id: parsed.args.event_id,
          validator_id: ids.validatorId(o.words[1]!),
          weight: o.words[9]!,
        });
        break;
      case 'keyCreate':
        doc.payload = this.#apiKey(entry, doc.agent_id);
        break;
      case 'keyRevoke':
        doc.payload = { key_id: toHex(entry.command.subarray(96, 104)) };
        break;
    }
    this.#store(doc, o.txId, agentIndex + 1);
  }

  /** Names and address of a new agent. */
  #register(entry: EntryInput, agentIndex: number): void {
    const view = new DataView(entry.command.buffer, entry.command.byteOffset);
    const id = Buffer.from(entry.command.subarray(140, 140 + view.getUint32(136, true))).toString();
    const name = entry.parsed!.name === 'register' ? entry.parsed!.args.display_name : undefined;
    const doc: AgentDoc = { id, ...(name === undefined ? {} : { name }) };
    this.set.putJson(keyU32('a', agentIndex), doc);
    this.c.ids.add(agentIndex, doc);
    const key = this.c.ids.state.agent(agentIndex)!.publicKey;
    if (key) this.putAddress(key, agentIndex);
  }

  putAddress(publicKey: Uint8Array, agentIndex: number): void {
    const value = Buffer.allocUnsafe(4);
    value.writeUInt32BE(agentIndex);
    this.set.put(keyOf('d', addressBytes(publicKey)), value);
  }

  #apiKey(entry: EntryInput, owner: string): Record<string, unknown> {
    const { command } = entry;
    const view = new DataView(command.buffer, command.byteOffset);
    const args = entry.parsed!.args as { name: string };
    const node = this.c.ids.manifest.entries[view.getUint32(152, true)]!;
    const doc: ApiKeyDoc = {
      key_id: toHex(command.subarray(96, 104)),
      name: args.name,
      scopes: scopeNames(view.getUint32(136, true)),
      owner_id: owner,
      issuing_node: node.consensus_public_key,
    };
    this.set.putJson(keyOf('p', command.subarray(96, 104)), doc);
    return { key_id: doc.key_id, name: doc.name, scopes: doc.scopes, owner_id: owner };
  }

  #system(
    type: EventType,
    o: GenesisEvent | SettlementEvent | SlashEvent,
    payload: Record<string, unknown>,
    vertex: VertexInput,
    timeSecs: number,
  ): void {
    const doc: EventDoc = {
      event_id: toHex(o.id),
      event_type: type,
      auth: 'system',
      seq: o.seq,
      agent_id: SYSTEM_AGENT,
      payload,
      settlement_state: 'settled',
      ...this.#position(o, vertex, timeSecs),
    };
    this.#store(doc, o.id, SYSTEM_AUTHOR);
  }

  #genesis(o: GenesisEvent, vertex: VertexInput, timeSecs: number): void {
    const payload = { chain_id: this.c.chainId, genesis_hash: this.c.genesisHash };
    this.#system('genesis', o, payload, vertex, timeSecs);
  }

  #settlement(o: SettlementEvent, vertex: VertexInput, timeSecs: number): void {
    const key = keyOf('e', o.target);
    const target = readJson<EventDoc>(this.set.get(key));
    if (!target) throw new Error(`settled event ${toHex(o.target)} has no document`);
    const kind = KIND_NAMES[o.targetKind]!;
    const reason = SETTLEMENT_REASONS[o.reason]!;
    const votes = votesDoc(o);
    const state = o.settled ? 'settled' : 'adjusted';
    const verified = o.settled && kind === 'generation' ? { verified_value: o.verifiedValue } : {};
    Object.assign(target, {
      settlement_state: state,
      settlement_reason: reason,
      ...verified,
      fee: o.fee,
      votes,
      voters: voterDocs(o.voters, this.c.ids),
    });
    this.set.putJson(key, target);
    const payload = {
      target_event_id: target.event_id,
      target_type: kind,
      settlement_state: state,
      settlement_reason: reason,
      ...(kind === 'transfer' ? { amount: o.amount } : {}),
      ...verified,
      fee: o.fee,
      votes,
    };
    this.#system('settlement', o, payload, vertex, timeSecs);
  }

  #slash(o: SlashEvent, vertex: VertexInput, timeSecs: number): void {
    const payload = {
      target_agent: this.c.ids.agentId(o.agent),
      amount: o.amount,
      reason: SLASH_REASONS[o.cause]!,
      remaining_stake: o.remaining,
    };
    this.#system('slash', o, payload, vertex, timeSecs);
  }

  /** Totals go with every group that changes them. */
  finish(): void {
    this.set.putJson(keyText('w', 'totals'), this.c.totals);
  }
}
