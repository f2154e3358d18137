// Typed reads of the core's tables. Every call costs one query; nothing is cached or decided here.
// Amounts are Numbers: the supply is 10^15, so each is exact.

import * as abi from '../../assembly/abi.ts';
import { fromUtf8, isZero, u64At } from '../wire/bytes.ts';
import type { Core, OutView } from './core.ts';
import { type HeaderState, readHeader } from './header-state.ts';
import { type ItemBrief, type ItemState, readItem, readItemBrief } from './item-state.ts';
import { readTaskImage, type TaskImage } from './task-image.ts';
import { putValidatorForm, VALIDATOR_FORM_BYTES } from './validator-commands.ts';
import {
  readBrief,
  readSeats,
  readValidator,
  readValidatorId,
  type SeatState,
  type ValidatorBrief,
  type ValidatorState,
} from './validator-state.ts';

export type { HeaderState } from './header-state.ts';
export type { SeatState, ValidatorState } from './validator-state.ts';

const CATEGORY_FORM_BYTES = 56;

/** A registered agent. */
export interface AgentIdentity {
  readonly index: number;
  readonly key: Uint8Array;
  readonly publicKey: Uint8Array | undefined;
  /** Index of the validator this agent operates. */
  readonly validator: number | undefined;
}

/** Micro-units. */
export interface AgentAccount {
  balance: number;
  staked: number;
  reserved: number;
}

export interface AgentState extends AgentIdentity, AgentAccount {
  fingerprint: Uint8Array;
  exposure: number;
  trustLimit: number;
  stakedSince: number;
  firstSeen: number;
  lastActive: number;
  generated: number;
  transferred: number;
  earned: number;
  completed: number;
  failed: number;
  fingerprintVersion: number;
  reputationBp: number;
  multiplier: number;
  effectiveTasks: number;
  daysStaked: number;
  /** Fees of its work that count, u (protocol 6.17). */
  standing: number;
  /** Second at which half of it is left, 0 without one. */
  standingHalves: number;
  /** How far it backs the agent's records, bp. */
  backingBp: number;
  /** As a poster (protocol 15.2): tasks paid; disputes opened, and of these won, lost. */
  tasksPaid: number;
  disputes: number;
  disputesWon: number;
  disputesLost: number;
}

/** What agents are ranked by. */
export type AgentFigures = Pick<
  AgentState,
  | 'balance'
  | 'firstSeen'
  | 'lastActive'
  | 'transferred'
  | 'completed'
  | 'failed'
  | 'reputationBp'
  | 'standing'
  | 'standingHalves'
  | 'backingBp'
>;

export interface RecordState {
  category: number;
  completed: number;
  failed: number;
  lastActive: number;
  earned: number;
  avgScoreBp: number;
  avgDeliverySecs: number;
  rateBp: number;
  scoreBp: number;
}

interface KeyState {
  hash: Uint8Array;
  owner: number;
  seat: number;
  scopes: number;
  hourlyLimit: number;
  created: number;
  expires: number;
  /** Micro-units, in the owner's escrow until the key goes. */
  deposit: number;
}

/** A run of a contract that the open block is to end. */
export interface DueRun {
  /** Task id, 16 bytes. */
  task: Uint8Array;
  /** Number of the run among those of the task, from 1. */
  number: number;
  fuel: number;
}

function readIdentity(index: number, { bytes, view }: OutView): AgentIdentity {
  const number = view.getUint32(abi.AGENT_VALIDATOR, true);
  const validator = number === 0 ? undefined : number - 1;
  const publicKey = bytes.slice(abi.AGENT_PUBLIC_KEY, abi.AGENT_PUBLIC_KEY + 32);
  return {
    index,
    key: bytes.slice(abi.AGENT_KEY, abi.AGENT_KEY + 32),
    publicKey: isZero(publicKey) ? undefined : publicKey,
    validator,
  };
}

export class State {
  constructor(readonly core: Core) {}

  /** The oldest due run, if the open block has fuel for it. */
  dueRun(): DueRun | undefined {
    const out = this.core.queryWords(abi.QUERY_DUE_RUN);
    if (!out) return undefined;
    const { bytes, view } = out;
    return {
      task: bytes.slice(abi.DUE_RUN_TASK, abi.DUE_RUN_TASK + 16),
      number: view.getUint32(abi.DUE_RUN_NUMBER, true),
      fuel: view.getUint32(abi.DUE_RUN_FUEL, true),
    };
  }

  header(): HeaderState {
    return readHeader(this.core.queryWords(abi.QUERY_HEADER)!);
  }

  /** Index of the agent with this agent key or public key. */
  findAgent(key: Uint8Array): number | undefined {
    const out = this.core.queryBytes(abi.QUERY_AGENT_FIND, key);
    return out && u64At(out.view, 0);
  }

