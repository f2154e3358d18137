// Decodes the core's output of a batch: a record for each transaction, system event, set of changed agents, and each
// task, challenge and replay job that changed.

import * as abi from '../../assembly/abi.ts';
import { isZero, u64At } from '../wire/bytes.ts';
import { type CaseEvent, readCaseEvent } from './case-events.ts';
import { type ChallengeImage, type JobImage, readChallengeImage, readJobImage } from './case-image.ts';
import type { OutView } from './core.ts';
import { readVoters, type Voter } from './item-state.ts';
import { readTaskEvent, type TaskEvent } from './task-events.ts';
import { readTaskImage, type TaskImage } from './task-image.ts';
import {
  readValidatorEvent,
  type SeatResumedEvent,
  type SeatWeightEvent,
  type ValidatorStatusEvent,
} from './validator-events.ts';

export interface TxOutcome {
  kind: 'tx';
  txId: Uint8Array;
  code: number;
  /** 0 when refused. */
  seq: number;
  order: number;
  index: number;
  opcode: number;
  /** Results on success, details of the code on refusal; see assembly/abi.ts. */
  words: number[];
  /** On a key rotation: the previous consensus key, 32 bytes, which does not fit into `words`. */
  oldKey?: Uint8Array;
}

interface SystemEvent {
  kind: 'event';
  id: Uint8Array;
  seq: number;
  order: number;
  index: number;
}
interface GenesisEvent extends SystemEvent {
  type: 'genesis';
}
export interface SettlementEvent extends SystemEvent {
  type: 'settlement';
  target: Uint8Array;
  targetKind: number;
  settled: boolean;
  reason: number;
  agent: number;
  recipient: number;
  amount: number;
  verifiedValue: number;
  fee: number;
  approve: number;
  reject: number;
  total: number;
  participants: number;
  treasuryFee: number;
  voters: Voter[];
}
export interface SlashEvent extends SystemEvent {
  type: 'slash';
  agent: number;
  cause: number;
  amount: number;
  remaining: number;
  /** 12 bytes; undefined when no challenge caused the slash. */
  challenge: Uint8Array | undefined;
}
export interface Touched {
  kind: 'touched';
  agents: number[];
}
/** A task that changed in the block, with its state at the block's end. */
export interface TaskOutcome {
  kind: 'task';
  /** The task left the core: this is its last image. */
  isFinal: boolean;
  image: TaskImage;
}
/** A challenge or replay job that changed in the block, with its state at the block's end, even if it leaves the core. */
interface ChallengeOutcome {
  kind: 'challenge';
  image: ChallengeImage;
}
interface JobOutcome {
  kind: 'job';
  image: JobImage;
}
/** Rows that changed in the block, reported at its end. */
export type ImageOutcome = TaskOutcome | ChallengeOutcome | JobOutcome;
export type Outcome =
  | TxOutcome
  | GenesisEvent
  | SettlementEvent
  | SlashEvent
  | TaskEvent
  | CaseEvent
  | ValidatorStatusEvent
  | SeatResumedEvent
  | SeatWeightEvent
  | Touched
  | ImageOutcome;

/** Words 6 to 9 of the results of a key rotation. */
const OLD_KEY = abi.OUT_RESULT + 48;

function readTx(at: number, bytes: Uint8Array, view: DataView): TxOutcome {
  const words: number[] = [];
  for (let i = 0; i < abi.RESULT_WORDS; i++) words.push(u64At(view, at + abi.OUT_RESULT + 8 * i));
  const opcode = view.getUint32(at + 60, true);
  const outcome: TxOutcome = {
    kind: 'tx',
    code: view.getUint16(at + 2, true),
    txId: bytes.slice(at + 8, at + 40),
    seq: u64At(view, at + 40),
    order: u64At(view, at + 48),
    index: view.getUint32(at + 56, true),
    opcode,
    words,
  };
  if (opcode === abi.OP_KEY_ROTATE) outcome.oldKey = bytes.slice(at + OLD_KEY, at + OLD_KEY + 32);
  return outcome;
}

