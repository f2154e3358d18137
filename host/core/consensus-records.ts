// Bytes for consensus.wasm: the configuration of an epoch, the record of a vertex, and the parts of a snapshot.
// Keeps: layouts are those of assembly/consensus/abi.ts; malformed snapshots cause a RangeError, never a trap.

import * as abi from '../../assembly/consensus/abi.ts';
import { leadersOfRound } from '../wire/block.ts';
import type { DagVertex, EpochConfig } from './consensus-types.ts';

const WORD = 0x1_0000_0000;
/** Of a seat in the configuration: its weight, and whether it is late. */
const SEAT_BYTES = 9;

// Snapshot: u32 magic, u32 blocks taken, configuration with an arena size of 0, then vertex records.
const SNAPSHOT_MAGIC = 0x31535756; // `VWS1`
const SNAPSHOT_BLOCKS = 4;
const SNAPSHOT_CONFIG = 8;

export function encodeConfig(config: EpochConfig, maxVertices: number): Uint8Array {
  const out = new Uint8Array(abi.CONFIG_WEIGHTS + SEAT_BYTES * config.seats.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, abi.ABI_VERSION, true);
  view.setUint32(abi.CONFIG_SEATS, config.seats.length, true);
  view.setUint32(abi.CONFIG_PARTICIPANTS, config.minParticipants, true);
  view.setUint32(abi.CONFIG_VERTICES, maxVertices, true);
  view.setBigUint64(abi.CONFIG_TIME, BigInt(config.previousTimeMs), true);
  out.set(config.epochId, abi.CONFIG_EPOCH_ID);
  const leaders = config.leaders ?? leadersOfRound(config.seats, config.minParticipants);
  view.setUint32(abi.CONFIG_LEADERS, leaders, true);
  for (const [i, seat] of config.seats.entries()) {
    view.setBigUint64(abi.CONFIG_WEIGHTS + 8 * i, seat.weight, true);
    out[abi.CONFIG_WEIGHTS + 8 * config.seats.length + i] = seat.isLate ? 1 : 0;
  }
  return out;
}

export const vertexRecordBytes = (vertex: Pick<DagVertex, 'parents'>): number =>
  abi.VERTEX_PARENTS + 32 * vertex.parents.length;

/** Writes the record of a vertex at `at`; returns its length in bytes. */
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

/** The head of a snapshot. The arena size is local and therefore written as 0. */
export function snapshotHead(config: Uint8Array, blocks: number): Uint8Array {
  const head = new Uint8Array(SNAPSHOT_CONFIG + config.length);
  const view = new DataView(head.buffer);
  view.setUint32(0, SNAPSHOT_MAGIC, true);
  view.setUint32(SNAPSHOT_BLOCKS, blocks, true);
  head.set(config, SNAPSHOT_CONFIG);
  view.setUint32(SNAPSHOT_CONFIG + abi.CONFIG_VERTICES, 0, true);
  return head;
}

interface SnapshotParts {
  /** Configuration with the requested arena size. */
  config: Uint8Array;
  /** Blocks taken so far. */
  blocks: number;
  /** Vertex records in runs that fit the module's buffer. */
  runs: Uint8Array[];
}

/** Splits a snapshot into its parts. Throws a RangeError for malformed bytes. */
export function readSnapshot(bytes: Uint8Array, maxVertices: number): SnapshotParts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const weightsAt = SNAPSHOT_CONFIG + abi.CONFIG_WEIGHTS;
  if (bytes.length < weightsAt || view.getUint32(0, true) !== SNAPSHOT_MAGIC) {
    throw new RangeError('not a snapshot');
  }
  const seats = view.getUint32(SNAPSHOT_CONFIG + abi.CONFIG_SEATS, true);
  const recordsAt = weightsAt + SEAT_BYTES * seats;
  if (seats > abi.MAX_SEATS || recordsAt > bytes.length) throw new RangeError('snapshot: seats');
  const config = bytes.slice(SNAPSHOT_CONFIG, recordsAt);
  new DataView(config.buffer).setUint32(abi.CONFIG_VERTICES, maxVertices, true);
  return { config, blocks: view.getUint32(SNAPSHOT_BLOCKS, true), runs: [...runsOf(bytes, view, recordsAt)] };
}

function* runsOf(bytes: Uint8Array, view: DataView, from: number): Generator<Uint8Array> {
  let at = from;
  for (let end = from; end < bytes.length; ) {
    if (end + abi.VERTEX_PARENTS > bytes.length) throw new RangeError('snapshot: cut short');
    const next = end + abi.VERTEX_PARENTS + 32 * view.getUint16(end + abi.VERTEX_PARENT_COUNT, true);
    if (next > bytes.length || next - end > abi.BUFFER_BYTES) throw new RangeError('snapshot: cut short');
    if (next - at > abi.BUFFER_BYTES) {
      yield bytes.subarray(at, end);
      at = end;
    }
    end = next;
  }
  if (at < bytes.length) yield bytes.subarray(at);
}
