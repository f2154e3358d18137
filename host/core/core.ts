// Typed bindings of core.wasm: load, init, apply, check, query, snapshot.
// Keeps: all bytes that cross are laid out in assembly/abi.ts; views are taken once, since memory grows only in init.
// After a trap the instance is unusable: every call throws the CoreTrap that ended it.

import * as abi from '../../assembly/abi.ts';
import { isZero } from '../wire/bytes.ts';
import { type Movement, readMovements } from './movements.ts';

interface CoreExports {
  memory: WebAssembly.Memory;
  core_abi_version(): number;
  core_init(length: number): number;
  core_in_ptr(): number;
  core_in_cap(): number;
  core_out_ptr(): number;
  core_out_len(): number;
  core_apply(length: number): number;
  core_check(length: number, nowSecs: number): number;
  core_query(kind: number, length: number): number;
  core_state_hash(): number;
  core_state_ptr(): number;
  core_state_bytes(): number;
  core_hashes_ptr(): number;
  core_dirty(max: number): number;
  core_import(count: number): number;
  core_import_end(isHashed: number): number;
  core_trap_ptr(): number;
}

/** An assertion inside the core failed, which is a bug. The node stops; the vertices are on disk for a replay. */
export class CoreTrap extends Error {
  override name = 'CoreTrap';
}

export interface CoreConfig {
  chainId: string;
  testnet: boolean;
  /** Unix seconds, 0 = consensus time of the first block. */
  launchTime: number;
  /** Network parameters in PARAM_* order. */
  params: readonly bigint[];
  /** Rows of tables, for tests; 0 or absent = the default of assembly/abi.ts. */
  capacity?: Partial<Record<(typeof TABLES)[number], number>>;
}

/** Tables with a capacity, in the order of the configuration record. */
export const TABLES = [
  'agents',
  'items',
  'votes',
  'txIds',
  'keys',
  'records',
  'validators',
  'categories',
  'tasks',
  'bars',
  'capabilities',
  'calibrations',
  'challenges',
  'jobs',
  'pairs',
  'canaries',
] as const;

const align8 = (n: number): number => (n + 7) & ~7;

function encodeConfig(config: CoreConfig): Uint8Array {
  const chain = new TextEncoder().encode(config.chainId);
  const at = abi.CONFIG_PARAMS + abi.PARAM_COUNT * 8;
  const out = new Uint8Array(align8(at + 4 + chain.length));
  const view = new DataView(out.buffer);
  view.setUint32(0, abi.ABI_VERSION, true);
  view.setUint32(4, config.testnet ? abi.CONFIG_TESTNET : 0, true);
  for (const [i, table] of TABLES.entries()) {
    view.setUint32(abi.CONFIG_CAPACITIES + 4 * i, config.capacity?.[table] ?? 0, true);
  }
  view.setBigUint64(abi.CONFIG_LAUNCH, BigInt(config.launchTime), true);
  for (let i = 0; i < abi.PARAM_COUNT; i++) {
    view.setBigUint64(abi.CONFIG_PARAMS + 8 * i, config.params[i]!, true);
  }
  view.setUint32(at, chain.length, true);
  out.set(chain, at + 4);
  return out;
}

/** A part of the state: PAGE_LEAVES leaves and their hashes; what is behind the end of the state is zero. */
export interface StatePage {
  leaves: Uint8Array;
  /** LEAF_HASH_BYTES for each leaf; zeros for a leaf of zeros. */
  hashes: Uint8Array;
}

/** Page numbers that are listed or taken over at once. */
const PAGES_AT_ONCE = 1024;
const PAGE_BYTES = abi.PAGE_LEAVES * abi.LEAF_BYTES;
const PAGE_HASH_BYTES = abi.PAGE_LEAVES * abi.LEAF_HASH_BYTES;

/** Bytes in the core's out buffer. Valid until the next call into the core. */
export interface OutView {
  bytes: Uint8Array;
  view: DataView;
}

/** The bytes of most answers are read as numbers only, and a view of their own costs as much as the query. */
class QueryAnswer implements OutView {
  constructor(
    private readonly out: Uint8Array,
    private readonly size: number,
    readonly view: DataView,
  ) {}

  get bytes(): Uint8Array {
    return this.out.subarray(0, this.size);
  }
}

export class Core {
  readonly #x: CoreExports;
  #in!: Uint8Array;
  #inView!: DataView;
  #out!: Uint8Array;
  #outView!: DataView;
  #state!: Uint8Array;
  #hashes!: Uint8Array;
  #trap: CoreTrap | undefined;

  private constructor(exports: CoreExports) {
    this.#x = exports;
  }

