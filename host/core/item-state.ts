// What the core says of open items: events that wait for verdicts.

import * as abi from '../../assembly/abi.ts';
import { u64At } from '../wire/bytes.ts';
import type { OutView } from './core.ts';

export interface Voter {
  validator: number;
  verdict: boolean;
  /** Of an approval: the worker's share in a dispute, in tenths; of anything else SHARES. */
  share: number;
  /** GROUND_*. */
  ground: number;
  verifiedValue: number;
  weight: number;
  timestamp: number;
}

/** A vote that is committed and not revealed. */
export interface VoteCommitment {
  validator: number;
  hash: Uint8Array;
  timestamp: number;
}

/** What open items are listed by. */
export interface ItemBrief {
  eventId: Uint8Array;
  kind: number;
  agent: number;
  /** Micro-units. */
  amount: number;
  deadline: number;
  /** Validators, by number. */
  assigned: number[];
}

export interface ItemState extends ItemBrief {
  recipient: number;
  created: number;
  approve: number;
  reject: number;
  total: number;
  participants: number;
  voters: Voter[];
  /** Of a contested dispute VOTES_COMMITTED or VOTES_REVEALED, else 0; and the votes that are not revealed. */
  stage: number;
  /** Validators whose votes would count. */
  judges: number;
  commitments: VoteCommitment[];
}

/** Reads the voters of an item or settlement: `count` records of VOTER_BYTES from `at` on. */
export function readVoters(view: DataView, at: number, count: number): Voter[] {
  const out: Voter[] = [];
  for (let i = 0; i < count; i++, at += abi.VOTER_BYTES) {
    out.push({
      validator: view.getUint32(at, true),
      verdict: view.getUint8(at + abi.VOTER_VERDICT) === 1,
      share: view.getUint8(at + abi.VOTER_SHARE),
      ground: view.getUint16(at + abi.VOTER_GROUND, true),
      verifiedValue: u64At(view, at + 8),
      weight: u64At(view, at + 16),
      timestamp: u64At(view, at + 24),
    });
  }
  return out;
}

function readAssigned(view: DataView): number[] {
  const assigned: number[] = [];
  const count = view.getUint32(abi.ITEM_ASSIGNED_COUNT, true);
  for (let i = 0; i < count; i++) assigned.push(view.getUint32(abi.ITEM_ASSIGNED + 4 * i, true));
  return assigned;
}

function readCommitments({ bytes, view }: OutView, from: number): VoteCommitment[] {
  return Array.from({ length: view.getUint32(abi.ITEM_COMMITTED, true) }, (_, i) => {
    const at = from + i * abi.COMMITTED_BYTES;
    return {
      validator: view.getUint32(at + abi.COMMITTED_VALIDATOR, true),
      hash: bytes.slice(at + abi.COMMITTED_HASH, at + abi.COMMITTED_HASH + 32),
      timestamp: Number(view.getBigUint64(at + abi.COMMITTED_TIME, true)),
    };
  });
}

export function readItemBrief({ bytes, view }: OutView): ItemBrief {
  return {
    eventId: bytes.slice(abi.ITEM_EVENT_ID, abi.ITEM_EVENT_ID + 32),
    kind: view.getUint32(abi.ITEM_KIND, true),
    agent: view.getUint32(abi.ITEM_AGENT, true),
    amount: u64At(view, abi.ITEM_AMOUNT),
    deadline: u64At(view, abi.ITEM_DEADLINE),
    assigned: readAssigned(view),
  };
}

export function readItem(out: OutView): ItemState {
  const { bytes, view } = out;
  const u64 = (at: number): number => u64At(view, at);
  const u32 = (at: number): number => view.getUint32(at, true);
  return {
    eventId: bytes.slice(abi.ITEM_EVENT_ID, abi.ITEM_EVENT_ID + 32),
    kind: u32(abi.ITEM_KIND),
    agent: u32(abi.ITEM_AGENT),
    recipient: u32(abi.ITEM_RECIPIENT),
    amount: u64(abi.ITEM_AMOUNT),
    deadline: u64(abi.ITEM_DEADLINE),
    created: u64(abi.ITEM_CREATED),
    approve: u64(abi.ITEM_APPROVE),
    reject: u64(abi.ITEM_REJECT),
    total: u64(abi.ITEM_TOTAL),
    participants: u64(abi.ITEM_PARTICIPANTS),
    assigned: readAssigned(view),
    voters: readVoters(view, abi.ITEM_VOTERS, u32(abi.ITEM_VOTES)),
    stage: u32(abi.ITEM_STAGE),
    judges: u32(abi.ITEM_JUDGES),
    commitments: readCommitments(out, abi.ITEM_VOTERS + u32(abi.ITEM_VOTES) * abi.VOTER_BYTES),
  };
}
