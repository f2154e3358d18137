// P18 of consensus 8.1: from bytes on the wire to vertices in the DAG. Whatever was changed on the way is refused or is
// another vertex, and a spoiled copy never stands in the way of the good one.

import * as noble from '@noble/ed25519';
import { describe, expect, test } from 'vitest';
import { Consensus, type InsertResult } from '../../host/core/consensus.ts';
import { keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { referenceVerifyMany } from '../../host/crypto/reference-verify.ts';
import { epochId, seatDigest } from '../../host/wire/block.ts';
import { compareBytes, concat, equalBytes, fromHex, toHex, utf8 } from '../../host/wire/bytes.ts';
import {
  decodeVertex,
  encodeVertex,
  makeVertex,
  type Vertex,
  vertexSigningBytes,
} from '../../host/wire/vertex.ts';
import { L, littleEndian, toBigInt } from '../ed25519/signatures.ts';
import { SEED } from '../host/wire/vectors.ts';
import { module } from './core/drawn-dag.ts';

const seed = fromHex(SEED)!;
const pair = keyPairFromSeed(seed);
// The only seat of the vectors of 5.17.
const seats = [{ key: pair.publicKey, weight: 12_500_000_000n }];
const genesis = new Uint8Array(32).fill(0x11);
const EPOCH = epochId(genesis, 0, new Uint8Array(32), seatDigest(seats, 1, 1));

const fields = { work: true, creator: 0, lamport: 1, timeMs: 1_800_000_000_000, epochId: EPOCH };
const first = makeVertex({ ...fields, seq: 1, parents: [] }, [utf8('{}')], pair.sign, 1);
const empty = { ...fields, work: false, seq: 2, lamport: 2, parents: [first.id] };
const second = makeVertex(empty, [], pair.sign, 1);

const isSigned = (vertex: Vertex): boolean => {
  const message = vertexSigningBytes(vertex.id);
  const job = { publicKey: pair.publicKey, message, signature: vertex.signature };
  return referenceVerifyMany([job])[0] === 1;
};

const openEpoch = (): Consensus =>
  Consensus.create(module, { seats, minParticipants: 1, epochId: EPOCH, previousTimeMs: 0, maxVertices: 64 });

/** What a node does with bytes from a peer, as far as it is a matter of the bytes and of the DAG. */
function receive(core: Consensus, bytes: Uint8Array): InsertResult | 'refused' {
  const vertex = decodeVertex(bytes, 1);
  if (!vertex || !equalBytes(vertex.header.epochId, EPOCH) || !isSigned(vertex)) return 'refused';
  return core.insert([{ id: vertex.id, ...vertex.header }])[0]!;
}

/** Another good signature of the same bytes: Ed25519 with a nonce of one's own choice. */
function signedAgain(message: Uint8Array, nonce: bigint): Uint8Array {
  const scalar = (toBigInt(noble.hashes.sha512!(seed).subarray(0, 32)) & ((1n << 254n) - 8n)) | (1n << 254n);
  const point = noble.Point.BASE.multiply(nonce).toBytes();
  const hash = toBigInt(noble.hashes.sha512!(concat(point, pair.publicKey, message)));
  return concat(point, littleEndian((nonce + hash * scalar) % L));
}

describe('P18: wire', () => {
  test('the vectors of 5.17 make one epoch, whose vertices are each final by themselves', () => {
    expect(toHex(EPOCH)).toBe('ce74ffc924c35fceb52872f35328048ffef916239078581b2ded0651c6f9ff0b');
    expect(toHex(first.id)).toBe('60a320627d44bc4a0475a8234dacaa26c7288e54e362560a1d867f43dba6368c');
    expect(toHex(second.id)).toBe('17055efda6492e8a9f9dc57b26a0462be833ce6a409b13712d281838a7e7106b');
    const core = openEpoch();
    expect([first, second].map((vertex) => receive(core, encodeVertex(vertex)))).toEqual([
      'inserted',
      'inserted',
    ]);
    expect(core.nextBlock()!.ids()).toEqual(first.id);
    expect(core.nextBlock()!.ids()).toEqual(second.id);
    expect(core.nextBlock()).toBeUndefined();
  });

  test.each([
    ['with payload', first],
    ['empty', second],
  ])('every change of a single bit is refused or another id: a vertex %s', (_, vertex) => {
    const good = encodeVertex(vertex);
    let [refused, others, unsigned] = [0, 0, 0];
    for (let bit = 0; bit < 8 * good.length; bit++) {
      const bytes = good.slice();
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      const changed = decodeVertex(bytes, 1);
      if (!changed) refused += 1;
      else if (compareBytes(changed.id, vertex.id) !== 0) others += 1;
      else {
        unsigned += 1;
        expect(isSigned(changed), `bit ${bit}`).toBe(false);
      }
    }
    // The signature is all that is no part of the id; changed payload does not match the header.
    expect(unsigned).toBe(8 * 64);
    expect(others).toBeGreaterThan(8 * 32);
    expect(refused).toBeGreaterThanOrEqual(8 * vertex.payload.length);
  });

  test('a second valid signature of one id is the same vertex', () => {
    const signature = signedAgain(vertexSigningBytes(first.id), 123_456_789n);
    const again = decodeVertex(encodeVertex({ ...first, signature }), 1)!;
    expect(equalBytes(signature, first.signature)).toBe(false);
    expect(isSigned(again)).toBe(true);
    expect(equalBytes(again.id, first.id)).toBe(true);
    for (const copies of [
      [first, again],
      [again, first],
    ]) {
      const core = openEpoch();
      expect(copies.map((copy) => receive(core, encodeVertex(copy)))).toEqual(['inserted', 'known']);
      expect(core.figures().vertices).toBe(1);
    }
  });

  test('spoiled copies first, the good copy after them: inserted', () => {
    const core = openEpoch();
    const good = encodeVertex(first);
    const signatureAt = first.headerBytes.length;
    for (const at of [signatureAt, signatureAt + 40, good.length - 1]) {
      const spoiled = good.slice();
      spoiled[at]! ^= 1;
      expect(receive(core, spoiled)).toBe('refused');
    }
    expect(receive(core, good)).toBe('inserted');
    expect(receive(core, encodeVertex(second))).toBe('inserted');
  });
});