  /** Errors: a module with another ABI version, or a configuration that does not fit into memory. */
  static create(module: WebAssembly.Module, config: CoreConfig): Core {
    const core = new Core(new WebAssembly.Instance(module, {}).exports as unknown as CoreExports);
    const version = core.#x.core_abi_version();
    if (version !== abi.ABI_VERSION) {
      throw new Error(`core.wasm has ABI ${version}, this host needs ${abi.ABI_VERSION}`);
    }
    const bytes = encodeConfig(config);
    new Uint8Array(core.#x.memory.buffer, core.#x.core_in_ptr(), bytes.length).set(bytes);
    const result = core.#call(() => core.#x.core_init(bytes.length));
    if (result !== abi.INIT_OK) {
      const why = ['', 'ABI version', 'config out of range', 'not enough memory'][result];
      throw new Error(`core_init failed: ${why ?? result}`);
    }
    const { buffer } = core.#x.memory;
    core.#in = new Uint8Array(buffer, core.#x.core_in_ptr(), core.#x.core_in_cap());
    core.#inView = new DataView(buffer, core.#x.core_in_ptr(), core.#x.core_in_cap());
    core.#out = new Uint8Array(buffer, core.#x.core_out_ptr());
    core.#outView = new DataView(buffer, core.#x.core_out_ptr());
    const stateBytes = core.#x.core_state_bytes();
    core.#state = new Uint8Array(buffer, core.#x.core_state_ptr(), stateBytes);
    const hashBytes = (stateBytes / abi.LEAF_BYTES) * abi.LEAF_HASH_BYTES;
    core.#hashes = new Uint8Array(buffer, core.#x.core_hashes_ptr(), hashBytes);
    return core;
  }

  /** Bytes that one `apply` call can take. */
  get inCapacity(): number {
    return this.#in.length;
  }

  /** Identifies the memory layout: this core can load snapshots of the same layout only. */
  get layout(): string {
    return `${abi.ABI_VERSION}:${this.memoryBytes}`;
  }

  get memoryBytes(): number {
    return this.#x.memory.buffer.byteLength;
  }

  #call<T>(run: () => T): T {
    if (this.#trap) throw this.#trap;
    try {
      return run();
    } catch (cause) {
      this.#trap = new CoreTrap(`core trapped: ${this.#trapText() ?? cause}`, { cause });
      throw this.#trap;
    }
  }

  #trapText(): string | undefined {
    const { buffer } = this.#x.memory;
    const at = this.#x.core_trap_ptr();
    const view = new DataView(buffer, at);
    if (view.getUint32(0, true) !== 1) return undefined;
    const [line, column] = [view.getUint32(4, true), view.getUint32(8, true)];
    const [text, file] = [view.getUint32(12, true), view.getUint32(16, true)];
    const read = (from: number, length: number): string =>
      new TextDecoder().decode(new Uint8Array(buffer, at + from, length));
    return `${read(abi.TRAP_TEXT, text)} at ${read(abi.TRAP_TEXT + text, file)}:${line}:${column}`;
  }

