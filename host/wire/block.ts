// Digests that chain the order together (consensus 5.17): seats, epochs, blocks, checkpoints.
// Keeps: byte for byte the preimages of that section, since every node signs and compares these hashes.
// Nothing local may enter them: no arrival order, no signatures, no certificates seen.

import { ByteReader, ByteWriter, concat, equalBytes, utf8 } from './bytes.ts';
import { sha256 } from './hash.ts';
import { MAX_TIME_MS } from './vertex.ts';

const SEATS_TAG = utf8('VWS-SEATS-V5');
const EPOCH_TAG = utf8('VWS-EPOCH-V1');
const BLOCK_TAG = utf8('VWS-BLOCK-V1');
const CHECKPOINT_TAG = utf8('VWS-CHECKPT-V1');
const BLOCK_MAGIC = utf8('VWB1');
const CHECKPOINT_MAGIC = utf8('VWC1');
const BLOCK_FIXED_BYTES = 168;
const EVIDENCE_BYTES = 72;
/** Offset of `order` in a header. */
const ORDER_AT = 24;
const CHECKPOINT_BYTES = 168;

/** Vote distances: voters of slot r are the witnesses of rounds r + 1 and r + 2 (consensus 4). */
const VOTE_DISTANCES = [1, 2] as const;
/** Most leader slots of a round: with more, the module orders too much slower for what is gained (decision 25). */
const MAX_LEADERS = 5;
/** K_max: the longest run of vertices in one branch and round that bring no new creator's witness. */
const MAX_RUN = 64;
/** First block of an epoch that may seal it early, for each leader slot of a round. */
const EARLY_SEAL_BLOCKS = 64;
/** Blocks after which an epoch seals, for each leader slot of a round. */
const EPOCH_BLOCKS = 4096;
/** Ordered vertices after which an epoch seals. */
export const EPOCH_VERTICES = 262_144;
/** Consensus time after which an epoch may seal early, milliseconds. */
const EPOCH_TIME_MS = 600_000;

export interface SeatWeight {
  /** Consensus key of the seat in this epoch, 32 bytes. */
  key: Uint8Array;
  /** Vote weight, u64. */
  weight: bigint;
  /** Did its witnesses come late in the epoch before: then it leads no slot. */
  isLate?: boolean;
}

/** When an epoch seals (consensus 5.11); every network runs with EPOCH_LIMITS, tests with smaller ones. */
export interface EpochLimits {
  /** First block that may seal early, and the one that seals: each times the leader slots of a round. */
  earlyBlocks: number;
  blocks: number;
  /** Ordered vertices. */
  vertices: number;
  /** Milliseconds of consensus time. */
  timeMs: number;
}

export const EPOCH_LIMITS: EpochLimits = {
  earlyBlocks: EARLY_SEAL_BLOCKS,
  blocks: EPOCH_BLOCKS,
  vertices: EPOCH_VERTICES,
  timeMs: EPOCH_TIME_MS,
};

/**
 * Leader slots of a round: one less than there are seats that may lead, five at most; one alone where a seat is a quorum by
 * itself, whose slots wait for nobody (consensus 5.4).
 */
export function leadersOfRound(
  seats: readonly Pick<SeatWeight, 'weight' | 'isLate'>[],
  minParticipants: number,
): number {
  const voters = seats.filter(({ weight }) => weight > 0n);
  const total = voters.reduce((sum, { weight }) => sum + weight, 0n);
  if (minParticipants === 1 && voters.some(({ weight }) => 1000n * weight >= 667n * total)) return 1;
  const leading = voters.filter(({ isLate }) => !isLate).length;
  return Math.max(1, Math.min(leading - 1, MAX_LEADERS));
}

/** Digest of an epoch's seat table and limits. `maxParents`: P_max = min(seats, 32). */
export function seatDigest(
  seats: readonly SeatWeight[],
  minParticipants: number,
  maxParents: number,
  limits: EpochLimits = EPOCH_LIMITS,
): Uint8Array {
  const out = new ByteWriter(64 + 41 * seats.length).raw(SEATS_TAG).u32(seats.length);
  for (const seat of seats)
    out
      .raw(seat.key)
      .u64(seat.weight)
      .u8(seat.isLate ? 1 : 0);
  out.u16(minParticipants);
  for (const distance of VOTE_DISTANCES) out.u16(distance);
  out.u16(leadersOfRound(seats, minParticipants));
  out.u16(maxParents).u16(MAX_RUN);
  out.u32(limits.earlyBlocks).u32(limits.blocks).u32(limits.vertices).u32(limits.timeMs);
  return sha256(out.finish());
}

/** Id of epoch 0, 1, ... `sealBlock`: hash of the seal block before it, zeros for epoch 0. */
export function epochId(
  genesisHash: Uint8Array,
  epoch: number,
  sealBlock: Uint8Array,
  seats: Uint8Array,
): Uint8Array {
  return sha256(EPOCH_TAG, genesisHash, new ByteWriter(8).u64(epoch).finish(), sealBlock, seats);
}

/** Hash over a block's vertex ids, in order. */
export function verticesRoot(ids: readonly Uint8Array[]): Uint8Array {
  return sha256(BLOCK_TAG, ...ids);
}

/** A fork: two vertices of one creator with the same sequence number. One took effect, the other is void. */
export interface Evidence {
  creator: number;
  seq: number;
  effective: Uint8Array;
  void: Uint8Array;
}

