// The proof that a network has two histories: two checkpoints of one height and one epoch that differ and are signed by
// the same seats. A file that anybody can check, with nothing but this code.
// Keeps: a proof names its network: the epoch's id is a hash of the genesis hash and of the seat table, both of which are
// in the file; signatures of seats that signed only one of the two count for nothing.

import type { VerifyMany } from '../crypto/verifier.ts';
import { type Epoch, type SeatDoc, seatDoc, totalWeight, weightOf } from '../ordering/epoch.ts';
import { readCheckpoints, type SignedCheckpoint } from '../proofs/readings.ts';
import {
  checkpointHash,
  checkpointSigningBytes,
  decodeCheckpoint,
  type EpochLimits,
  epochId,
  seatDigest,
} from '../wire/block.ts';
import { equalBytes, fromHex, toHex } from '../wire/bytes.ts';
import { checkpointCode } from './checkpoint-code.ts';

const KIND = 'vws-two-histories-1';
const MAX_SEATS = 65_536;

interface Side {
  statement: string;
  signatures: readonly { public_key: string; signature: string }[];
}

export interface TwoHistories {
  kind: typeof KIND;
  genesis_hash: string;
  height: number;
  epoch: {
    number: number;
    seal_block: string;
    seats: readonly SeatDoc[];
    min_participants: number;
    max_parents: number;
    limits: EpochLimits;
  };
  one: Side;
  other: Side;
}

/** What a proof shows. */
export interface Double {
  genesisHash: string;
  height: number;
  codes: readonly [string, string];
  /** Keys of the seats that signed both, hex. */
  signers: readonly string[];
  /** Their weight, and that of all seats of the epoch. */
  weight: bigint;
  total: bigint;
}

const sideOf = ({ statement, signatures }: Pick<SignedCheckpoint, 'statement' | 'signatures'>): Side => ({
  statement,
  signatures: signatures.map(({ public_key, signature }) => ({ public_key, signature })),
});

export const twoHistories = (
  genesisHash: string,
  epoch: Epoch,
  one: SignedCheckpoint,
  other: SignedCheckpoint,
): TwoHistories => ({
  kind: KIND,
  genesis_hash: genesisHash,
  height: one.height,
  epoch: {
    number: epoch.number,
    seal_block: toHex(epoch.sealBlock),
    seats: epoch.seats.map(seatDoc),
    min_participants: epoch.minParticipants,
    max_parents: epoch.maxParents,
    limits: epoch.limits,
  },
  one: sideOf(one),
  other: sideOf(other),
});

/** Why a file proves nothing. */
export class NoProof extends Error {
  override name = 'NoProof';
}

function bytesOf(value: unknown, length: number, what: string): Uint8Array {
  const bytes = typeof value === 'string' ? fromHex(value) : undefined;
  if (bytes?.length !== length) throw new NoProof(`${what} cannot be read`);
  return bytes;
}

function natural(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > 0xffff_ffff)
    throw new NoProof(`${what} cannot be read`);
  return value;
}

type Fields = Record<string, unknown>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** The seat table of the file, and the id of the epoch that it makes with the genesis hash. */
function readEpoch(value: unknown, genesisHash: Uint8Array): Pick<Epoch, 'seats' | 'id'> {
  const { number, seal_block, seats, min_participants, max_parents, limits } = fieldsOf(value);
  if (!Array.isArray(seats) || seats.length === 0 || seats.length > MAX_SEATS)
    throw new NoProof('the seats cannot be read');
  const rows = seats.map((seat) => {
    const { key, weight, late } = fieldsOf(seat);
    if (typeof weight !== 'string' || !/^\d{1,20}$/.test(weight) || BigInt(weight) >= 1n << 64n)
      throw new NoProof('the weight of a seat cannot be read');
    if (late !== undefined && late !== true) throw new NoProof('whether a seat is late cannot be read');
    return { key: bytesOf(key, 32, 'the key of a seat'), weight: BigInt(weight), isLate: late === true };
  });
  const { earlyBlocks, blocks, vertices, timeMs } = fieldsOf(limits);
  const digest = seatDigest(
    rows,
    natural(min_participants, 'min_participants'),
    natural(max_parents, 'max_parents'),
    {
      earlyBlocks: natural(earlyBlocks, 'a limit'),
      blocks: natural(blocks, 'a limit'),
      vertices: natural(vertices, 'a limit'),
      timeMs: natural(timeMs, 'a limit'),
    },
  );
  const sealBlock = bytesOf(seal_block, 32, 'the seal');
  return { seats: rows, id: epochId(genesisHash, natural(number, 'the epoch'), sealBlock, digest) };
}

