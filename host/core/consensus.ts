// The typed door to consensus.wasm: one instance is one epoch of the event DAG. CONSENSUS 5.
// Keeps: all bytes that cross are laid out in assembly/consensus/abi.ts; views are renewed when memory grew; what
// comes out depends on the set of vertices and on the blocks taken, never on the order of arrival.
// The caller has verified signatures, payloads and header form (5.1, 1) and buffers orphans. After a trap the
// instance is poisoned.

import * as abi from '../../assembly/consensus/abi.ts';
import type { Evidence, SeatWeight } from '../wire/block.ts';
import { EPOCH_VERTICES } from '../wire/block.ts';
import { CoreTrap } from './core.ts';

interface ConsensusExports {
  memory: WebAssembly.Memory;
  consensus_abi_version(): number;
  consensus_in_ptr(): number;
  consensus_out_ptr(): number;
  consensus_init(length: number): number;
  consensus_insert(length: number): number;
  consensus_next_block(): number;
  consensus_block_part(from: number): number;
  consensus_evidence_part(from: number): number;
  consensus_preview(length: number): number;
  consensus_explain(): number;
  consensus_leader(round: number): number;
  consensus_has_quorum(round: number): number;
  consensus_figures(): number;
  consensus_snapshot_begin(): number;
  consensus_snapshot_part(): number;
  consensus_trap_ptr(): number;
}

export interface EpochConfig {
  /** Seat table in manifest order; only the weights reach the module. */
  seats: readonly SeatWeight[];
  minParticipants: number;
  /** 32 bytes; seeds the leader schedule. */
  epochId: Uint8Array;
  /** T of the seal before, milliseconds; at genesis launch_time * 1000, or 0. */
  previousTimeMs: number;
  /** Size of the arena; default twice the vertices after which an epoch seals. CONSENSUS 5.12. */
  maxVertices?: number | undefined;
}

/** What the DAG needs of a vertex: fields of its header, and its id. */
export interface DagVertex {
  id: Uint8Array;
  creator: number;
  seq: number;
  lamport: number;
  timeMs: number;
  work: boolean;
  parents: readonly Uint8Array[];
}

/** `invalid` on every node, reason in `lastFault()`; `full`: the arena, the node stops and replays with a larger one. */
export type InsertResult = 'inserted' | 'known' | 'missing_parent' | 'invalid' | 'full';

/** Rule of CONSENSUS 5.1 that an invalid vertex breaks. */
export type VertexFault =
  | 'creator'
  | 'seq'
  | 'time'
  | 'parent_count'
  | 'self_parent'
  | 'same_creator'
  | 'lamport'
  | 'run';

export interface OrderedVertex {
  id: Uint8Array;
  creator: number;
  /** It keeps its place, but its requests do not run. */
  isVoid: boolean;
}

export interface OrderedBlock {
  leader: Uint8Array;
  leaderRound: number;
  /** Consensus time T, milliseconds. */
  timeMs: number;
  vertices: OrderedVertex[];
  evidence: Evidence[];
}

/** What a vertex with certain parents would be. CONSENSUS 5.13. */
export interface Preview {
  round: number;
  isWitness: boolean;
  /** Seats whose witnesses of that round it is or brings, beyond those of its self-parent. */
  newWitnessCreators: number[];
  /** T, were it the next leader. */
  timeMs: number;
  isRefusedByRun: boolean;
}

export interface Explained {
  round: number;
  isWitness: boolean;
  /** State of the leader slot of its round. */
  slot: 'undecided' | 'commit' | 'skip';
  isOrdered: boolean;
  isVoid: boolean;
  /** Block of the epoch that ordered it, 1, 2, ...; 0 = none yet. */
  block: number;
}

/** Local figures for gauges and benchmarks: they may differ from node to node. */
export interface ConsensusFigures {
  vertices: number;
  ordered: number;
  blocks: number;
  maxRound: number;
  /** First leader slot that is not decided. */
  undecidedRound: number;
  /** Width of the widest witness mask, in 64-bit words: an alarm for floods of forks. */
  stride: number;
  /** Bytes that the vertices and everything that grows with them fill. */
  bytes: number;
}

/** An epoch that can never order anything does not open (CONSENSUS 5.9, 5.10). */
export class EpochRefused extends Error {
  override name = 'EpochRefused';
  readonly reason: EpochRefusal;
  constructor(reason: EpochRefusal) {
    super(`epoch does not open: ${reason}`);
    this.reason = reason;
  }
}
export type EpochRefusal =
  | 'abi_version'
  | 'bad_config'
  | 'no_memory'
  | 'no_weight'
  | 'weight_too_large'
  | 'too_few_participants';