  /**
   * Applies records in order; `onOut` receives the outcomes of each part, maybe none, valid only during the call. Throws on a framing
   * error, which is a bug of the caller; the state may then be in the middle of a block.
   */
  apply(records: readonly Uint8Array[], onOut: (out: OutView) => void): void {
    let filled = 0;
    for (let i = 0; i < records.length || filled > 0; ) {
      for (const end = this.#fitting(records, i, filled); i < end; i++) {
        this.#in.set(records[i]!, filled);
        filled += records[i]!.length;
      }
      const done = this.#call(() => this.#x.core_apply(filled));
      if (done < 0) throw new CoreTrap('core_apply refused the framing of the records');
      const length = this.#x.core_out_len();
      if (done === 0 && length === 0) throw new CoreTrap('core_apply made no progress');
      onOut({ bytes: this.#out.subarray(0, length), view: this.#outView });
      if (done < filled) this.#in.copyWithin(0, done, filled);
      filled -= done;
    }
  }

  /**
   * Number of the first record from `from` on that does not fit behind `filled` bytes. Each is looked at in this loop, which
   * a processor runs far ahead of the memory that records come from, so that their copies need not wait for it.
   */
  #fitting(records: readonly Uint8Array[], from: number, filled: number): number {
    let [end, left] = [from, this.#in.length - filled];
    for (; end < records.length; end++) {
      const record = records[end]!;
      left -= record.length;
      // The core would refuse an opcode of 0.
      if (left < 0 || record[0] === 0) break;
    }
    return end;
  }

  /**
   * The movements of money of the part of `apply` that `onOut` is called for. Only there, and after its outcomes were read:
   * the question takes their place. Errors: a part whose movements had no room.
   */
  movements(): Movement[] {
    return readMovements(this.queryWords(abi.QUERY_MOVEMENTS)!, this.#outView);
  }

  /** Dry run of one command: its code, and the details of a refusal. Changes nothing. */
  check(command: Uint8Array, nowSecs: number): { code: number; details: bigint[] } {
    this.#in.set(command, 0);
    const code = this.#call(() => this.#x.core_check(command.length, nowSecs));
    const details: bigint[] = [];
    if (code !== abi.OK) {
      for (let i = 0; i < abi.RESULT_WORDS; i++) details.push(this.#outView.getBigUint64(8 * i, true));
    }
    return { code, details };
  }

  /** Answer to a query whose argument is bytes, or undefined when the thing does not exist. */
  queryBytes(kind: number, argument: Uint8Array): OutView | undefined {
    this.#in.set(argument, 0);
    return this.#answer(kind, argument.length);
  }

  /** Answer to a query whose argument is u32 words. */
  queryWords(kind: number, ...words: number[]): OutView | undefined {
    for (let i = 0; i < words.length; i++) this.#inView.setUint32(4 * i, words[i]!, true);
    return this.#answer(kind, 4 * words.length);
  }

  #answer(kind: number, length: number): OutView | undefined {
    const size = this.#call(() => this.#x.core_query(kind, length));
    return size < 0 ? undefined : new QueryAnswer(this.#out, size, this.#outView);
  }

  /** Root of the whole state, 32 bytes. The cost grows with what changed since the last call. */
  stateHash(): Uint8Array {
    this.#call(() => this.#x.core_state_hash());
    return this.#out.slice(0, 32);
  }

  /** A leaf as the last `stateHash` has it, and the children of each node from it to the root; undefined for no leaf. */
  leafOfHash(number: number): { leaf: Uint8Array | undefined; nodes: Uint8Array[] } | undefined {
    const out = this.queryWords(abi.QUERY_LEAF, number);
    if (!out) return undefined;
    const bytes = out.bytes.slice();
    const childrenBytes = 32 * abi.LEAF_FAN;
    const isKnown = out.view.getUint32(abi.LEAF_IS_KNOWN, true) === 1;
    return {
      leaf: isKnown ? bytes.subarray(abi.LEAF_OF_HASH, abi.LEAF_OF_HASH + abi.LEAF_BYTES) : undefined,
      nodes: Array.from({ length: out.view.getUint32(abi.LEAF_LEVELS, true) }, (_, level) => {
        const at = abi.LEAF_CHILDREN + level * childrenBytes;
        return bytes.subarray(at, at + childrenBytes);
      }),
    };
  }

  /** Numbers of the pages that changed since the last call. */
  *dirtyPages(): Generator<number> {
    for (;;) {
      const count = this.#call(() => this.#x.core_dirty(PAGES_AT_ONCE));
      if (count === 0) return;
      const numbers = Array.from({ length: count }, (_, i) => this.#outView.getUint32(4 * i, true));
      yield* numbers;
    }
  }

  /** A page as it is now, with the hashes as of the last `stateHash`: call that before. */
  page(number: number): StatePage {
    const [leaves, hashes] = [new Uint8Array(PAGE_BYTES), new Uint8Array(PAGE_HASH_BYTES)];
    leaves.set(this.#state.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES));
    hashes.set(this.#hashes.subarray(number * PAGE_HASH_BYTES, (number + 1) * PAGE_HASH_BYTES));
    // A leaf that became zero has a hash, one that always was zero has none: what they hold is the same.
    for (let leaf = 0; leaf < abi.PAGE_LEAVES; leaf++) {
      if (!isZero(leaves.subarray(leaf * abi.LEAF_BYTES, (leaf + 1) * abi.LEAF_BYTES))) continue;
      hashes.fill(0, leaf * abi.LEAF_HASH_BYTES, (leaf + 1) * abi.LEAF_HASH_BYTES);
    }
    return { leaves, hashes };
  }

  #takeOver(numbers: readonly number[]): void {
    for (const [i, number] of numbers.entries()) this.#inView.setUint32(4 * i, number, true);
    const result = this.#call(() => this.#x.core_import(numbers.length));
    if (result !== 0) throw new Error(`snapshot does not fit this core (import code ${result})`);
  }

  /**
   * Loads a snapshot into a fresh instance. `isHashed`: the hashes are known to be those of their leaves; otherwise they are computed
   * with the next `stateHash`. Errors: pages of another configuration, or wrong sums.
   */
  async importPages(pages: AsyncIterable<[number, StatePage]>, isHashed: boolean): Promise<void> {
    this.#takeOver([]);
    let numbers: number[] = [];
    for await (const [number, { leaves, hashes }] of pages) {
      const at = number * PAGE_BYTES;
      const room = Math.max(0, Math.min(PAGE_BYTES, this.#state.length - at));
      if (!isZero(leaves.subarray(room))) throw new Error(`snapshot does not fit this core (page ${number})`);
      this.#state.set(leaves.subarray(0, room), at);
      if (isHashed) {
        const hashed = (room / abi.LEAF_BYTES) * abi.LEAF_HASH_BYTES;
        this.#hashes.set(hashes.subarray(0, hashed), number * PAGE_HASH_BYTES);
      }
      numbers.push(number);
      if (numbers.length < PAGES_AT_ONCE) continue;
      this.#takeOver(numbers);
      numbers = [];
    }
    this.#takeOver(numbers);
    const result = this.#call(() => this.#x.core_import_end(isHashed ? 1 : 0));
    if (result !== 0) throw new Error(`snapshot is damaged (import code ${result})`);
  }
}