function readEvent(at: number, bytes: Uint8Array, view: DataView): Outcome {
  const u64 = (field: number): number => u64At(view, at + field);
  const u32 = (field: number): number => view.getUint32(at + field, true);
  const type = view.getUint16(at + 2, true);
  if (type === abi.EVENT_SETTLEMENT) return readSettlement(at, bytes, view);
  const base = {
    kind: 'event',
    id: bytes.slice(at + 8, at + 40),
    seq: u64(40),
    order: u64(48),
    index: u32(56),
  } as const;
  if (type === abi.EVENT_GENESIS) return { ...base, type: 'genesis' };
  if (type === abi.EVENT_SLASH) {
    const id = bytes.slice(at + 88, at + 100);
    const challenge = isZero(id) ? undefined : id;
    const slash = { agent: u32(64), cause: u32(68), amount: u64(72), remaining: u64(80) };
    return { ...base, type: 'slash', ...slash, challenge };
  }
  const event =
    readTaskEvent(type, at, bytes, view, base) ??
    readCaseEvent(type, at, bytes, view, base) ??
    readValidatorEvent(type, at, view, base);
  if (!event) throw new Error(`core emitted an unknown event type ${type}`);
  return event;
}

/** There is one for each transfer, so this is one literal: a spread of 17 members costs as much as the transfer in the core. */
function readSettlement(at: number, bytes: Uint8Array, view: DataView): SettlementEvent {
  return {
    kind: 'event',
    id: bytes.slice(at + 8, at + 40),
    seq: u64At(view, at + 40),
    order: u64At(view, at + 48),
    index: view.getUint32(at + 56, true),
    type: 'settlement',
    target: bytes.slice(at + 64, at + 96),
    targetKind: view.getUint32(at + 96, true),
    settled: view.getUint32(at + 100, true) === abi.VOTE_SETTLED,
    reason: view.getUint32(at + 104, true),
    agent: view.getUint32(at + 112, true),
    recipient: view.getUint32(at + 116, true),
    amount: u64At(view, at + 120),
    verifiedValue: u64At(view, at + 128),
    fee: u64At(view, at + 136),
    approve: u64At(view, at + 144),
    reject: u64At(view, at + 152),
    total: u64At(view, at + 160),
    participants: u64At(view, at + 168),
    treasuryFee: u64At(view, at + 176),
    voters: readVoters(view, at + abi.SETTLEMENT_VOTERS, view.getUint32(at + 108, true)),
  };
}

/** The records of one out buffer, in order. */
export function* readOutcomes({ bytes, view }: OutView): Generator<Outcome> {
  for (let at = 0; at < bytes.length; at += view.getUint32(at + 4, true)) {
    const kind = view.getUint16(at, true);
    if (kind === abi.OUT_TX) yield readTx(at, bytes, view);
    else if (kind === abi.OUT_EVENT) yield readEvent(at, bytes, view);
    else if (kind === abi.OUT_TOUCHED) {
      const count = view.getUint32(at + 8, true);
      const agents: number[] = [];
      for (let i = 0; i < count; i++) agents.push(view.getUint32(at + 12 + 4 * i, true));
      yield { kind: 'touched', agents };
    } else if (kind === abi.OUT_TASK) {
      const isFinal = view.getUint16(at + 2, true) === 1;
      yield { kind: 'task', isFinal, image: readTaskImage(bytes, view, at + abi.OUT_TASK_IMAGE) };
    } else if (kind === abi.OUT_CHALLENGE) {
      yield { kind: 'challenge', image: readChallengeImage(bytes, view, at + abi.OUT_TASK_IMAGE) };
    } else if (kind === abi.OUT_JOB) {
      yield { kind: 'job', image: readJobImage(bytes, view, at + abi.OUT_TASK_IMAGE) };
    } else throw new Error(`core emitted an unknown record ${kind}`);
  }
}