const REFUSALS: readonly EpochRefusal[] = [
  'abi_version',
  'bad_config',
  'no_memory',
  'no_weight',
  'weight_too_large',
  'too_few_participants',
];
const RESULTS: readonly InsertResult[] = ['inserted', 'known', 'missing_parent', 'full'];
const FAULTS: readonly VertexFault[] = [
  'creator',
  'seq',
  'time',
  'parent_count',
  'self_parent',
  'same_creator',
  'lamport',
  'run',
];
const SLOTS = ['undecided', 'commit', 'skip'] as const;
const SNAPSHOT_MAGIC = 0x31535756; // `VWS1`
const SNAPSHOT_BLOCKS = 4;
const SNAPSHOT_CONFIG = 8;
const DEFAULT_VERTICES = 2 * EPOCH_VERTICES;
const WORD = 0x1_0000_0000;

// The arena is local: it is not part of a snapshot.
function encodeConfig(config: EpochConfig, maxVertices: number): Uint8Array {
  const out = new Uint8Array(abi.CONFIG_WEIGHTS + 8 * config.seats.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, abi.ABI_VERSION, true);
  view.setUint32(abi.CONFIG_SEATS, config.seats.length, true);
  view.setUint32(abi.CONFIG_PARTICIPANTS, config.minParticipants, true);
  view.setUint32(abi.CONFIG_VERTICES, maxVertices, true);
  view.setBigUint64(abi.CONFIG_TIME, BigInt(config.previousTimeMs), true);
  out.set(config.epochId, abi.CONFIG_EPOCH_ID);
  for (const [i, seat] of config.seats.entries()) {
    view.setBigUint64(abi.CONFIG_WEIGHTS + 8 * i, seat.weight, true);
  }
  return out;
}

export const vertexRecordBytes = (vertex: Pick<DagVertex, 'parents'>): number =>
  abi.VERTEX_PARENTS + 32 * vertex.parents.length;

/** Writes the record of a vertex at `at`; its bytes. */
export function writeVertexRecord(bytes: Uint8Array, view: DataView, at: number, vertex: DagVertex): number {
  const { parents } = vertex;
  view.setUint16(at, vertex.creator, true);
  view.setUint16(at + abi.VERTEX_PARENT_COUNT, parents.length, true);
  view.setUint32(at + abi.VERTEX_SEQ, vertex.seq, true);
  view.setUint32(at + abi.VERTEX_LAMPORT, vertex.lamport, true);
  view.setUint32(at + abi.VERTEX_FLAGS, vertex.work ? abi.VERTEX_WORK : 0, true);
  view.setUint32(at + abi.VERTEX_TIME, vertex.timeMs % WORD, true);
  view.setUint32(at + abi.VERTEX_TIME + 4, Math.floor(vertex.timeMs / WORD), true);
  bytes.set(vertex.id, at + abi.VERTEX_ID);
  let to = at + abi.VERTEX_PARENTS;
  for (let i = 0; i < parents.length; i++, to += 32) bytes.set(parents[i]!, to);
  return to - at;
}

export class Consensus {
  readonly #x: ConsensusExports;
  readonly #configBytes: Uint8Array;
  readonly #inAt: number;
  readonly #outAt: number;
  #in!: Uint8Array;
  #inView!: DataView;
  #out!: Uint8Array;
  #outView!: DataView;
  #trap: CoreTrap | undefined;
  #lastFault: VertexFault | undefined;
  #blocks = 0;

