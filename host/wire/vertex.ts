// Vertices of the DAG as bytes (consensus 5.1, 5.17): header, signature, payload section.
// Keeps: one encoding for each value; bytes that would re-encode differently are refused. The id is the SHA-256 of the
// header without the signature, so two valid signatures of one id are one vertex. Checks the bytes alone; parents,
// epochs, seats and keys are checked elsewhere.
//
//   0 `VWV1`   4 u8 flags   5 u8 revision   6 u16 creator   8 u32 seq   12 u32 lamport   16 u64 ts   24 u32 payload bytes
//   28 u16 entries   30 u16 parents   32 epochId[32]   64 payloadRoot[32]   96 parent ids, 32 each

import { ByteReader, ByteWriter, compareBytes, concat, equalBytes, isZero, utf8 } from './bytes.ts';
import { sha256 } from './hash.ts';
import { numberOf } from './seq.ts';

const MAGIC = utf8('VWV1');
const PAYLOAD_TAG = utf8('VWS-PAYLOAD-V1');
const VERTEX_TAG = utf8('VWS-VERTEX-V1');
const FLAG_WORK = 1;
const FIXED_BYTES = 96;
const PARENTS_AT = 30;
const SIGNATURE_BYTES = 64;

/** Largest number of parents in any epoch; the limit of one epoch is min(seats, this) (consensus 4). */
export const MAX_PARENTS = 32;
/** Largest payload section, in bytes (protocol 12.8). */
export const MAX_PAYLOAD_BYTES = 3 * 1024 * 1024;
/** Times in vertices are milliseconds below this. */
export const MAX_TIME_MS = 2 ** 48;
/** Revisions are numbers up to this. */
export const MAX_REVISION = 255;
/** payloadRoot of a vertex without entries. */
export const EMPTY_PAYLOAD_ROOT = new Uint8Array(32);

export interface VertexHeader {
  /** The vertex carries work that must become final. */
  work: boolean;
  /** Newest revision of the rules that the creator's program knows (consensus 5.11). */
  revision: number;
  /** Seat index. */
  creator: number;
  /** Incarnation and number: seq.ts. */
  seq: number;
  lamport: number;
  /** Creator's clock, milliseconds. */
  timeMs: number;
  payloadBytes: number;
  entryCount: number;
  epochId: Uint8Array;
  payloadRoot: Uint8Array;
  /** Ids, ascending; with seq > 1 the first stands apart: it is the self-parent, if there is one. */
  parents: readonly Uint8Array[];
}

/** The fields that a creator chooses; the others are computed from the entries. */
export type VertexFields = Omit<VertexHeader, 'payloadBytes' | 'entryCount' | 'payloadRoot' | 'revision'> & {
  /** Without it 0. */
  revision?: number;
};

export interface Vertex {
  header: VertexHeader;
  id: Uint8Array;
  headerBytes: Uint8Array;
  signature: Uint8Array;
  payload: Uint8Array;
  /** Encoded entries, views into `payload`. */
  entries: readonly Uint8Array[];
}

const isUint = (value: number, below: number): boolean =>
  Number.isInteger(value) && value >= 0 && value < below;

function parentsFault(header: VertexHeader, maxParents: number): string | undefined {
  const { parents, seq, lamport } = header;
  if (parents.length > maxParents) return 'too many parents';
  if (parents.some((id) => id.length !== 32)) return 'parent id';
  if (numberOf(seq) > 1 && parents.length === 0) return 'no self-parent';
  // Lamport is 1 + the highest of the parents, and theirs are at least 1.
  if (parents.length === 0 ? lamport !== 1 : lamport < 2) return 'lamport';
  // The first vertex of a higher incarnation may have a self-parent or none; its first parent may be any.
  const others = seq > 1 ? parents.slice(1) : parents;
  for (let i = 1; i < others.length; i++) {
    if (compareBytes(others[i - 1]!, others[i]!) >= 0) return 'order of parents';
  }
  const self = seq > 1 ? parents[0] : undefined;
  if (self && others.some((id) => equalBytes(id, self))) return 'repeated parent';
  return undefined;
}

