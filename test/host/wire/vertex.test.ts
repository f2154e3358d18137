import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { referenceVerifyMany } from '../../../host/crypto/reference-verify.ts';
import { concat, equalBytes, fromHex, toHex, utf8 } from '../../../host/wire/bytes.ts';
import { firstSeqOf } from '../../../host/wire/seq.ts';
import type { VertexFields, VertexHeader } from '../../../host/wire/vertex.ts';
import {
  decodePayload,
  decodeVertex,
  decodeVertexHead,
  decodeVertexHeader,
  EMPTY_PAYLOAD_ROOT,
  encodePayload,
  encodeVertex,
  encodeVertexHeader,
  MAX_PAYLOAD_BYTES,
  makeVertex,
  payloadRoot,
  vertexHeaderFault,
  vertexId,
  vertexSigningBytes,
} from '../../../host/wire/vertex.ts';
import { SEED } from './vectors.ts';

const pair = keyPairFromSeed(fromHex(SEED)!);
const EPOCH = fromHex('ce74ffc924c35fceb52872f35328048ffef916239078581b2ded0651c6f9ff0b')!;
const first: VertexFields = {
  work: true,
  creator: 0,
  seq: 1,
  lamport: 1,
  timeMs: 1_800_000_000_000,
  epochId: EPOCH,
  parents: [],
};
const one = makeVertex(first, [utf8('{}')], pair.sign, 1);
const two = makeVertex({ ...first, work: false, seq: 2, lamport: 2, parents: [one.id] }, [], pair.sign, 1);

test('the vectors of consensus 5.17', () => {
  expect(toHex(one.header.payloadRoot)).toBe(
    'e2358a69974c8190bf75370676ccac514de5863ec4e100719357e1f6dbaee36e',
  );
  expect(toHex(one.id)).toBe('60a320627d44bc4a0475a8234dacaa26c7288e54e362560a1d867f43dba6368c');
  expect(toHex(one.signature)).toBe(
    '71590df421c1b96f38ae8af4acd78d8ad56fe6d18357203e5ee74863f3c00c018114994d92d037f604756d10941401ebad67fd9b0991b96cf2d082d8088afd03',
  );
  expect(toHex(two.id)).toBe('17055efda6492e8a9f9dc57b26a0462be833ce6a409b13712d281838a7e7106b');
  expect(toHex(two.signature)).toBe(
    'dd78f0a4a534b49c3bc655013d0ffe31e59453f5b93f3a26e7c39fcb93224184c7a02583ac41a153a21ed03e29c4375e76dc3a0db099ecdb0d098af6b7fda00a',
  );
  expect(one.headerBytes.length).toBe(96);
  expect(two.headerBytes.length).toBe(128);
  expect(vertexSigningBytes(one.id).length).toBe(45);
});

test('full bytes decode to what was encoded', () => {
  for (const vertex of [one, two]) expect(decodeVertex(encodeVertex(vertex))).toEqual(vertex);
});

test('a head is read whatever the payload, and not out of fewer bytes than it has', () => {
  for (const { header, headerBytes, signature, ...vertex } of [one, two]) {
    const bytes = encodeVertex({ ...vertex, headerBytes, signature });
    const end = headerBytes.length + signature.length;
    bytes.fill(0, end);
    expect(decodeVertexHead(bytes)).toEqual({ header, signature });
    expect(decodeVertexHead(bytes.subarray(0, end))).toEqual({ header, signature });
    for (let length = 0; length < end; length++) {
      expect(decodeVertexHead(bytes.subarray(0, length))).toBeUndefined();
    }
  }
});