export interface BlockHeader {
  leaderRound: number;
  /** 1, 2, ... over all epochs. */
  index: number;
  /** Consensus time T, milliseconds. */
  timeMs: number;
  /** Vertices ordered so far, those of this block included. */
  order: number;
  vertexCount: number;
  epochId: Uint8Array;
  /** Hash of the block before, zeros for index 1. */
  previous: Uint8Array;
  /** Vertex id of the leader. */
  leader: Uint8Array;
  verticesRoot: Uint8Array;
  /** In order of the void vertices. */
  evidence: readonly Evidence[];
}

/** 168 bytes, and 72 for each evidence. */
export function encodeBlockHeader(block: BlockHeader): Uint8Array {
  const out = new ByteWriter(BLOCK_FIXED_BYTES + EVIDENCE_BYTES * block.evidence.length)
    .raw(BLOCK_MAGIC)
    .u32(block.leaderRound)
    .u64(block.index)
    .u64(block.timeMs)
    .u64(block.order)
    .u32(block.vertexCount)
    .u32(block.evidence.length)
    .raw(block.epochId)
    .raw(block.previous)
    .raw(block.leader)
    .raw(block.verticesRoot);
  for (const e of block.evidence) out.u16(e.creator).u16(0).u32(e.seq).raw(e.effective).raw(e.void);
  return out.finish();
}

/** `order` of a block header, or of a stored block, which begins with one. */
export function lastOrderOf(block: Uint8Array): number {
  return new ByteReader(block.subarray(ORDER_AT, ORDER_AT + 8)).u64();
}

/** Decodes exactly one block header; undefined for anything else. Byte members are views. */
export function decodeBlockHeader(bytes: Uint8Array): BlockHeader | undefined {
  const reader = new ByteReader(bytes);
  if (!equalBytes(reader.raw(4), BLOCK_MAGIC)) return undefined;
  const leaderRound = reader.u32();
  const index = reader.u64();
  const timeMs = reader.u64();
  const order = reader.u64();
  const vertexCount = reader.u32();
  const evidenceCount = reader.u32();
  const [epoch, previous, leader, root] = [reader.raw(32), reader.raw(32), reader.raw(32), reader.raw(32)];
  if (reader.failed || reader.left !== EVIDENCE_BYTES * evidenceCount) return undefined;
  if (index === 0 || leaderRound === 0 || timeMs >= MAX_TIME_MS) return undefined;
  const evidence: Evidence[] = [];
  for (let i = 0; i < evidenceCount; i++) {
    const creator = reader.u16();
    if (reader.u16() !== 0) return undefined;
    evidence.push({ creator, seq: reader.u32(), effective: reader.raw(32), void: reader.raw(32) });
  }
  return {
    leaderRound,
    index,
    timeMs,
    order,
    vertexCount,
    epochId: epoch,
    previous,
    leader,
    verticesRoot: root,
    evidence,
  };
}

/** Seats with a fork that became final in this block, from the evidence in its header. */
export function evidenceIn(headerBytes: Uint8Array): readonly Evidence[] {
  return headerBytes.length === BLOCK_FIXED_BYTES ? [] : decodeBlockHeader(headerBytes)!.evidence;
}

export function blockHash(headerBytes: Uint8Array): Uint8Array {
  return sha256(headerBytes);
}

/** What the seats sign at the block ends that consensus 5.12 lists. */
export interface CheckpointStatement {
  /** 1, 2, ... without gaps. */
  height: number;
  order: number;
  blockIndex: number;
  timeMs: number;
  /** Of the epoch the block belongs to. */
  epochId: Uint8Array;
  blockHash: Uint8Array;
  stateRoot: Uint8Array;
  /** seatDigest in force after this block. */
  manifestDigest: Uint8Array;
}

/** 168 bytes. */
export function encodeCheckpoint(statement: CheckpointStatement): Uint8Array {
  return new ByteWriter(CHECKPOINT_BYTES)
    .raw(CHECKPOINT_MAGIC)
    .u32(0)
    .u64(statement.height)
    .u64(statement.order)
    .u64(statement.blockIndex)
    .u64(statement.timeMs)
    .raw(statement.epochId)
    .raw(statement.blockHash)
    .raw(statement.stateRoot)
    .raw(statement.manifestDigest)
    .finish();
}

/** Decodes exactly one statement; undefined for anything else. Byte members are views. */
export function decodeCheckpoint(bytes: Uint8Array): CheckpointStatement | undefined {
  const reader = new ByteReader(bytes);
  if (!equalBytes(reader.raw(4), CHECKPOINT_MAGIC) || reader.u32() !== 0) return undefined;
  const statement: CheckpointStatement = {
    height: reader.u64(),
    order: reader.u64(),
    blockIndex: reader.u64(),
    timeMs: reader.u64(),
    epochId: reader.raw(32),
    blockHash: reader.raw(32),
    stateRoot: reader.raw(32),
    manifestDigest: reader.raw(32),
  };
  return reader.done && statement.height > 0 && statement.timeMs < MAX_TIME_MS ? statement : undefined;
}

export function checkpointHash(statementBytes: Uint8Array): Uint8Array {
  return sha256(statementBytes);
}

/** The 46 bytes a seat signs. */
export function checkpointSigningBytes(hash: Uint8Array): Uint8Array {
  return concat(CHECKPOINT_TAG, hash);
}