/** The statement of a side, and the keys that signed it. */
function readSide(value: unknown, height: number, epoch: Uint8Array, verify: VerifyMany) {
  const [side] = readListed({ ...fieldsOf(value), height, order: 0 });
  const bytes = bytesOf(side.statement, side.statement.length / 2, 'a statement');
  const statement = decodeCheckpoint(bytes);
  if (!statement) throw new NoProof('a statement cannot be read');
  if (statement.height !== height || !equalBytes(statement.epochId, epoch))
    throw new NoProof('a statement is of another height, epoch or network');
  const hash = checkpointHash(bytes);
  const message = checkpointSigningBytes(hash);
  const jobs = side.signatures.map(({ public_key, signature }) => ({
    publicKey: fromHex(public_key)!,
    message,
    signature: fromHex(signature)!,
  }));
  const verdicts = verify(jobs);
  const keys = side.signatures.filter((_, i) => verdicts[i] === 1).map(({ public_key }) => public_key);
  return { bytes, code: checkpointCode(hash), keys: new Set(keys) };
}

function readListed(value: Fields): [SignedCheckpoint] {
  const signatures = Array.isArray(value.signatures) ? value.signatures : [];
  const named = signatures.map((one) => ({ ...fieldsOf(one), validator_id: '' }));
  try {
    return readCheckpoints([{ ...value, signatures: named }], (value.height as number) - 1, 1) as [
      SignedCheckpoint,
    ];
  } catch (error) {
    throw new NoProof((error as Error).message);
  }
}

/** Checks a proof. Errors: NoProof with the reason why it shows nothing. */
export function checkTwoHistories(file: unknown, verify: VerifyMany): Double {
  const { kind, genesis_hash, height, epoch, one, other } = fieldsOf(file);
  if (kind !== KIND) throw new NoProof('this is no proof of two histories');
  const genesisHash = bytesOf(genesis_hash, 32, 'the genesis hash');
  const { seats, id } = readEpoch(epoch, genesisHash);
  const at = natural(height, 'the height');
  const [a, b] = [one, other].map((side) => readSide(side, at, id, verify)) as [
    ReturnType<typeof readSide>,
    ReturnType<typeof readSide>,
  ];
  if (equalBytes(a.bytes, b.bytes)) throw new NoProof('both statements are the same');
  const table = { seats } as Epoch;
  const both = [...seats.keys()].filter((seat) => {
    const { key, weight } = seats[seat]!;
    return weight > 0n && a.keys.has(toHex(key)) && b.keys.has(toHex(key));
  });
  if (both.length === 0) throw new NoProof('no seat has signed both');
  return {
    genesisHash: toHex(genesisHash),
    height: at,
    codes: [a.code, b.code],
    signers: both.map((seat) => toHex(seats[seat]!.key)),
    weight: weightOf(table, both),
    total: totalWeight(table),
  };
}

/** One sentence. */
export function doubleText({ height, codes, signers, weight, total }: Double): string {
  const percent = total > 0n ? Number((weight * 1000n) / total) / 10 : 0;
  const who = signers.length === 1 ? 'one seat' : `${signers.length} seats`;
  return `${who} with ${percent} % of the weight signed two histories at checkpoint ${height}: ${codes.join(' and ')}`;
}