/** The rule of consensus 5.17 that a header breaks, or undefined. `maxParents`: P_max of its epoch. */
export function vertexHeaderFault(header: VertexHeader, maxParents = MAX_PARENTS): string | undefined {
  const { revision, creator, seq, lamport, timeMs, payloadBytes, entryCount, epochId, payloadRoot } = header;
  if (!isUint(revision, MAX_REVISION + 1)) return 'revision';
  if (!isUint(creator, 0x1_0000)) return 'creator';
  if (!isUint(seq, 0x1_0000_0000) || numberOf(seq) === 0) return 'seq';
  if (!isUint(lamport, 0x1_0000_0000)) return 'lamport';
  if (!isUint(timeMs, MAX_TIME_MS)) return 'ts';
  if (!isUint(payloadBytes, MAX_PAYLOAD_BYTES + 1)) return 'payload bytes';
  if (!isUint(entryCount, 0x1_0000)) return 'entries';
  if (epochId.length !== 32) return 'epochId';
  if (payloadRoot.length !== 32) return 'payloadRoot';
  if (entryCount === 0) {
    if (payloadBytes !== 0) return 'payload bytes';
    if (!isZero(payloadRoot)) return 'payloadRoot';
  } else {
    if (!header.work) return 'work';
    if (payloadBytes < 4 * entryCount) return 'payload bytes';
  }
  return parentsFault(header, maxParents);
}

/** Bytes of a header. Throws a RangeError that names the broken rule. */
export function encodeVertexHeader(header: VertexHeader, maxParents = MAX_PARENTS): Uint8Array {
  const fault = vertexHeaderFault(header, maxParents);
  if (fault) throw new RangeError(`vertex header: ${fault}`);
  const out = new ByteWriter(FIXED_BYTES + 32 * header.parents.length)
    .raw(MAGIC)
    .u8(header.work ? FLAG_WORK : 0)
    .u8(header.revision)
    .u16(header.creator)
    .u32(header.seq)
    .u32(header.lamport)
    .u64(header.timeMs)
    .u32(header.payloadBytes)
    .u16(header.entryCount)
    .u16(header.parents.length)
    .raw(header.epochId)
    .raw(header.payloadRoot);
  for (const id of header.parents) out.raw(id);
  return out.finish();
}

/** Decodes exactly one header; undefined for anything else. Byte members are views. */
export function decodeVertexHeader(bytes: Uint8Array, maxParents = MAX_PARENTS): VertexHeader | undefined {
  const reader = new ByteReader(bytes);
  if (!equalBytes(reader.raw(4), MAGIC)) return undefined;
  const flags = reader.u8();
  if (flags > FLAG_WORK) return undefined;
  const revision = reader.u8();
  const creator = reader.u16();
  const seq = reader.u32();
  const lamport = reader.u32();
  const timeMs = reader.u64();
  const payloadBytes = reader.u32();
  const entryCount = reader.u16();
  const parentCount = reader.u16();
  const epochId = reader.raw(32);
  const payloadRoot = reader.raw(32);
  if (reader.failed || reader.left !== 32 * parentCount) return undefined;
  const parents = Array.from({ length: parentCount }, () => reader.raw(32));
  const work = flags === FLAG_WORK;
  const header: VertexHeader = {
    work,
    revision,
    creator,
    seq,
    lamport,
    timeMs,
    payloadBytes,
    entryCount,
    epochId,
    payloadRoot,
    parents,
  };
  return vertexHeaderFault(header, maxParents) === undefined ? header : undefined;
}

/** Root over the entries' hashes; zeros without entries. */
export function payloadRoot(entries: readonly Uint8Array[]): Uint8Array {
  if (entries.length === 0) return EMPTY_PAYLOAD_ROOT;
  return sha256(PAYLOAD_TAG, ...entries.map((entry) => sha256(entry)));
}

