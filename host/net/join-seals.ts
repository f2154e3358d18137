// Proves the chain of seals: from the manifest's seat table to the newest one, a quorum of each sealed epoch signs the table
// of the next (consensus 5.12 "Joining").
// Keeps: a table counts only if a quorum of the previous table signed it; signatures from several peers add up; a peer's
// false claims are reported and count for nothing; a seal takes little more memory than its signatures, for there are
// fifty thousand in a year.
//
//   0 statement[168]   u16 seats: key[32], weight u64, late u8   u16 signatures: seat u16, signature[64]
//
// The signed statement binds all of it but the signatures. Which seats are excluded is not part of it: the state tells.

import type { VerifyMany } from '../crypto/verifier.ts';
import { type Epoch, isQuorumOf, nextEpoch, totalWeight, weightOf } from '../ordering/epoch.ts';
import {
  type CheckpointStatement,
  checkpointHash,
  checkpointSigningBytes,
  decodeCheckpoint,
  type SeatWeight,
} from '../wire/block.ts';
import { ByteReader, ByteWriter, equalBytes, toHex } from '../wire/bytes.ts';
import { decodeVertexHeader, headerPart, vertexId, vertexSigningBytes } from '../wire/vertex.ts';

const STATEMENT_BYTES = 168;
const SIGNATURE_BYTES = 64;
/** With the number of its seat. */
const PACKED_BYTES = 2 + SIGNATURE_BYTES;

export interface SeatSignature {
  seat: number;
  signature: Uint8Array;
}

/** What a peer sends about the seal of an epoch. */
export interface SealProof {
  statement: Uint8Array;
  /** Seat table of the epoch that it opens. */
  seats: readonly SeatWeight[];
  signatures: readonly SeatSignature[];
}

export function encodeProof({ statement, seats, signatures }: SealProof): Uint8Array {
  const out = new ByteWriter(STATEMENT_BYTES + 4 + 41 * seats.length + 66 * signatures.length);
  out.raw(statement).u16(seats.length);
  for (const { key, weight, isLate } of seats)
    out
      .raw(key)
      .u64(weight)
      .u8(isLate ? 1 : 0);
  out.u16(signatures.length);
  for (const { seat, signature } of signatures) out.u16(seat).raw(signature);
  return out.finish();
}

function readSeat(reader: ByteReader): SeatWeight {
  const seat = { key: reader.raw(32), weight: BigInt(reader.u64()) };
  const late = reader.u8();
  if (late > 1) reader.failed = true;
  return late === 1 ? { ...seat, isLate: true } : seat;
}

/** The proof that these bytes encode, or undefined. */
export function decodeProof(bytes: Uint8Array): SealProof | undefined {
  const reader = new ByteReader(bytes.slice());
  const list = <T>(read: () => T): T[] => {
    const items: T[] = [];
    for (let left = reader.u16(); left > 0 && !reader.failed; left--) items.push(read());
    return items;
  };
  const proof = {
    statement: reader.raw(STATEMENT_BYTES),
    seats: list(() => readSeat(reader)),
    signatures: list(() => ({ seat: reader.u16(), signature: reader.raw(SIGNATURE_BYTES) })),
  };
  return reader.done ? proof : undefined;
}

/** A seal that a quorum has signed. */
export interface ProvenSeal {
  statement: CheckpointStatement;
  bytes: Uint8Array;
  /** Of the sealed epoch's seats, ascending: u16 seat, signature[64]. */
  signatures: Uint8Array;
  /** The epoch that it ended, and the one that it opened; they share what is alike in their tables. */
  sealed: Epoch;
  opened: Epoch;
}

export function signaturesOf({ signatures }: Pick<ProvenSeal, 'signatures'>): SeatSignature[] {
  const reader = new ByteReader(signatures);
  const list: SeatSignature[] = [];
  while (!reader.done) list.push({ seat: reader.u16(), signature: reader.raw(SIGNATURE_BYTES) });
  return list;
}

/** A seal with the signatures received so far. */
interface Candidate {
  statement: CheckpointStatement;
  opened: Epoch;
  signatures: Map<number, Uint8Array>;
}

/** Why a proof was not enough: `forged` and `weight` are about its signatures, `answer` about everything else. */
export interface SealFault {
  kind: 'answer' | 'forged' | 'weight';
  text: string;
}

const badAnswer = (text: string): SealFault => ({ kind: 'answer', text });

export class SealChain {
  readonly #seals: ProvenSeal[] = [];
  /** Hash of a statement of the next seal -> what was received for it. */
  readonly #candidates = new Map<string, Candidate>();
  /** Peer -> why its last proof was not enough. */
  readonly faults = new Map<string, SealFault>();

  constructor(
    private readonly genesis: Epoch,
    private readonly genesisHash: Uint8Array,
    private readonly verify: VerifyMany,
  ) {}

  /** Seals proven so far: epochs 1 to this number are known. */
  get length(): number {
    return this.#seals.length;
  }

  get seals(): readonly ProvenSeal[] {
    return this.#seals;
  }

  /** The newest known epoch. */
  get epoch(): Epoch {
    return this.#seals.at(-1)?.opened ?? this.genesis;
  }

