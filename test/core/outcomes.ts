// What a core emits, decoded: outcomes of records, images of tasks and cases, fields of two events.
// Keeps: offsets straight from abi.ts; nothing here knows a rule.

import * as abi from '../../assembly/abi.ts';

export interface TxOutcome {
  kind: 'tx';
  code: number;
  txid: string;
  seq: number;
  order: number;
  index: number;
  opcode: number;
  words: bigint[];
}

export interface Voter {
  validator: number;
  verdict: number;
  value: bigint;
  weight: bigint;
  timestamp: number;
}

export interface EventOutcome {
  kind: 'event';
  type: number;
  id: string;
  seq: number;
  order: number;
  index: number;
  /** Everything from OUT_FIELDS on. */
  fields: Uint8Array;
}

export interface TouchedOutcome {
  kind: 'touched';
  agents: number[];
}

/** The image of a task at the end of a block; final ones leave the core. */
export interface TaskOutcome {
  kind: 'task';
  isFinal: boolean;
  image: Uint8Array;
}

/** The image of a challenge or a replay job at the end of a block; final ones leave the core. */
export interface CaseOutcome {
  kind: 'challenge' | 'job';
  isFinal: boolean;
  image: Uint8Array;
}

export type Outcome = TxOutcome | EventOutcome | TouchedOutcome | TaskOutcome | CaseOutcome;

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const unhex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));

function decodeTx(view: DataView, bytes: Uint8Array): TxOutcome {
  return {
    kind: 'tx',
    code: view.getUint16(2, true),
    txid: hex(bytes.subarray(8, 40)),
    seq: Number(view.getBigUint64(40, true)),
    order: Number(view.getBigUint64(48, true)),
    index: view.getUint32(56, true),
    opcode: view.getUint32(60, true),
    words: Array.from({ length: abi.RESULT_WORDS }, (_, i) => view.getBigUint64(64 + 8 * i, true)),
  };
}

function decodeRecord(bytes: Uint8Array): Outcome {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const kind = view.getUint16(0, true);
  if (kind === abi.OUT_TX) return decodeTx(view, bytes);
  if (kind === abi.OUT_EVENT) {
    return {
      kind: 'event',
      type: view.getUint16(2, true),
      id: hex(bytes.subarray(8, 40)),
      seq: Number(view.getBigUint64(40, true)),
      order: Number(view.getBigUint64(48, true)),
      index: view.getUint32(56, true),
      fields: bytes.slice(64),
    };
  }
  if (kind !== abi.OUT_TOUCHED) {
    const named = kind === abi.OUT_TASK ? 'task' : kind === abi.OUT_CHALLENGE ? 'challenge' : 'job';
    return { kind: named, isFinal: view.getUint16(2, true) === 1, image: bytes.slice(abi.OUT_TASK_IMAGE) };
  }
  const agents = Array.from({ length: view.getUint32(8, true) }, (_, i) => view.getUint32(12 + 4 * i, true));
  return { kind: 'touched', agents };
}

export function decodeOutcomes(out: Uint8Array): Outcome[] {
  const outcomes: Outcome[] = [];
  for (let at = 0; at < out.length; ) {
    const length = new DataView(out.buffer, out.byteOffset + at).getUint32(4, true);
    outcomes.push(decodeRecord(out.subarray(at, at + length)));
    at += length;
  }
  return outcomes;
}

export interface Settlement {
  target: string;
  kind: number;
  state: number;
  reason: number;
  agent: number;
  recipient: number;
  amount: bigint;
  verified: bigint;
  fee: bigint;
  approve: bigint;
  reject: bigint;
  total: bigint;
  participants: bigint;
  treasury: bigint;
  voters: Voter[];
}

/** Fields of an EVENT_SETTLEMENT. */
export function decodeSettlement(event: EventOutcome): Settlement {
  const view = new DataView(event.fields.buffer, event.fields.byteOffset);
  const u32 = (at: number): number => view.getUint32(at - 64, true);
  const u64 = (at: number): bigint => view.getBigUint64(at - 64, true);
  const voters = Array.from({ length: u32(108) }, (_, i) => {
    const at = abi.SETTLEMENT_VOTERS + i * abi.VOTER_BYTES;
    return {
      validator: u32(at),
      verdict: u32(at + 4) & 0xff,
      share: (u32(at + 4) >>> 8) & 0xff,
      ground: u32(at + 4) >>> 16,
      value: u64(at + 8),
      weight: u64(at + 16),
      timestamp: Number(u64(at + 24)),
    };
  });
  return {
    target: hex(event.fields.subarray(0, 32)),
    kind: u32(96),
    state: u32(100),
    reason: u32(104),
    agent: u32(112),
    recipient: u32(116),
    amount: u64(120),
    verified: u64(128),
    fee: u64(136),
    approve: u64(144),
    reject: u64(152),
    total: u64(160),
    participants: u64(168),
    treasury: u64(176),
    voters,
  };
}

export interface Slash {
  agent: number;
  cause: number;
  amount: bigint;
  remaining: bigint;
  /** hex24 of the challenge that it follows, empty for other slashes. */
  challenge: string;
}

/** Fields of an EVENT_SLASH. */
export function decodeSlash(event: EventOutcome): Slash {
  const view = new DataView(event.fields.buffer, event.fields.byteOffset);
  return {
    agent: view.getUint32(0, true),
    cause: view.getUint32(4, true),
    amount: view.getBigUint64(8, true),
    remaining: view.getBigUint64(16, true),
    challenge: hex(event.fields.subarray(24, 36)).replace(/^0+$/, ''),
  };
}