  private constructor(module: WebAssembly.Module, configBytes: Uint8Array) {
    this.#x = new WebAssembly.Instance(module, {}).exports as unknown as ConsensusExports;
    this.#configBytes = configBytes;
    this.#inAt = this.#x.consensus_in_ptr();
    this.#outAt = this.#x.consensus_out_ptr();
    if (this.#x.consensus_abi_version() !== abi.ABI_VERSION) throw new EpochRefused('abi_version');
    this.#renewViews();
    if (configBytes.length > abi.BUFFER_BYTES) throw new EpochRefused('bad_config');
    this.#in.set(configBytes);
    const result = this.#call(() => this.#x.consensus_init(configBytes.length));
    if (result !== abi.INIT_OK) throw new EpochRefused(REFUSALS[result - 1] ?? 'bad_config');
  }

  /** Opens an epoch. Throws EpochRefused. */
  static create(module: WebAssembly.Module, config: EpochConfig): Consensus {
    const { maxVertices = DEFAULT_VERTICES } = config;
    if (config.epochId.length !== 32) throw new EpochRefused('bad_config');
    if (config.seats.some((seat) => seat.weight < 0n || seat.weight > 10n ** 15n)) {
      throw new EpochRefused('weight_too_large');
    }
    return new Consensus(module, encodeConfig(config, maxVertices));
  }

  #renewViews(): void {
    const { buffer } = this.#x.memory;
    this.#in = new Uint8Array(buffer, this.#inAt, abi.BUFFER_BYTES);
    this.#inView = new DataView(buffer, this.#inAt, abi.BUFFER_BYTES);
    this.#out = new Uint8Array(buffer, this.#outAt, abi.BUFFER_BYTES);
    this.#outView = new DataView(buffer, this.#outAt, abi.BUFFER_BYTES);
  }

  #call(run: () => number): number {
    if (this.#trap) throw this.#trap;
    try {
      const result = run();
      // Memory that grew leaves the old buffer empty.
      if (this.#out.length === 0) this.#renewViews();
      return result;
    } catch (cause) {
      this.#trap = new CoreTrap(`consensus trapped: ${this.#trapText() ?? cause}`, { cause });
      throw this.#trap;
    }
  }

  #trapText(): string | undefined {
    const { buffer } = this.#x.memory;
    const at = this.#x.consensus_trap_ptr();
    const view = new DataView(buffer, at);
    if (view.getUint32(0, true) !== 1) return undefined;
    const [line, text, file] = [view.getUint32(4, true), view.getUint32(12, true), view.getUint32(16, true)];
    const read = (from: number, length: number): string =>
      new TextDecoder().decode(new Uint8Array(buffer, at + from, length));
    return `${read(abi.TRAP_TEXT, text)} at ${read(abi.TRAP_TEXT + text, file)}:${line}`;
  }

  get memoryBytes(): number {
    return this.#x.memory.buffer.byteLength;
  }

  /** Inserts vertices in the given order; a result for each. */
  insert(vertices: readonly DagVertex[]): InsertResult[] {
    const results: InsertResult[] = [];
    let filled = 0;
    for (const vertex of vertices) {
      if (vertex.parents.length > abi.MAX_PARENTS) {
        filled = this.#flush(filled, results);
        this.#lastFault = 'parent_count';
        results.push('invalid');
        continue;
      }
      if (filled + vertexRecordBytes(vertex) > abi.BUFFER_BYTES) filled = this.#flush(filled, results);
      filled += writeVertexRecord(this.#in, this.#inView, filled, vertex);
    }
    this.#flush(filled, results);
    return results;
  }

  #flush(filled: number, results: InsertResult[]): 0 {
    if (filled === 0) return 0;
    const count = this.#call(() => this.#x.consensus_insert(filled));
    if (count < 0) throw new CoreTrap('consensus_insert refused the layout of a batch');
    for (let i = 0; i < count; i++) results.push(this.#result(this.#out[i]!));
    return 0;
  }

  #result(code: number): InsertResult {
    if (code < abi.FAULT_CREATOR) return RESULTS[code]!;
    this.#lastFault = FAULTS[code - abi.FAULT_CREATOR]!;
    return 'invalid';
  }

  /**
   * Inserts records laid out as in the ABI, at most BUFFER_BYTES together. Results are ABI codes, valid until the next
   * call. Bytes that are no run of records throw a RangeError and change nothing.
   */
  insertRecords(records: Uint8Array): Uint8Array {
    if (records.length > abi.BUFFER_BYTES) throw new RangeError('too many records at once');
    this.#in.set(records);
    const count = this.#call(() => this.#x.consensus_insert(records.length));
    if (count < 0) throw new RangeError('not a run of vertex records');
    return this.#out.subarray(0, count);
  }

  /** Why the vertex was invalid that last was; undefined before the first. */
  lastFault(): VertexFault | undefined {
    return this.#lastFault;
  }