/** Payload section: u32 length and bytes of each entry. */
export function encodePayload(entries: readonly Uint8Array[]): Uint8Array {
  let size = 0;
  for (const entry of entries) size += 4 + entry.length;
  const out = new ByteWriter(size);
  for (const entry of entries) out.u32(entry.length).raw(entry);
  return out.finish();
}

/** Decodes a payload section of exactly `count` entries, as views; undefined for anything else. */
export function decodePayload(bytes: Uint8Array, count: number): Uint8Array[] | undefined {
  const reader = new ByteReader(bytes);
  const entries: Uint8Array[] = [];
  for (let i = 0; i < count && !reader.failed; i++) entries.push(reader.raw(reader.u32()));
  return reader.done ? entries : undefined;
}

export function vertexId(headerBytes: Uint8Array): Uint8Array {
  return sha256(headerBytes);
}

/** The 45 bytes a creator signs. */
export function vertexSigningBytes(id: Uint8Array): Uint8Array {
  return concat(VERTEX_TAG, id);
}

/** Is this what a creator signs of a vertex: nothing else that a key signs begins so. */
export const isVertexMessage = (message: Uint8Array): boolean =>
  equalBytes(message.subarray(0, VERTEX_TAG.length), VERTEX_TAG);

/** A new vertex from its fields and encoded entries, signed by `sign` (message and header -> 64 bytes). */
export function makeVertex(
  fields: VertexFields,
  entries: readonly Uint8Array[],
  sign: (message: Uint8Array, header: Uint8Array) => Uint8Array,
  maxParents = MAX_PARENTS,
): Vertex {
  const payload = encodePayload(entries);
  const header: VertexHeader = {
    ...fields,
    revision: fields.revision ?? 0,
    payloadBytes: payload.length,
    entryCount: entries.length,
    payloadRoot: payloadRoot(entries),
  };
  const headerBytes = encodeVertexHeader(header, maxParents);
  const id = vertexId(headerBytes);
  return { header, id, headerBytes, signature: sign(vertexSigningBytes(id), headerBytes), payload, entries };
}

/** Full bytes: header, signature, payload section. */
export function encodeVertex(vertex: Pick<Vertex, 'headerBytes' | 'signature' | 'payload'>): Uint8Array {
  return concat(vertex.headerBytes, vertex.signature, vertex.payload);
}

/** The header's part of full vertex bytes, as a view; undefined when they are too short. */
export function headerPart(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length < FIXED_BYTES) return undefined;
  const end = FIXED_BYTES + 32 * (bytes[PARENTS_AT]! | (bytes[PARENTS_AT + 1]! << 8));
  return bytes.length < end ? undefined : bytes.subarray(0, end);
}

/** Decodes header and signature of full vertex bytes, as views; ignores the payload. Undefined if malformed. */
export function decodeVertexHead(bytes: Uint8Array): Pick<Vertex, 'header' | 'signature'> | undefined {
  const part = headerPart(bytes);
  const header = part && decodeVertexHeader(part);
  if (!header || bytes.length < part.length + SIGNATURE_BYTES) return undefined;
  return { header, signature: bytes.subarray(part.length, part.length + SIGNATURE_BYTES) };
}

/**
 * Decodes exactly one vertex; undefined for a broken rule or a payload that does not match the header.
 * The id is computed from the content; the signature is not verified here. Byte members are views into
 * `bytes`.
 */
export function decodeVertex(bytes: Uint8Array, maxParents = MAX_PARENTS): Vertex | undefined {
  const headerBytes = headerPart(bytes);
  const header = headerBytes && decodeVertexHeader(headerBytes, maxParents);
  if (!header) return undefined;
  const payloadStart = headerBytes.length + SIGNATURE_BYTES;
  if (bytes.length !== payloadStart + header.payloadBytes) return undefined;
  const payload = bytes.subarray(payloadStart);
  const entries = decodePayload(payload, header.entryCount);
  if (!entries || !equalBytes(payloadRoot(entries), header.payloadRoot)) return undefined;
  const signature = bytes.subarray(headerBytes.length, payloadStart);
  return { header, id: vertexId(headerBytes), headerBytes, signature, payload, entries };
}
