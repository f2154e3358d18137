import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { BlockHeader } from '../../../host/wire/block.ts';
import {
  blockHash,
  checkpointHash,
  checkpointSigningBytes,
  decodeBlockHeader,
  decodeCheckpoint,
  encodeBlockHeader,
  encodeCheckpoint,
  epochId,
  leadersOfRound,
  seatDigest,
  verticesRoot,
} from '../../../host/wire/block.ts';
import { concat, fromHex, toHex, utf8 } from '../../../host/wire/bytes.ts';
import { KEY } from './vectors.ts';

const fill = (n: number) => new Uint8Array(32).fill(n);
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('seat digest and epoch id of consensus 5.17', () => {
  const seats = seatDigest([{ key: fromHex(KEY)!, weight: 12_500_000_000n }], 1, 1);
  expect(toHex(seats)).toBe('bd072f91ffefeecf1a5fcfcb3d60727141c38d419276b9159453589242a04b6e');
  expect(toHex(epochId(fill(0x11), 0, fill(0), seats))).toBe(
    'ce74ffc924c35fceb52872f35328048ffef916239078581b2ded0651c6f9ff0b',
  );
});

test('a late seat is in the digest, also where a round has as many leaders without it', () => {
  const seats = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({ key: fill(n), weight: 5n }));
  const late = seats.map((seat, i) => (i === 1 ? { ...seat, isLate: true } : seat));
  const punctual = seats.map((seat) => ({ ...seat, isLate: false }));
  expect(leadersOfRound(late, 1)).toBe(leadersOfRound(seats, 1));
  expect(seatDigest(late, 1, 8)).not.toEqual(seatDigest(seats, 1, 8));
  expect(seatDigest(punctual, 1, 8)).toEqual(seatDigest(seats, 1, 8));
});

test('a round has one leader less than there are seats that may lead, five at most, one where a seat is a quorum alone', () => {
  const leaders = (weights: number[], minParticipants = 1, late: readonly number[] = []): number =>
    leadersOfRound(
      weights.map((weight, seat) => ({ weight: BigInt(weight), isLate: late.includes(seat) })),
      minParticipants,
    );
  const equal = (seats: number): number[] => Array(seats).fill(9);
  expect([1, 2, 3, 4, 5, 6, 7, 100].map((seats) => leaders(equal(seats)))).toEqual([1, 1, 2, 3, 4, 5, 5, 5]);
  // Neither seats without weight nor late ones are counted, nor such as are both.
  expect(leaders([5, 0, 5, 0, 5, 5])).toBe(3);
  expect([
    leaders(equal(4), 1, [2]),
    leaders(equal(10), 3, [4, 8, 9]),
    leaders([5, 0, 5, 5], 1, [1]),
  ]).toEqual([2, 5, 2]);
  expect([leaders([667, 166, 167]), leaders([666, 167, 167]), leaders([667, 166, 167], 2)]).toEqual([
    1, 2, 2,
  ]);
  expect(leaders([0, 0])).toBe(1);
});

const block: BlockHeader = {
  leaderRound: 3,
  index: 5,
  timeMs: 1_800_000_000_000,
  order: 9,
  vertexCount: 2,
  epochId: fill(1),
  previous: fill(2),
  leader: fill(3),
  verticesRoot: verticesRoot([fill(7), fill(8)]),
  evidence: [{ creator: 4, seq: 6, effective: fill(5), void: fill(6) }],
};

test('block header: layout, round trip, hash', () => {
  const bytes = encodeBlockHeader(block);
  expect(bytes.length).toBe(168 + 72);
  expect(bytes).toEqual(
    concat(
      utf8('VWB1'),
      fromHex('03000000050000000000000000505c18a3010000090000000000000002000000' + '01000000')!,
      fill(1),
      fill(2),
      fill(3),
      fromHex(sha(concat(utf8('VWS-BLOCK-V1'), fill(7), fill(8))))!,
      fromHex('0400000006000000')!,
      fill(5),
      fill(6),
    ),
  );
  expect(decodeBlockHeader(bytes)).toEqual(block);
  expect(toHex(blockHash(bytes))).toBe(sha(bytes));
  const plain = { ...block, evidence: [] };
  expect(decodeBlockHeader(encodeBlockHeader(plain))).toEqual(plain);
});

test('block headers that re-encode to other bytes are refused', () => {
  const bytes = encodeBlockHeader(block);
  const spoiled = (at: number, value: number) => {
    const copy = bytes.slice();
    copy[at] = value;
    return decodeBlockHeader(copy);
  };
  expect(spoiled(0, 1)).toBeUndefined();
  expect(spoiled(36, 2)).toBeUndefined(); // evidence count
  expect(spoiled(168 + 2, 1)).toBeUndefined(); // zero field of the evidence
  expect(spoiled(8, 0)).toBeUndefined(); // index 0
  expect(decodeBlockHeader(bytes.subarray(0, 200))).toBeUndefined();
  expect(decodeBlockHeader(concat(bytes, Uint8Array.of(0)))).toBeUndefined();
});

test('checkpoint statement: layout, round trip, hash, signing bytes', () => {
  const statement = {
    height: 1,
    order: 100,
    blockIndex: 40,
    timeMs: 1_800_000_000_000,
    epochId: fill(1),
    blockHash: fill(2),
    stateRoot: fill(3),
    manifestDigest: fill(4),
  };
  const bytes = encodeCheckpoint(statement);
  expect(bytes).toEqual(
    concat(
      utf8('VWC1'),
      fromHex(
        '00000000' + '0100000000000000' + '6400000000000000' + '2800000000000000' + '00505c18a3010000',
      )!,
      fill(1),
      fill(2),
      fill(3),
      fill(4),
    ),
  );
  expect(bytes.length).toBe(168);
  expect(decodeCheckpoint(bytes)).toEqual(statement);
  expect(decodeCheckpoint(bytes.subarray(1))).toBeUndefined();
  expect(decodeCheckpoint(concat(bytes, Uint8Array.of(0)))).toBeUndefined();
  const odd = bytes.slice();
  odd[4] = 1;
  expect(decodeCheckpoint(odd)).toBeUndefined();
  expect(toHex(checkpointHash(bytes))).toBe(sha(bytes));
  expect(checkpointSigningBytes(fill(9))).toEqual(concat(utf8('VWS-CHECKPT-V1'), fill(9)));
});
