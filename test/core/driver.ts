// A core instance for tests: loads build/core.wasm, feeds it records, reads outcomes and answers.
// Keeps: views are taken afresh for each access, since memory grows once at core_init.
// Independent of the production door in host/core, so that a fault there cannot hide one here.

import { readFileSync } from 'node:fs';
import * as abi from '../../assembly/abi.ts';

const wasm = new WebAssembly.Module(readFileSync(new URL('../../build/core.wasm', import.meta.url)));

type Exports = Record<string, (...args: number[]) => number>;

export interface CoreConfig {
  testnet: boolean;
  chainId: string;
  launchSecs: number;
  params: number[];
  /** In order of the configuration record; 0 or missing = the default. */
  capacities: number[];
}

export const DEFAULT_PARAMS = [
  86400, 300, 300, 600, 3600, 259200, 7200, 60, 86400, 86400, 5_000_000_000, 100_000, 0, 1, 1, 0,
];
export const SMALL = [2000, 2000, 8000, 4096, 512, 4000, 32, 64, 500, 500, 64, 500];

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

export type Outcome = TxOutcome | EventOutcome | TouchedOutcome | TaskOutcome;

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const unhex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));

export function concat(parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function configRecord(config: CoreConfig): Uint8Array {
  const chain = new TextEncoder().encode(config.chainId);
  const out = new Uint8Array((196 + chain.length + 7) & ~7);
  const view = new DataView(out.buffer);
  view.setUint32(0, abi.ABI_VERSION, true);
  view.setUint32(4, config.testnet ? abi.CONFIG_TESTNET : 0, true);
  for (const [i, rows] of config.capacities.entries()) view.setUint32(8 + 4 * i, rows, true);
  view.setBigUint64(56, BigInt(config.launchSecs), true);
  for (const [i, value] of config.params.entries()) view.setBigUint64(64 + 8 * i, BigInt(value), true);
  view.setUint32(192, chain.length, true);
  out.set(chain, 196);
  return out;
}

export class Core {
  readonly x: Exports;
  readonly #memory: WebAssembly.Memory;

  constructor(readonly config: CoreConfig) {
    const instance = new WebAssembly.Instance(wasm);
    this.x = instance.exports as unknown as Exports;
    this.#memory = instance.exports.memory as WebAssembly.Memory;
    const code = this.init(configRecord(config));
    if (code !== abi.INIT_OK) throw new Error(`core_init: ${code}`);
  }

  init(record: Uint8Array): number {
    this.input(record);
    return this.x.core_init!(record.length);
  }

  input(bytes: Uint8Array): void {
    new Uint8Array(this.#memory.buffer).set(bytes, this.x.core_in_ptr!());
  }

  output(length = this.x.core_out_len!()): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.x.core_out_ptr!(), length).slice();
  }

  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Text of the trap record. */
  trapText(): string {
    const at = this.x.core_trap_ptr!();
    const view = new DataView(this.#memory.buffer, at);
    if (view.getUint32(0, true) === 0) return 'no trap';
    const [line, column, text, file] = [4, 8, 12, 16].map((o) => view.getUint32(o, true));
    const all = Buffer.from(this.#memory.buffer, at + abi.TRAP_TEXT, text! + file!).toString('utf8');
    return `${all.slice(0, text)} (${all.slice(text)}:${line}:${column})`;
  }

  #call(name: string, ...args: number[]): number {
    try {
      return this.x[name]!(...args);
    } catch (error) {
      throw new Error(`trap in ${name}: ${this.trapText()}`, { cause: error });
    }
  }

  /** One call; bytes consumed or -1. */
  applyOnce(records: Uint8Array): number {
    this.input(records);
    return this.#call('core_apply', records.length);
  }

  /** Applies all records, draining the out buffer as often as needed. Throws on a framing error. */
  apply(...records: Uint8Array[]): Outcome[] {
    let rest = concat(records);
    const outcomes: Outcome[] = [];
    while (rest.length > 0) {
      const consumed = this.applyOnce(rest.subarray(0, Math.min(rest.length, this.x.core_in_cap!())));
      if (consumed < 0) throw new Error('core_apply: framing error');
      const found = decodeOutcomes(this.output());
      if (consumed === 0 && found.length === 0) throw new Error('core_apply: no progress');
      outcomes.push(...found);
      rest = rest.subarray(consumed);
    }
    return outcomes;
  }

  check(record: Uint8Array, nowSecs: number): { code: number; words: bigint[] } {
    this.input(record);
    const code = this.#call('core_check', record.length, nowSecs);
    const view = new DataView(this.output(96).buffer);
    return { code, words: Array.from({ length: 12 }, (_, i) => view.getBigUint64(8 * i, true)) };
  }

  /** The answer, or undefined when the thing does not exist. */
  query(kind: number, argument: Uint8Array = new Uint8Array()): DataView | undefined {
    this.input(argument);
    const length = this.#call('core_query', kind, argument.length);
    return length < 0 ? undefined : new DataView(this.output(length).buffer);
  }

  queryIndex(kind: number, index: number): DataView | undefined {
    const argument = new Uint8Array(4);
    new DataView(argument.buffer).setUint32(0, index, true);
    return this.query(kind, argument);
  }

  header(word: number): bigint {
    return this.query(abi.QUERY_HEADER)!.getBigUint64(8 * word, true);
  }

  fullSupply(): bigint {
    return this.query(abi.QUERY_FULL_SUPPLY)!.getBigUint64(0, true);
  }

  stateHash(): string {
    this.#call('core_state_hash');
    return hex(this.output(32));
  }

  /** Leaves changed since the last call, by number. */
  dirty(most = 1000): Map<number, Uint8Array> {
    const leaves = new Map<number, Uint8Array>();
    for (let count = this.#call('core_dirty', most); count > 0; count = this.#call('core_dirty', most)) {
      const out = this.output();
      const view = new DataView(out.buffer);
      for (let i = 0; i < count; i++) {
        const at = i * abi.LEAF_RECORD;
        leaves.set(view.getUint32(at, true), out.slice(at + 8, at + abi.LEAF_RECORD));
      }
    }
    return leaves;
  }

  /** Imports leaves into a fresh core and ends the import; the result code. */
  load(leaves: Map<number, Uint8Array>, perCall = 100): number {
    const all = [...leaves];
    for (let from = 0; from < all.length; from += perCall) {
      const part = all.slice(from, from + perCall);
      const buffer = new Uint8Array(part.length * abi.LEAF_RECORD);
      const view = new DataView(buffer.buffer);
      for (const [i, [leaf, bytes]] of part.entries()) {
        view.setUint32(i * abi.LEAF_RECORD, leaf, true);
        buffer.set(bytes, i * abi.LEAF_RECORD + 8);
      }
      this.input(buffer);
      const code = this.#call('core_import', part.length);
      if (code !== 0) return code;
    }
    return this.#call('core_import_end');
  }
}

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
  if (kind === abi.OUT_TASK) {
    return { kind: 'task', isFinal: view.getUint16(2, true) === 1, image: bytes.slice(abi.OUT_TASK_IMAGE) };
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
      verdict: u32(at + 4),
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
}

/** Fields of an EVENT_SLASH. */
export function decodeSlash(event: EventOutcome): Slash {
  const view = new DataView(event.fields.buffer, event.fields.byteOffset);
  return {
    agent: view.getUint32(0, true),
    cause: view.getUint32(4, true),
    amount: view.getBigUint64(8, true),
    remaining: view.getBigUint64(16, true),
  };
}