  /** What an agent has, of `agent`: most reads of agents want no more. */
  account(index: number): AgentAccount | undefined {
    const out = this.core.queryWords(abi.QUERY_AGENT, index);
    return (
      out && {
        balance: u64At(out.view, abi.AGENT_BALANCE),
        staked: u64At(out.view, abi.AGENT_STAKED),
        reserved: u64At(out.view, abi.AGENT_RESERVED),
      }
    );
  }

  agent(index: number): AgentState | undefined {
    const out = this.core.queryWords(abi.QUERY_AGENT, index);
    if (!out) return undefined;
    const { bytes, view } = out;
    const u64 = (at: number): number => u64At(view, at);
    const u32 = (at: number): number => view.getUint32(at, true);
    const { key, publicKey, validator } = readIdentity(index, out);
    return {
      index,
      key,
      publicKey,
      validator,
      fingerprint: bytes.slice(abi.AGENT_FINGERPRINT, abi.AGENT_FINGERPRINT + 32),
      balance: u64(abi.AGENT_BALANCE),
      staked: u64(abi.AGENT_STAKED),
      reserved: u64(abi.AGENT_RESERVED),
      exposure: u64(abi.AGENT_EXPOSURE),
      trustLimit: u64(abi.AGENT_TRUST_LIMIT),
      stakedSince: u64(abi.AGENT_STAKED_SINCE),
      firstSeen: u64(abi.AGENT_FIRST_SEEN),
      lastActive: u64(abi.AGENT_LAST_ACTIVE),
      generated: u64(abi.AGENT_GENERATED),
      transferred: u64(abi.AGENT_TRANSFERRED),
      earned: u64(abi.AGENT_EARNED),
      completed: u32(abi.AGENT_COMPLETED),
      failed: u32(abi.AGENT_FAILED),
      fingerprintVersion: u32(abi.AGENT_FINGERPRINT_VERSION),
      reputationBp: u32(abi.AGENT_REPUTATION_BP),
      multiplier: u32(abi.AGENT_MULTIPLIER),
      effectiveTasks: u32(abi.AGENT_EFFECTIVE_TASKS),
      daysStaked: u32(abi.AGENT_DAYS_STAKED),
      standing: u64(abi.AGENT_STANDING),
      standingHalves: u64(abi.AGENT_STANDING_HALVES),
      backingBp: u32(abi.AGENT_BACKING_BP),
      tasksPaid: u32(abi.AGENT_TASKS_PAID),
      disputes: u32(abi.AGENT_DISPUTES),
      disputesWon: u32(abi.AGENT_DISPUTES_WON),
      disputesLost: u32(abi.AGENT_DISPUTES_LOST),
    };
  }

  /** What agents are ranked by, of `agent`: indexes ask it of every agent. */
  figures(index: number): AgentFigures | undefined {
    const out = this.core.queryWords(abi.QUERY_AGENT, index);
    if (!out) return undefined;
    const { view } = out;
    return {
      balance: u64At(view, abi.AGENT_BALANCE),
      firstSeen: u64At(view, abi.AGENT_FIRST_SEEN),
      lastActive: u64At(view, abi.AGENT_LAST_ACTIVE),
      transferred: u64At(view, abi.AGENT_TRANSFERRED),
      completed: view.getUint32(abi.AGENT_COMPLETED, true),
      failed: view.getUint32(abi.AGENT_FAILED, true),
      reputationBp: view.getUint32(abi.AGENT_REPUTATION_BP, true),
      standing: u64At(view, abi.AGENT_STANDING),
      standingHalves: u64At(view, abi.AGENT_STANDING_HALVES),
      backingBp: view.getUint32(abi.AGENT_BACKING_BP, true),
    };
  }

  /** Who an agent is: a small part of `agent`. */
  agentIdentity(index: number): AgentIdentity | undefined {
    const out = this.core.queryWords(abi.QUERY_AGENT, index);
    return out && readIdentity(index, out);
  }

  /** The 32 bytes by which the core finds an agent (`agentKey` of wire/ids.ts). Throws when there is no such agent. */
  agentKey(index: number): Uint8Array {
    const { bytes } = this.core.queryWords(abi.QUERY_AGENT, index)!;
    return bytes.slice(abi.AGENT_KEY, abi.AGENT_KEY + 32);
  }