describe('header rules', () => {
  const id = (n: number) => new Uint8Array(32).fill(n);
  const base: VertexHeader = {
    ...first,
    revision: 3,
    seq: 2,
    lamport: 5,
    payloadBytes: 6,
    entryCount: 1,
    payloadRoot: id(9),
    parents: [id(5), id(1), id(7)],
  };

  test('the base header is valid, and other parents may sort below the self-parent', () => {
    expect(vertexHeaderFault(base)).toBeUndefined();
    expect(decodeVertexHeader(encodeVertexHeader(base))).toEqual(base);
    expect(vertexHeaderFault({ ...base, seq: 1, parents: [id(1), id(5)] })).toBeUndefined();
  });

  test('the first vertex of a higher incarnation has a self-parent, another first parent, or no parents', () => {
    const seq = firstSeqOf(1);
    expect(decodeVertexHeader(encodeVertexHeader({ ...base, seq }))).toEqual({ ...base, seq });
    expect(vertexHeaderFault({ ...base, seq, parents: [], lamport: 1 })).toBeUndefined();
    expect(vertexHeaderFault({ ...base, seq: seq + 1, parents: [], lamport: 1 })).toBe('no self-parent');
    expect(vertexHeaderFault({ ...base, seq, parents: [id(5), id(7), id(1)] })).toBe('order of parents');
  });

  test.each<[string, Partial<VertexHeader>]>([
    ['seq', { seq: 0 }],
    ['seq', { seq: 2 ** 20 }],
    ['seq', { seq: 7 * 2 ** 20 }],
    ['seq', { seq: 2 ** 32 }],
    ['revision', { revision: 256 }],
    ['revision', { revision: -1 }],
    ['creator', { creator: 65_536 }],
    ['lamport', { lamport: 1 }],
    ['lamport', { seq: 1, parents: [], lamport: 2 }],
    ['lamport', { lamport: 2 ** 32 }],
    ['ts', { timeMs: 2 ** 48 }],
    ['ts', { timeMs: -1 }],
    ['ts', { timeMs: 1.5 }],
    ['payload bytes', { payloadBytes: MAX_PAYLOAD_BYTES + 1 }],
    ['payload bytes', { payloadBytes: 3 }],
    ['payload bytes', { entryCount: 0, payloadRoot: EMPTY_PAYLOAD_ROOT }],
    ['payloadRoot', { entryCount: 0, payloadBytes: 0 }],
    ['entries', { entryCount: 65_536, payloadBytes: MAX_PAYLOAD_BYTES }],
    ['work', { work: false }],
    ['epochId', { epochId: new Uint8Array(31) }],
    ['no self-parent', { parents: [] }],
    ['order of parents', { parents: [id(5), id(7), id(1)] }],
    ['order of parents', { parents: [id(5), id(1), id(1)] }],
    ['order of parents', { seq: 1, parents: [id(5), id(1)] }],
    ['repeated parent', { parents: [id(5), id(1), id(5)] }],
    ['parent id', { parents: [new Uint8Array(31)] }],
  ])('%s', (fault, change) => {
    expect(vertexHeaderFault({ ...base, ...change })).toBe(fault);
    expect(() => encodeVertexHeader({ ...base, ...change })).toThrow(RangeError);
  });

  test('the parent limit of the epoch', () => {
    const parents = Array.from({ length: 32 }, (_, i) => id(i + 1));
    expect(vertexHeaderFault({ ...base, seq: 1, parents })).toBeUndefined();
    expect(vertexHeaderFault({ ...base, seq: 1, parents }, 31)).toBe('too many parents');
    expect(vertexHeaderFault({ ...base, seq: 1, parents: [...parents, id(40)] })).toBe('too many parents');
    expect(decodeVertexHeader(encodeVertexHeader({ ...base, seq: 1, parents }), 31)).toBeUndefined();
  });

  test('bytes that are not the encoding of a header are refused', () => {
    const bytes = encodeVertexHeader(base);
    const spoiled = (at: number, value: number) => {
      const copy = bytes.slice();
      copy[at] = value;
      return decodeVertexHeader(copy);
    };
    expect(spoiled(0, 0x58)).toBeUndefined(); // magic
    expect(spoiled(4, 3)).toBeUndefined(); // unknown flag
    expect(spoiled(5, 1)).toMatchObject({ revision: 1 });
    expect(spoiled(22, 1)).toBeUndefined(); // ts of 2^48
    expect(spoiled(30, 2)).toBeUndefined(); // fewer parents than bytes
    expect(decodeVertexHeader(concat(bytes, id(8)))).toBeUndefined();
    expect(decodeVertexHeader(bytes.subarray(0, 100))).toBeUndefined();
  });
});

describe('payload section', () => {
  test('round trip, empty entries included', () => {
    const entries = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 });
    fc.assert(
      fc.property(entries, (list) => {
        expect(decodePayload(encodePayload(list), list.length)).toEqual(list);
        expect(decodePayload(encodePayload(list), list.length + 1)).toBeUndefined();
        if (list.length > 0) expect(decodePayload(encodePayload(list), list.length - 1)).toBeUndefined();
      }),
    );
  });

  test('the root depends on where entries are cut', () => {
    expect(payloadRoot([])).toEqual(EMPTY_PAYLOAD_ROOT);
    expect(payloadRoot([utf8('ab')])).not.toEqual(payloadRoot([utf8('a'), utf8('b')]));
  });
});

test('50,000 changes of one byte: refused, another id, or a signature that no longer verifies', () => {
  const entries = [utf8('{}'), utf8('x'.repeat(50)), new Uint8Array(0)];
  const parents = [new Uint8Array(32).fill(3), new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const many = makeVertex({ ...first, seq: 7, lamport: 9, parents }, entries, pair.sign);
  let sameId = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(one, two, many),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (vertex, at, flip) => {
        const bytes = encodeVertex(vertex);
        bytes[at % bytes.length]! ^= flip;
        const changed = decodeVertex(bytes);
        if (!changed) return;
        expect(equalBytes(encodeVertex(changed), bytes)).toBe(true);
        expect(equalBytes(encodeVertexHeader(changed.header), changed.headerBytes)).toBe(true);
        expect(equalBytes(changed.id, vertexId(changed.headerBytes))).toBe(true);
        if (!equalBytes(changed.id, vertex.id)) return;
        expect(equalBytes(changed.signature, vertex.signature)).toBe(false);
        expect(equalBytes(changed.payload, vertex.payload)).toBe(true);
        sameId += 1;
        if (sameId % 200 !== 0) return;
        const job = {
          publicKey: pair.publicKey,
          message: vertexSigningBytes(changed.id),
          signature: changed.signature,
        };
        expect(referenceVerifyMany([job])).toEqual(Uint8Array.of(0));
      },
    ),
    { numRuns: 50_000 },
  );
  expect(sameId).toBeGreaterThan(1000);
});

test('random bytes behind a good head never throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 100, maxLength: 500 }), (tail) => {
      expect(decodeVertex(concat(utf8('VWV1'), tail))).toBeUndefined();
    }),
    { numRuns: 2000 },
  );
});