  /** The next block of the order, once; undefined while no further leader is decided. */
  nextBlock(): OrderedBlock | undefined {
    if (this.#call(() => this.#x.consensus_next_block()) === 0) return undefined;
    this.#blocks += 1;
    const view = this.#outView;
    const vertexCount = view.getUint32(abi.BLOCK_VERTICES, true);
    const evidenceCount = view.getUint32(abi.BLOCK_EVIDENCE, true);
    return {
      leader: this.#out.slice(abi.BLOCK_LEADER, abi.BLOCK_LEADER + 32),
      leaderRound: view.getUint32(abi.BLOCK_ROUND, true),
      timeMs: Number(view.getBigUint64(abi.BLOCK_TIME, true)),
      vertices: this.#readVertices(vertexCount),
      evidence: this.#readEvidence(evidenceCount),
    };
  }

  #readVertices(count: number): OrderedVertex[] {
    const vertices: OrderedVertex[] = [];
    while (vertices.length < count) {
      const from = vertices.length;
      const part = this.#call(() => this.#x.consensus_block_part(from));
      const out = this.#out;
      // A copy for each id: arrays this small live on the engine's heap, one large one would be external memory, and
      // beside an instance of this size that makes collections of the whole heap frequent.
      for (let at = 0; at < part * abi.ORDERED_BYTES; at += abi.ORDERED_BYTES) {
        vertices.push({
          id: out.slice(at, at + 32),
          creator: out[at + abi.ORDERED_CREATOR]! | (out[at + abi.ORDERED_CREATOR + 1]! << 8),
          isVoid: out[at + abi.ORDERED_VOID] === 1,
        });
      }
    }
    return vertices;
  }