  records(agent: number): RecordState[] {
    const out = this.core.queryWords(abi.QUERY_RECORDS, agent);
    if (!out) return [];
    const list: RecordState[] = [];
    for (let at = 0; at < out.bytes.length; at += abi.RECORD_BYTES) {
      const u32 = (field: number): number => out.view.getUint32(at + field, true);
      list.push({
        category: u32(abi.RECORD_CATEGORY),
        completed: u32(abi.RECORD_COMPLETED),
        failed: u32(abi.RECORD_FAILED),
        lastActive: u32(abi.RECORD_LAST_ACTIVE),
        earned: u64At(out.view, at + abi.RECORD_EARNED),
        avgScoreBp: u32(abi.RECORD_AVG_SCORE_BP),
        avgDeliverySecs: u32(abi.RECORD_AVG_DELIVERY_SECS),
        rateBp: u32(abi.RECORD_RATE_BP),
        scoreBp: u32(abi.RECORD_SCORE_BP),
      });
    }
    return list;
  }

  categoryName(index: number): string {
    const out = this.core.queryWords(abi.QUERY_CATEGORY, index);
    return out ? fromUtf8(out.bytes) : '';
  }

  /** Row of the open item of an event. */
  findItem(eventId: Uint8Array): number | undefined {
    const out = this.core.queryBytes(abi.QUERY_ITEM_FIND, eventId);
    return out && u64At(out.view, 0);
  }

  /** What open events are listed by, of `item`: the lists ask it of every new one. */
  itemBrief(index: number): ItemBrief | undefined {
    const out = this.core.queryWords(abi.QUERY_ITEM, index);
    return out && readItemBrief(out);
  }

  item(index: number): ItemState | undefined {
    const out = this.core.queryWords(abi.QUERY_ITEM, index);
    return out && readItem(out);
  }

  /** A task that is not archived yet, by its 16-byte id. */
  task(id: Uint8Array): TaskImage | undefined {
    const out = this.core.queryBytes(abi.QUERY_TASK, id);
    return out && readTaskImage(out.bytes, out.view, 0);
  }

  /** Rows of all open items; for building indexes at start. */
  *items(): Generator<number> {
    for (let from = 0; from !== 0xffffffff; ) {
      const out = this.core.queryWords(abi.QUERY_ITEMS, from, 65536);
      if (!out) return;
      const words: number[] = [];
      for (let at = 0; at < out.bytes.length; at += 4) words.push(out.view.getUint32(at, true));
      from = words.pop() ?? 0xffffffff;
      yield* words;
    }
  }

  validator(index: number): ValidatorState | undefined {
    const out = this.core.queryWords(abi.QUERY_VALIDATOR, index);
    return out && readValidator(index, out);
  }

  validatorBrief(index: number): ValidatorBrief | undefined {
    const out = this.core.queryWords(abi.QUERY_VALIDATOR, index);
    return out && readBrief(out);
  }

  validatorId(index: number): string | undefined {
    const out = this.core.queryWords(abi.QUERY_VALIDATOR, index);
    return out && readValidatorId(out);
  }

  /** Index of a validator by its id, or by agent_id or hex key of its operator. */
  findValidator(name: string): number | undefined {
    if (name === '') return undefined;
    const form = new Uint8Array(VALIDATOR_FORM_BYTES);
    putValidatorForm(form, 0, name);
    const out = this.core.queryBytes(abi.QUERY_VALIDATOR_FIND, form);
    return out && u64At(out.view, 0);
  }

  /** Every seat of the manifest, by number. */
  seats(): SeatState[] {
    return readSeats(this.core.queryWords(abi.QUERY_SEATS)!);
  }

  /** Number of active validators that serve a category and are not suspended in it. `category`: in normal form. */
  activeInCategory(category: string): number {
    const form = new Uint8Array(CATEGORY_FORM_BYTES);
    const text = new TextEncoder().encode(category);
    new DataView(form.buffer).setUint32(0, text.length, true);
    form.set(text, 4);
    return u64At(this.core.queryBytes(abi.QUERY_LANE, form)!.view, 0);
  }

  /** `keyId`: the 8 bytes whose hex is the key_id. Undefined also for a key that was revoked or has expired. */
  apiKey(keyId: Uint8Array): KeyState | undefined {
    const out = this.core.queryBytes(abi.QUERY_KEY, keyId);
    if (!out) return undefined;
    const { bytes, view } = out;
    return {
      hash: bytes.slice(abi.KEY_HASH, abi.KEY_HASH + 32),
      owner: view.getUint32(abi.KEY_OWNER, true),
      seat: view.getUint32(abi.KEY_SEAT, true),
      scopes: view.getUint32(abi.KEY_SCOPES, true),
      hourlyLimit: view.getUint32(abi.KEY_HOURLY_LIMIT, true),
      created: u64At(view, abi.KEY_CREATED),
      expires: u64At(view, abi.KEY_EXPIRES),
      deposit: u64At(view, abi.KEY_DEPOSIT),
    };
  }

  /** Walks all tables, O(state): for tests and tools. */
  fullSupply(): number {
    return u64At(this.core.queryWords(abi.QUERY_FULL_SUPPLY)!.view, 0);
  }
}
