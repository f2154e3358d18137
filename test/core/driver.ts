// A core instance for tests: loads build/core.wasm, feeds it records, reads outcomes and answers.
// Keeps: views are taken afresh for each access, since memory grows once at core_init.
// Independent of the production bindings in host/core, so that a fault there cannot hide one here.

import { readFileSync } from 'node:fs';
import * as abi from '../../assembly/abi.ts';
import { Books, type Movement, readMovements } from './books.ts';
import { decodeOutcomes, hex, type Outcome } from './outcomes.ts';

export * from './outcomes.ts';

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
  86400, 300, 300, 600, 3600, 259200, 7200, 60, 86400, 86400, 5_000_000_000, 100_000, 0, 1, 1, 0, 3, 604_800,
  10_000_000_000_000, 1_000_000_000, 100_000_000, 60, 100_000, 1000, 86_400, 86_400, 32, 10_000_000, 0,
];
export const SMALL = [4000, 2000, 8000, 4096, 512, 4000, 32, 64, 500, 500, 64, 500, 64, 64, 500, 16];

export function concat(parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export function configRecord(config: CoreConfig): Uint8Array {
  const chain = new TextEncoder().encode(config.chainId);
  const chainAt = abi.CONFIG_PARAMS + 8 * abi.PARAM_COUNT;
  const out = new Uint8Array((chainAt + 4 + chain.length + 7) & ~7);
  const view = new DataView(out.buffer);
  view.setUint32(0, abi.ABI_VERSION, true);
  view.setUint32(4, config.testnet ? abi.CONFIG_TESTNET : 0, true);
  for (const [i, rows] of config.capacities.entries()) {
    view.setUint32(abi.CONFIG_CAPACITIES + 4 * i, rows, true);
  }
  view.setBigUint64(abi.CONFIG_LAUNCH, BigInt(config.launchSecs), true);
  for (const [i, value] of config.params.entries()) {
    view.setBigUint64(abi.CONFIG_PARAMS + 8 * i, BigInt(value), true);
  }
  view.setUint32(chainAt, chain.length, true);
  out.set(chain, chainAt + 4);
  return out;
}

function startsOf(out: Uint8Array): number[] {
  const view = new DataView(out.buffer, out.byteOffset);
  const starts: number[] = [];
  for (let at = 0; at < out.length; at += view.getUint32(at + abi.OUT_LENGTH, true)) starts.push(at);
  return starts;
}

export class Core {
  readonly x: Exports;
  readonly #memory: WebAssembly.Memory;
  /** Every account by the movements of all calls; of an imported core, those of the core before it. */
  books = new Books();
  /** Of the last call: its movements, and where each of its records starts. */
  movements: Movement[] = [];
  recordStarts: number[] = [];

  /** `module`: another build of the core. */
  constructor(
    readonly config: CoreConfig,
    module = wasm,
  ) {
    const instance = new WebAssembly.Instance(module);
    this.x = instance.exports as unknown as Exports;
    this.#memory = instance.exports.memory as WebAssembly.Memory;
    const code = this.init(configRecord(config));
    if (code !== abi.INIT_OK) throw new Error(`core_init: ${code}`);
    this.books.take(this.#listed(), true);
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
      const out = this.output();
      const found = decodeOutcomes(out);
      this.recordStarts = startsOf(out);
      this.movements = this.#listed();
      this.books.take(this.movements);
      if (consumed === 0 && found.length === 0) throw new Error('core_apply: no progress');
      outcomes.push(...found);
      rest = rest.subarray(consumed);
    }
    return outcomes;
  }

  #listed(): Movement[] {
    const answer = this.query(abi.QUERY_MOVEMENTS)!;
    return readMovements(new DataView(this.#memory.buffer, this.x.core_out_ptr!()), answer);
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

  get stateBytes(): number {
    return this.#call('core_state_bytes');
  }

  /** Bytes of the state. */
  get state(): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#call('core_state_ptr'), this.stateBytes);
  }

  /** Leaves of the pages that changed since the last call, by number. */
  dirty(most = 1000): Map<number, Uint8Array> {
    const leaves = new Map<number, Uint8Array>();
    for (let count = this.#call('core_dirty', most); count > 0; count = this.#call('core_dirty', most)) {
      const out = this.output();
      const view = new DataView(out.buffer);
      for (let i = 0; i < count; i++) {
        const first = view.getUint32(4 * i, true) * abi.PAGE_LEAVES;
        for (let leaf = first; leaf < first + abi.PAGE_LEAVES; leaf++) {
          const at = leaf * abi.LEAF_BYTES;
          if (at < this.state.length) leaves.set(leaf, this.state.slice(at, at + abi.LEAF_BYTES));
        }
      }
    }
    return leaves;
  }

  /** Hashes of all leaves as of the last state hash. */
  hashes(): Uint8Array {
    const bytes = (this.state.length / abi.LEAF_BYTES) * abi.LEAF_HASH_BYTES;
    return new Uint8Array(this.#memory.buffer, this.#call('core_hashes_ptr'), bytes);
  }

  /** Imports leaves into a fresh core, with the hashes of all if they are given, and ends the import; the result code. */
  load(leaves: Map<number, Uint8Array>, perCall = 100, hashes?: Uint8Array): number {
    const begun = this.#call('core_import', 0);
    if (begun !== 0) return begun;
    for (const [leaf, bytes] of leaves)
      if (leaf * abi.LEAF_BYTES < this.state.length) this.state.set(bytes, leaf * abi.LEAF_BYTES);
    if (hashes) this.hashes().set(hashes);
    const all = [...new Set([...leaves.keys()].map((leaf) => Math.floor(leaf / abi.PAGE_LEAVES)))];
    for (let from = 0; from < all.length; from += perCall) {
      const part = all.slice(from, from + perCall);
      const buffer = new Uint8Array(4 * part.length);
      const view = new DataView(buffer.buffer);
      for (const [i, page] of part.entries()) view.setUint32(4 * i, page, true);
      this.input(buffer);
      const code = this.#call('core_import', part.length);
      if (code !== 0) return code;
    }
    this.books.isWhole = false;
    return this.#call('core_import_end', hashes ? 1 : 0);
  }
}
