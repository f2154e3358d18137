// Messages between peers as bytes: one encoding for each, and nothing else is accepted.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeMessage, MAX_VERTICES, type Message } from '../../../host/net/messages.ts';
import { equalBytes } from '../../../host/wire/bytes.ts';

const u16 = fc.integer({ min: 0, max: 0xffff });
const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const u53 = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const blob = fc.uint8Array({ maxLength: 40 });
const text = fc.string({ unit: 'grapheme-ascii', maxLength: 64 });
const blobs = fc.array(blob, { maxLength: 12 });
const seqs = fc.array(u32, { maxLength: 20 });

const MESSAGES: { [T in Message['type']]: fc.Arbitrary<Extract<Message, { type: T }>> } = {
  hello: fc.record({
    type: fc.constant('hello' as const),
    protocol: text,
    chainId: text,
    genesisHash: bytes(32),
    revision: u32,
    core: bytes(32),
    consensus: bytes(32),
    isObserver: fc.boolean(),
  }),
  head: fc.record({
    type: fc.constant('head' as const),
    epoch: u32,
    vertexCount: u32,
    block: u53,
    order: u53,
    signed: u53,
    isOpen: fc.boolean(),
    from: fc.record({ epoch: u32, order: u53, seq: u53 }),
    seqs,
  }),
  vertices: fc.record({ type: fc.constant('vertices' as const), epoch: u32, vertices: blobs }),
  want: fc.record({
    type: fc.constant('want' as const),
    ids: fc.array(bytes(32), { minLength: 1, maxLength: 200 }),
  }),
  sync: fc.record({ type: fc.constant('sync' as const), epoch: u32, cursor: u32, seqs }),
  synced: fc.record({
    type: fc.constant('synced' as const),
    epoch: u32,
    cursor: u32,
    isEnd: fc.boolean(),
    vertices: blobs,
  }),
  checkpoint: fc.record({
    type: fc.constant('checkpoint' as const),
    statement: bytes(168),
    seat: u16,
    signature: bytes(64),
  }),
  words: fc.record({ type: fc.constant('words' as const) }),
  seals: fc.record({ type: fc.constant('seals' as const), from: u32 }),
  sealed: fc.record({
    type: fc.constant('sealed' as const),
    from: u32,
    offered: u32,
    rowCount: u53,
    proofs: blobs,
    openers: blobs,
  }),
  fetch: fc.record({ type: fc.constant('fetch' as const), epoch: u32, after: blob }),
  fetched: fc.record({
    type: fc.constant('fetched' as const),
    epoch: u32,
    part: fc.constantFrom('more' as const, 'last' as const, 'gone' as const),
    rows: blob,
  }),
  ping: fc.record({ type: fc.constant('ping' as const), nonce: u32 }),
  pong: fc.record({ type: fc.constant('pong' as const), nonce: u32, wallMs: u53, usedMs: u53 }),
  bye: fc.record({ type: fc.constant('bye' as const), reason: text }),
};
const anyMessage: fc.Arbitrary<Message> = fc.oneof(...Object.values(MESSAGES));

describe('a message', () => {
  for (const [type, arbitrary] of Object.entries(MESSAGES)) {
    it(`${type} comes back as it was`, () => {
      fc.assert(
        fc.property(arbitrary as fc.Arbitrary<Message>, (message) => {
          expect(decodeMessage(encodeMessage(message))).toEqual(message);
        }),
        { numRuns: 200 },
      );
    });
  }

  it('is refused with a byte too many or too few', () => {
    fc.assert(
      fc.property(anyMessage, fc.nat({ max: 255 }), (message, byte) => {
        const encoded = encodeMessage(message);
        expect(decodeMessage(Uint8Array.of(...encoded, byte))).toBeUndefined();
        expect(decodeMessage(encoded.subarray(0, -1))).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  it('has one encoding: changed bytes are refused or are those of the message that comes out', () => {
    fc.assert(
      fc.property(anyMessage, fc.nat(), fc.integer({ min: 1, max: 255 }), (message, at, flip) => {
        const encoded = encodeMessage(message);
        encoded[at % encoded.length]! ^= flip;
        const changed = decodeMessage(encoded);
        if (changed) expect(equalBytes(encodeMessage(changed), encoded)).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });

  it('random bytes are refused or re-encode to themselves, and never throw', () => {
    fc.assert(
      fc.property(fc.nat({ max: 16 }), fc.uint8Array({ maxLength: 400 }), (type, tail) => {
        const raw = Uint8Array.of(type, ...tail);
        const message = decodeMessage(raw);
        if (message) expect(equalBytes(encodeMessage(message), raw)).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('limits (protocol 12.8)', () => {
  const id = new Uint8Array(32);
  const many = (count: number): Uint8Array[] => Array.from({ length: count }, () => id);

  it.each([
    ['vertices', (count: number): Message => ({ type: 'vertices', epoch: 0, vertices: many(count) })],
    [
      'synced',
      (count: number): Message => ({
        type: 'synced',
        epoch: 0,
        cursor: 0,
        isEnd: true,
        vertices: many(count),
      }),
    ],
    ['want', (count: number): Message => ({ type: 'want', ids: many(count) })],
  ])('%s: 200 at most', (_, make) => {
    expect(MAX_VERTICES).toBe(200);
    expect(decodeMessage(encodeMessage(make(200)))).toBeDefined();
    expect(decodeMessage(encodeMessage(make(201)))).toBeUndefined();
  });

  it('sealed: 64 proofs and an opener of each seat at most; a list of nothing costs nothing', () => {
    const sealed = (proofs: number, openers: number): Uint8Array => {
      const empty = (count: number) => new Array<Uint8Array>(count).fill(new Uint8Array(0));
      const head = { type: 'sealed', from: 0, offered: 0, rowCount: 0 } as const;
      return encodeMessage({ ...head, proofs: empty(proofs), openers: empty(openers) });
    };
    expect(decodeMessage(sealed(64, 4096))).toBeDefined();
    expect(decodeMessage(sealed(65, 0))).toBeUndefined();
    expect(decodeMessage(sealed(0, 4097))).toBeUndefined();
  });

  it('a want names something, and numbers are of no more seats than an epoch can have', () => {
    expect(decodeMessage(encodeMessage({ type: 'want', ids: [] }))).toBeUndefined();
    const head = (count: number): Message => {
      return {
        type: 'head',
        epoch: 0,
        vertexCount: 0,
        block: 0,
        order: 0,
        signed: 0,
        isOpen: true,
        from: { epoch: 0, order: 1, seq: 1 },
        seqs: new Array<number>(count).fill(1),
      };
    };
    expect(decodeMessage(encodeMessage(head(4096)))).toBeDefined();
    expect(decodeMessage(encodeMessage(head(4097)))).toBeUndefined();
    const sync = (count: number): Message => {
      return { type: 'sync', epoch: 0, cursor: 0, seqs: new Array<number>(count).fill(1) };
    };
    expect(decodeMessage(encodeMessage(sync(4096)))).toBeDefined();
    expect(decodeMessage(encodeMessage(sync(4097)))).toBeUndefined();
  });

  it('a length beyond the bytes allocates nothing', () => {
    const claim = Uint8Array.of(3, 0, 0, 0, 0, 1, 0, 0xff, 0xff, 0xff, 0xff);
    expect(decodeMessage(claim)).toBeUndefined();
    expect(decodeMessage(new Uint8Array(0))).toBeUndefined();
    expect(decodeMessage(Uint8Array.of(0))).toBeUndefined();
  });
});
