// Typed bindings of consensus.wasm: one instance is one epoch of the DAG (consensus 5).
// Keeps: all bytes that cross are laid out in assembly/consensus/abi.ts; results depend on the set of vertices and on
// the blocks taken, never on the order of arrival.
// The caller has verified signatures, payloads and header form (consensus 5.1, rule 1) and buffers orphans. After a trap
// the instance is unusable.

import * as abi from '../../assembly/consensus/abi.ts';
import type { Evidence } from '../wire/block.ts';
import { EPOCH_VERTICES } from '../wire/block.ts';
import { u64At } from '../wire/bytes.ts';
import { CoreBlock } from './consensus-block.ts';
import { ConsensusInstance } from './consensus-instance.ts';
import {
  encodeConfig,
  readSnapshot,
  snapshotHead,
  vertexRecordBytes,
  writeVertexRecord,
} from './consensus-records.ts';
import {
  type ConsensusFigures,
  type DagVertex,
  type EpochConfig,
  EpochRefused,
  type Explained,
  FAULTS,
  type InsertResult,
  type Preview,
  REFUSALS,
  RESULTS,
  SLOTS,
  type SlotStatus,
  type VertexFault,
} from './consensus-types.ts';
import { CoreTrap } from './core.ts';

export { CoreBlock, type OrderedBlock, type OrderedVertex } from './consensus-block.ts';
export { vertexRecordBytes, writeVertexRecord } from './consensus-records.ts';
export {
  type ConsensusFigures,
  type DagVertex,
  type EpochConfig,
  type EpochRefusal,
  EpochRefused,
  type Explained,
  type InsertResult,
  type Preview,
  type SlotStatus,
  type VertexFault,
} from './consensus-types.ts';

const DEFAULT_VERTICES = 2 * EPOCH_VERTICES;

export class Consensus {
  readonly #wasm: ConsensusInstance;
  readonly #configBytes: Uint8Array;
  readonly #leaders: number;
  #lastFault: VertexFault | undefined;
  #blocks = 0;

  private constructor(module: WebAssembly.Module, configBytes: Uint8Array) {
    this.#wasm = new ConsensusInstance(module);
    this.#configBytes = configBytes;
    const config = new DataView(configBytes.buffer, configBytes.byteOffset, configBytes.length);
    this.#leaders = config.getUint32(abi.CONFIG_LEADERS, true);
    if (configBytes.length > abi.BUFFER_BYTES) throw new EpochRefused('bad_config');
    this.#wasm.in.set(configBytes);
    const result = this.#wasm.call(this.#wasm.exports.consensus_init, configBytes.length);
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

  get memoryBytes(): number {
    return this.#wasm.memoryBytes;
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
      filled += writeVertexRecord(this.#wasm.in, this.#wasm.inView, filled, vertex);
    }
    this.#flush(filled, results);
    return results;
  }

  #flush(filled: number, results: InsertResult[]): 0 {
    if (filled === 0) return 0;
    const count = this.#wasm.call(this.#wasm.exports.consensus_insert, filled);
    if (count < 0) throw new CoreTrap('consensus_insert refused the layout of the records');
    for (let i = 0; i < count; i++) results.push(this.#result(this.#wasm.out[i]!));
    return 0;
  }

  #result(code: number): InsertResult {
    if (code < abi.FAULT_CREATOR) return RESULTS[code]!;
    this.#lastFault = FAULTS[code - abi.FAULT_CREATOR]!;
    return 'invalid';
  }

  /**
   * Inserts records laid out as in the ABI, at most BUFFER_BYTES together. Results are ABI codes, valid until the next
   * call. Malformed bytes throw a RangeError and change nothing.
   */
  insertRecords(records: Uint8Array): Uint8Array {
    if (records.length > abi.BUFFER_BYTES) throw new RangeError('too many records at once');
    this.#wasm.in.set(records);
    const count = this.#wasm.call(this.#wasm.exports.consensus_insert, records.length);
    if (count < 0) throw new RangeError('not a run of vertex records');
    return this.#wasm.out.subarray(0, count);
  }

  /** Why the last invalid vertex was invalid; undefined before the first. */
  lastFault(): VertexFault | undefined {
    return this.#lastFault;
  }

  /** The next block of the order, once; undefined while no further leader is decided. */
  nextBlock(): CoreBlock | undefined {
    const wasm = this.#wasm;
    if (wasm.call(wasm.exports.consensus_next_block) === 0) return undefined;
    this.#blocks += 1;
    const count = wasm.outView.getUint32(abi.BLOCK_VERTICES, true);
    const evidenceCount = wasm.outView.getUint32(abi.BLOCK_EVIDENCE, true);
    const block = CoreBlock.read(wasm.out, count, (from) =>
      wasm.call(wasm.exports.consensus_block_part, from),
    );
    if (evidenceCount > 0) this.#readEvidence(evidenceCount, block.evidence);
    return block;
  }

