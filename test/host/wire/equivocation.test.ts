// Proofs of equivocation as bytes: one encoding for a pair, and no other bytes are accepted.

import { expect, test } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { referenceVerifyMany } from '../../../host/crypto/reference-verify.ts';
import { concat, fromHex, utf8 } from '../../../host/wire/bytes.ts';
import { decodeEntry } from '../../../host/wire/entry.ts';
import { decodeEquivocation, encodeEquivocation } from '../../../host/wire/equivocation.ts';
import { encodeVertex, makeVertex, type VertexFields } from '../../../host/wire/vertex.ts';
import { SEED } from './vectors.ts';

const pair = keyPairFromSeed(fromHex(SEED)!);
const PARENTS = [3, 4].map((n) => new Uint8Array(32).fill(n));
const FIELDS: VertexFields = {
  work: true,
  creator: 7,
  seq: 5,
  lamport: 9,
  timeMs: 1_800_000_000_000,
  epochId: new Uint8Array(32).fill(2),
  parents: PARENTS,
};
const vertex = (changes: Partial<VertexFields> = {}, entries: Uint8Array[] = []): Uint8Array =>
  encodeVertex(makeVertex({ ...FIELDS, ...changes }, entries, pair.sign));

const one = vertex({}, [utf8('{}')]);
const other = vertex({ timeMs: FIELDS.timeMs + 1 });
const HEADER_BYTES = 96 + 32 * PARENTS.length + 64;

test('a pair comes back in either order as the same bytes, without payloads, and its signatures are good', () => {
  const bytes = encodeEquivocation(one, other);
  expect(encodeEquivocation(other, one)).toEqual(bytes);
  expect(bytes.length).toBe(2 + 2 * HEADER_BYTES);
  const proof = decodeEquivocation(bytes)!;
  expect([proof.creator, proof.epochId]).toEqual([7, FIELDS.epochId]);
  expect([...referenceVerifyMany(proof.signatures(pair.publicKey))]).toEqual([1, 1]);
  // It is no request, whoever reads it as one.
  expect(decodeEntry(bytes)).toBeUndefined();
});

test('with one byte changed it does not decode, or its signatures do not verify', () => {
  const bytes = encodeEquivocation(one, other);
  for (let at = 0; at < bytes.length; at++) {
    const changed = bytes.slice();
    changed[at]! ^= 1;
    const proof = decodeEquivocation(changed);
    if (proof) expect([...referenceVerifyMany(proof.signatures(pair.publicKey))]).toContain(0);
  }
});

test('has an exact length and the lower id first', () => {
  const bytes = encodeEquivocation(one, other);
  for (let length = 0; length < bytes.length; length++)
    expect(decodeEquivocation(bytes.subarray(0, length))).toBeUndefined();
  expect(decodeEquivocation(concat(bytes, Uint8Array.of(0)))).toBeUndefined();
  const [first, second] = [bytes.subarray(2, 2 + HEADER_BYTES), bytes.subarray(2 + HEADER_BYTES)];
  expect(decodeEquivocation(concat(bytes.subarray(0, 2), second, first))).toBeUndefined();
  expect(decodeEquivocation(concat(bytes.subarray(0, 2), first, first))).toBeUndefined();
});

test.each([
  ['one vertex twice', {}],
  ['another number', { seq: 6 }],
  ['another creator', { creator: 8 }],
  ['another epoch', { epochId: new Uint8Array(32).fill(3) }],
])('%s proves nothing', (_, changes) => {
  const bytes = vertex(changes, [utf8('{}')]);
  expect(() => encodeEquivocation(one, bytes)).toThrow('these vertices prove nothing');
  const heads = [one, bytes].map((full) => full.subarray(0, HEADER_BYTES));
  for (const [a, b] of [heads, heads.toReversed()])
    expect(decodeEquivocation(concat(Uint8Array.of(1, 4), a!, b!))).toBeUndefined();
});