  #readEvidence(count: number): Evidence[] {
    const evidence: Evidence[] = [];
    while (evidence.length < count) {
      const from = evidence.length;
      const part = this.#call(() => this.#x.consensus_evidence_part(from));
      for (let at = 0; at < part * abi.EVIDENCE_BYTES; at += abi.EVIDENCE_BYTES) {
        evidence.push({
          creator: this.#outView.getUint16(at, true),
          seq: this.#outView.getUint32(at + abi.EVIDENCE_SEQ, true),
          effective: this.#out.slice(at + abi.EVIDENCE_EFFECTIVE, at + abi.EVIDENCE_EFFECTIVE + 32),
          void: this.#out.slice(at + abi.EVIDENCE_VOID, at + abi.EVIDENCE_VOID + 32),
        });
      }
    }
    return evidence;
  }

  /**
   * What a vertex by `creator` with these parents (self-parent first) and clock would be. Throws a RangeError when
   * a parent is not in the DAG.
   */
  preview(creator: number, parents: readonly Uint8Array[], timeMs: number): Preview {
    if (parents.length > abi.MAX_PARENTS) throw new RangeError('preview: too many parents');
    const id = new Uint8Array(32);
    const vertex = { id, creator, seq: 0, lamport: 0, timeMs, work: false, parents };
    const length = writeVertexRecord(this.#in, this.#inView, 0, vertex);
    const bytes = this.#call(() => this.#x.consensus_preview(length));
    if (bytes < 0)
      throw new RangeError(`preview: ${['', 'not a vertex', 'unknown parent', 'no memory'][-bytes]}`);
    const view = this.#outView;
    const newWitnessCreators: number[] = [];
    for (let i = 0; i < view.getUint32(abi.PREVIEW_NEW, true); i++) {
      newWitnessCreators.push(view.getUint16(abi.PREVIEW_CREATORS + 2 * i, true));
    }
    return {
      round: view.getUint32(abi.PREVIEW_ROUND, true),
      isWitness: view.getUint32(abi.PREVIEW_WITNESS, true) === 1,
      newWitnessCreators,
      timeMs: Number(view.getBigUint64(abi.PREVIEW_TIME, true)),
      isRefusedByRun: view.getUint32(abi.PREVIEW_REFUSED, true) === 1,
    };
  }

  /** What is known of a vertex; undefined when it is not in the DAG. */
  explain(id: Uint8Array): Explained | undefined {
    if (id.length !== 32) return undefined;
    this.#in.set(id);
    if (this.#call(() => this.#x.consensus_explain()) === 0) return undefined;
    const word = (at: number): number => this.#outView.getUint32(at, true);
    return {
      round: word(abi.EXPLAIN_ROUND),
      isWitness: word(abi.EXPLAIN_WITNESS) === 1,
      slot: SLOTS[word(abi.EXPLAIN_SLOT)]!,
      isOrdered: word(abi.EXPLAIN_ORDERED) === 1,
      isVoid: word(abi.EXPLAIN_VOID) === 1,
      block: word(abi.EXPLAIN_BLOCK),
    };
  }

  /** Seat that leads the slot of a round, 1, 2, ... */
  leaderOf(round: number): number {
    return this.#call(() => this.#x.consensus_leader(round));
  }

  /** Highest round with a witness, 0 in an empty DAG. */
  maxRound(): number {
    return this.figures().maxRound;
  }

  /** True when witnesses of a quorum are known in this round. */
  quorumWitnesses(round: number): boolean {
    return this.#call(() => this.#x.consensus_has_quorum(round)) === 1;
  }

  figures(): ConsensusFigures {
    this.#call(() => this.#x.consensus_figures());
    const word = (at: number): number => this.#outView.getUint32(at, true);
    return {
      vertices: word(abi.FIGURE_VERTICES),
      ordered: word(abi.FIGURE_ORDERED),
      blocks: word(abi.FIGURE_BLOCKS),
      maxRound: word(abi.FIGURE_MAX_ROUND),
      undecidedRound: word(abi.FIGURE_UNDECIDED),
      stride: word(abi.FIGURE_STRIDE),
      bytes: word(abi.FIGURE_BYTES),
    };
  }

  /**
   * The epoch as bytes, equal on every node that holds the same vertices and took as many blocks:
   * u32 magic, u32 blocks taken, configuration (arena size 0), then the vertex records by (lamport, id).
   */
  snapshot(): Uint8Array {
    const head = new Uint8Array(SNAPSHOT_CONFIG + this.#configBytes.length);
    const view = new DataView(head.buffer);
    view.setUint32(0, SNAPSHOT_MAGIC, true);
    view.setUint32(SNAPSHOT_BLOCKS, this.#blocks, true);
    head.set(this.#configBytes, SNAPSHOT_CONFIG);
    view.setUint32(SNAPSHOT_CONFIG + abi.CONFIG_VERTICES, 0, true);
    const parts = [head];
    this.#call(() => this.#x.consensus_snapshot_begin());
    for (;;) {
      const length = this.#call(() => this.#x.consensus_snapshot_part());
      if (length === 0) break;
      parts.push(this.#out.slice(0, length));
    }
    const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }

  /** The instance a snapshot was taken of. Throws a RangeError for bytes that are none, EpochRefused as `create`. */
  static restore(module: WebAssembly.Module, bytes: Uint8Array, maxVertices = DEFAULT_VERTICES): Consensus {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const weightsAt = SNAPSHOT_CONFIG + abi.CONFIG_WEIGHTS;
    if (bytes.length < weightsAt || view.getUint32(0, true) !== SNAPSHOT_MAGIC) {
      throw new RangeError('not a snapshot');
    }
    const seats = view.getUint32(SNAPSHOT_CONFIG + abi.CONFIG_SEATS, true);
    const recordsAt = weightsAt + 8 * seats;
    if (seats > abi.MAX_SEATS || recordsAt > bytes.length) throw new RangeError('snapshot: seats');
    const config = bytes.slice(SNAPSHOT_CONFIG, recordsAt);
    new DataView(config.buffer).setUint32(abi.CONFIG_VERTICES, maxVertices, true);
    const restored = new Consensus(module, config);
    restored.#feed(bytes, view, recordsAt);
    const blocks = view.getUint32(SNAPSHOT_BLOCKS, true);
    while (restored.#blocks < blocks) {
      if (!restored.nextBlock()) throw new RangeError('snapshot: its vertices do not make its blocks');
    }
    return restored;
  }

  #feed(bytes: Uint8Array, view: DataView, from: number): void {
    let at = from;
    for (let end = from; end < bytes.length; ) {
      if (end + abi.VERTEX_PARENTS > bytes.length) throw new RangeError('snapshot: cut short');
      const next = end + abi.VERTEX_PARENTS + 32 * view.getUint16(end + abi.VERTEX_PARENT_COUNT, true);
      if (next > bytes.length || next - end > abi.BUFFER_BYTES) throw new RangeError('snapshot: cut short');
      if (next - at > abi.BUFFER_BYTES) {
        this.#feedRun(bytes.subarray(at, end));
        at = end;
      }
      end = next;
    }
    this.#feedRun(bytes.subarray(at));
  }

  #feedRun(records: Uint8Array): void {
    if (records.length === 0) return;
    const results = this.insertRecords(records);
    if (results.includes(abi.FULL)) throw new EpochRefused('no_memory');
    if (results.some((code) => code !== abi.INSERTED))
      throw new RangeError('snapshot: a vertex that does not fit');
  }
}