  #readEvidence(count: number, evidence: Evidence[]): void {
    while (evidence.length < count) {
      const from = evidence.length;
      const part = this.#wasm.call(this.#wasm.exports.consensus_evidence_part, from);
      for (let at = 0; at < part * abi.EVIDENCE_BYTES; at += abi.EVIDENCE_BYTES) {
        evidence.push({
          creator: this.#wasm.outView.getUint16(at, true),
          seq: this.#wasm.outView.getUint32(at + abi.EVIDENCE_SEQ, true),
          effective: this.#wasm.out.slice(at + abi.EVIDENCE_EFFECTIVE, at + abi.EVIDENCE_EFFECTIVE + 32),
          void: this.#wasm.out.slice(at + abi.EVIDENCE_VOID, at + abi.EVIDENCE_VOID + 32),
        });
      }
    }
  }

  /**
   * The properties that a vertex by `creator` with these parents (self-parent first) and clock would have. Throws a
   * RangeError when a parent is not in the DAG.
   */
  preview(creator: number, parents: readonly Uint8Array[], timeMs: number): Preview {
    if (parents.length > abi.MAX_PARENTS) throw new RangeError('preview: too many parents');
    const id = new Uint8Array(32);
    const vertex = { id, creator, seq: 0, lamport: 0, timeMs, work: false, parents };
    const length = writeVertexRecord(this.#wasm.in, this.#wasm.inView, 0, vertex);
    const bytes = this.#wasm.call(this.#wasm.exports.consensus_preview, length);
    if (bytes < 0)
      throw new RangeError(`preview: ${['', 'not a vertex', 'unknown parent', 'no memory'][-bytes]}`);
    const view = this.#wasm.outView;
    const newWitnessCreators: number[] = [];
    for (let i = 0; i < view.getUint32(abi.PREVIEW_NEW, true); i++) {
      newWitnessCreators.push(view.getUint16(abi.PREVIEW_CREATORS + 2 * i, true));
    }
    return {
      round: view.getUint32(abi.PREVIEW_ROUND, true),
      isWitness: view.getUint32(abi.PREVIEW_WITNESS, true) === 1,
      newWitnessCreators,
      timeMs: u64At(view, abi.PREVIEW_TIME),
      isRefusedByRun: view.getUint32(abi.PREVIEW_REFUSED, true) === 1,
    };
  }

  /** What the DAG knows of a vertex; undefined when the vertex is not in it. */
  explain(id: Uint8Array): Explained | undefined {
    if (id.length !== 32) return undefined;
    this.#wasm.in.set(id);
    if (this.#wasm.call(this.#wasm.exports.consensus_explain) === 0) return undefined;
    const word = (at: number): number => this.#wasm.outView.getUint32(at, true);
    return {
      round: word(abi.EXPLAIN_ROUND),
      isWitness: word(abi.EXPLAIN_WITNESS) === 1,
      isOrdered: word(abi.EXPLAIN_ORDERED) === 1,
      isVoid: word(abi.EXPLAIN_VOID) === 1,
      block: word(abi.EXPLAIN_BLOCK),
    };
  }

  /** Seats that lead the slots of a round, 1, 2, ..., in the order of the slots. */
  leadersOf(round: number): number[] {
    const { consensus_leader } = this.#wasm.exports;
    return Array.from({ length: this.#leaders }, (_, place) =>
      this.#wasm.call((of) => consensus_leader(of, place), round),
    );
  }

  /** What is decided about the slot at a place of a round. */
  slotStatus(round: number, place: number): SlotStatus {
    const { consensus_slot } = this.#wasm.exports;
    return SLOTS[this.#wasm.call((of) => consensus_slot(of, place), round)]!;
  }

  /** Highest round with a witness, 0 in an empty DAG. */
  maxRound(): number {
    return this.figures().maxRound;
  }

  /** True when the round has witnesses of a quorum. */
  quorumWitnesses(round: number): boolean {
    return this.#wasm.call(this.#wasm.exports.consensus_has_quorum, round) === 1;
  }

  /** For each seat the rounds in which its witness came in time, in the order of the blocks taken so far (consensus 5.11). */
  timely(): number[] {
    const bytes = this.#wasm.call(this.#wasm.exports.consensus_timely);
    return Array.from({ length: bytes / 4 }, (_, seat) => this.#wasm.outView.getUint32(4 * seat, true));
  }

  figures(): ConsensusFigures {
    this.#wasm.call(this.#wasm.exports.consensus_figures);
    const word = (at: number): number => this.#wasm.outView.getUint32(at, true);
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
    const parts = [snapshotHead(this.#configBytes, this.#blocks)];
    this.#wasm.call(this.#wasm.exports.consensus_snapshot_begin);
    for (;;) {
      const length = this.#wasm.call(this.#wasm.exports.consensus_snapshot_part);
      if (length === 0) break;
      parts.push(this.#wasm.out.slice(0, length));
    }
    const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }

  /** Restores an instance from its snapshot. Throws a RangeError for malformed bytes, EpochRefused like `create`. */
  static restore(module: WebAssembly.Module, bytes: Uint8Array, maxVertices = DEFAULT_VERTICES): Consensus {
    const { config, blocks, runs } = readSnapshot(bytes, maxVertices);
    const restored = new Consensus(module, config);
    for (const run of runs) {
      const results = restored.insertRecords(run);
      if (results.includes(abi.FULL)) throw new EpochRefused('no_memory');
      if (results.some((code) => code !== abi.INSERTED)) {
        throw new RangeError('snapshot: a vertex cannot be inserted');
      }
    }
    while (restored.#blocks < blocks) {
      if (!restored.nextBlock()) throw new RangeError('snapshot: the vertices give too few blocks');
    }
    return restored;
  }
}