  /** Adds a peer's proof of the next seal; true when that is proven now. */
  add(bytes: Uint8Array, peer: string): boolean {
    const number = this.epoch.number;
    const proof = decodeProof(bytes);
    const fault = proof ? this.#faultOf(proof) : badAnswer('it cannot be read');
    if (fault === undefined) return true;
    this.faults.set(peer, { kind: fault.kind, text: `its seal of epoch ${number}: ${fault.text}` });
    return false;
  }

  /** Why this does not prove the next seal; undefined when it does. */
  #faultOf(proof: SealProof): SealFault | undefined {
    const sealed = this.epoch;
    // Its parts are kept, and must not keep the whole proof.
    const bytes = proof.statement.slice();
    const statement = decodeCheckpoint(bytes);
    if (!statement) return badAnswer('its statement cannot be read');
    if (!equalBytes(statement.epochId, sealed.id)) return badAnswer('it is of another epoch');
    if (statement.blockIndex < sealed.firstBlock || statement.order < sealed.firstOrder)
      return badAnswer('it lies before its epoch');
    if (statement.timeMs < sealed.previousTimeMs) return badAnswer('its time lies before its epoch');
    if (proof.seats.length !== sealed.seats.length) return badAnswer('its table has another number of seats');
    if (proof.signatures.length > sealed.seats.length) return badAnswer('it has more signatures than seats');
    const { blockIndex: block, blockHash: hash, order, timeMs } = statement;
    const seats = tableOf(sealed, proof.seats);
    const opened = nextEpoch(this.genesisHash, sealed, { block, hash, order, timeMs }, seats);
    if (!equalBytes(opened.digest, statement.manifestDigest))
      return badAnswer('its seat table is not the one that was signed');
    const name = toHex(checkpointHash(proof.statement));
    const candidate = this.#candidates.get(name) ?? { statement, opened, signatures: new Map() };
    const fault = this.#count(candidate, sealed, proof);
    if (fault !== undefined) return fault;
    this.#candidates.set(name, candidate);
    if (!isQuorumOf(sealed, candidate.signatures.keys())) {
      const count = `${candidate.signatures.size} of ${sealed.seats.length}`;
      return { kind: 'weight', text: `${count} seats have signed it, which is not a quorum` };
    }
    this.#prove(candidate, sealed, bytes);
    return undefined;
  }

  /** Adds good signatures. A single bad one voids the whole proof: its sender has not checked it. */
  #count(candidate: Candidate, sealed: Epoch, proof: SealProof): SealFault | undefined {
    const fresh = proof.signatures.filter(({ seat }) => !candidate.signatures.has(seat));
    const message = checkpointSigningBytes(checkpointHash(proof.statement));
    const jobs = [];
    for (const { seat, signature } of fresh) {
      const row = sealed.seats[seat];
      if (!row || row.weight === 0n) return badAnswer(`seat ${seat} has no weight in its epoch`);
      jobs.push({ publicKey: row.key, message, signature });
    }
    const verdicts = this.verify(jobs);
    const bad = fresh.find((_, i) => verdicts[i] !== 1);
    if (bad) return { kind: 'forged', text: `the signature of seat ${bad.seat} is forged` };
    for (const { seat, signature } of fresh) candidate.signatures.set(seat, signature);
    return undefined;
  }

  #prove({ statement, opened, signatures }: Candidate, sealed: Epoch, bytes: Uint8Array): void {
    const packed = new ByteWriter(PACKED_BYTES * signatures.size);
    for (const [seat, signature] of [...signatures].sort(([a], [b]) => a - b))
      packed.u16(seat).raw(signature);
    this.#seals.push({ statement, bytes, signatures: packed.finish(), sealed, opened });
    this.#candidates.clear();
  }
}

/** A copy of these seats that shares what is as in the epoch before: few weights change, and next to no key. */
const tableOf = ({ seats }: Epoch, proven: readonly SeatWeight[]): SeatWeight[] =>
  proven.map((row, seat) => {
    const before = seats[seat]!;
    const key = equalBytes(row.key, before.key) ? before.key : row.key.slice();
    const isAlike = key === before.key && row.weight === before.weight && row.isLate === before.isLate;
    return isAlike ? before : { ...row, key };
  });

/**
 * Have seats with more than a third of the weight made vertices in this epoch: then one of them is honest, and the epoch
 * really opened. Without this, a checkpoint in the middle of an epoch whose table does not change would pass for its seal.
 * `openers`: header and signature of one vertex each.
 */
export function isOpened(epoch: Epoch, openers: readonly Uint8Array[], verify: VerifyMany): boolean {
  const seats = new Set<number>();
  const tried = new Set<number>();
  for (const opener of openers) {
    const part = headerPart(opener);
    const header = part && decodeVertexHeader(part, epoch.maxParents);
    const row = header && epoch.seats[header.creator];
    if (!header || !row || tried.has(header.creator) || !equalBytes(header.epochId, epoch.id)) continue;
    // One of each: who sends many has them verified in vain.
    tried.add(header.creator);
    const signature = opener.slice(part.length, part.length + SIGNATURE_BYTES);
    const message = vertexSigningBytes(vertexId(part));
    if (verify([{ publicKey: row.key, message, signature }])[0] === 1) seats.add(header.creator);
  }
  return 3n * weightOf(epoch, seats) > totalWeight(epoch);
}

/** A vertex without its payload: enough to prove that its creator signed it. */
export function openerOf(vertex: Uint8Array): Uint8Array {
  return vertex.slice(0, headerPart(vertex)!.length + SIGNATURE_BYTES);
}
