import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { referenceVerifyMany } from '../../../host/crypto/reference-verify.ts';
import { concat, equalBytes, fromHex, toHex, utf8 } from '../../../host/wire/bytes.ts';
import type { Entry, TxV1Entry, VouchedEntry } from '../../../host/wire/entry.ts';
import {
  decodeEntry,
  encodeEntry,
  entryActor,
  entryId,
  entrySignatures,
  entryWindow,
  keyIssueSignBytes,
  MAX_BODY_BYTES,
  openEntry,
} from '../../../host/wire/entry.ts';
import { JCS_BODY, KEY, NONCE, RAW_BODY, REQUEST_V1_TXID, SEED, SIGNATURE, TXID } from './vectors.ts';

const pair = keyPairFromSeed(fromHex(SEED)!);
const node = keyPairFromSeed(new Uint8Array(32).fill(7));
const request = { method: 'POST', path: '/v1/transfer', body: utf8(JCS_BODY) };

const txEntry: TxV1Entry = {
  scheme: 'tx_v1',
  tx: {
    chainId: 'vws-testnet-1',
    actor: KEY,
    createdAt: 1_800_000_000,
    expiresAt: 1_800_000_060,
    nonce: NONCE,
  },
  signature: fromHex(SIGNATURE)!,
  ...request,
};
const requestEntry: Entry = {
  scheme: 'request_v1',
  request: { agentId: KEY, timestamp: 1_800_000_000, nonce: NONCE },
  signature: new Uint8Array(64).fill(17),
  ...request,
};

/** An API key's creation by an unsigned write: a vouched envelope with an attachment. */
function keyEntry(): VouchedEntry {
  const unsigned: VouchedEntry = {
    scheme: 'vouched',
    vouched: {
      chainId: 'vws-testnet-1',
      actor: 'bob',
      createdAt: 1_800_000_000,
      nonce: NONCE,
      node: node.publicKey,
      keyId: '0123456789abcdef',
    },
    method: 'POST',
    path: '/v1/platform/keys',
    body: utf8('{"name":"k"}'),
    signature: new Uint8Array(64),
  };
  const { id, signBytes } = openEntry(unsigned);
  const keySha256 = new Uint8Array(32).fill(9);
  return {
    ...unsigned,
    signature: node.sign(signBytes),
    keyIssue: {
      keySha256,
      node: node.publicKey,
      signature: node.sign(keyIssueSignBytes(id, keySha256)),
    },
  };
}
const samples: Entry[] = [txEntry, requestEntry, keyEntry()];

describe('ids', () => {
  test('the TxIDs of protocol 5.2 and 5.4', () => {
    expect(toHex(entryId({ ...txEntry, body: utf8(RAW_BODY) }))).toBe(TXID);
    expect(toHex(entryId(txEntry))).toBe(TXID);
    expect(toHex(entryId(requestEntry))).toBe(REQUEST_V1_TXID);
    expect(toHex(entryId({ ...requestEntry, body: utf8(RAW_BODY) }))).not.toBe(REQUEST_V1_TXID);
  });

  test('actor and window of each scheme: from 60 s before its creation to its last second', () => {
    expect(samples.map(entryActor)).toEqual([KEY, KEY, 'bob']);
    expect(samples.map(entryWindow)).toEqual([
      { lastSecs: 1_800_000_120, windowSecs: 180 },
      { lastSecs: 1_800_000_120, windowSecs: 180 },
      { lastSecs: 1_800_000_180, windowSecs: 240 },
    ]);
  });
});

describe('signatures', () => {
  test('of a signed entry: the actor key that the caller resolves', () => {
    const jobs = entrySignatures(openEntry(txEntry), (actor) => (actor === KEY ? pair.publicKey : undefined));
    expect(referenceVerifyMany(jobs!)).toEqual(Uint8Array.of(1));
    expect(entrySignatures(openEntry(txEntry), () => undefined)).toBeUndefined();
  });

  test('of a vouched entry with a key issue: both by the node', () => {
    const jobs = entrySignatures(openEntry(keyEntry()), () => undefined);
    expect(jobs!.map((job) => job.publicKey)).toEqual([node.publicKey, node.publicKey]);
    expect(referenceVerifyMany(jobs!)).toEqual(Uint8Array.of(1, 1));
    expect(jobs![1]!.message).toEqual(
      concat(utf8('VWS-APIKEY-V1'), entryId(keyEntry()), new Uint8Array(32).fill(9)),
    );
  });
});

describe('encoding', () => {
  test('the layout of a signed entry', () => {
    const text = (s: string) => concat(Uint8Array.of(s.length & 255, s.length >> 8), utf8(s));
    const u64 = (n: number) => new Uint8Array(new BigUint64Array([BigInt(n)]).buffer);
    expect(encodeEntry(txEntry)).toEqual(
      concat(
        Uint8Array.of(1, 1),
        text('vws-testnet-1'),
        text(KEY),
        u64(1_800_000_000),
        u64(1_800_000_060),
        text(NONCE),
        fromHex(SIGNATURE)!,
        text('POST'),
        text('/v1/transfer'),
        Uint8Array.of(54, 0, 0, 0),
        utf8(JCS_BODY),
        Uint8Array.of(0),
      ),
    );
  });

  test('round trip of random entries', () => {
    const ascii = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 70 });
    const hex = (chars: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: chars, maxLength: chars });
    const bytes = (n: number) => fc.uint8Array({ minLength: n, maxLength: n });
    const time = fc.integer({ min: 0, max: 9_999_999_000 });
    const parts = fc.record({
      method: fc.constantFrom('POST', 'PUT', 'DELETE'),
      path: fc.webPath().map((p) => (p.startsWith('/') ? p : `/${p}`)),
      body: fc.uint8Array({ maxLength: 300 }),
    });
    const tx = fc
      .record({
        chainId: ascii,
        actor: ascii,
        createdAt: time,
        life: fc.nat(120),
        nonce: hex(32),
        signature: bytes(64),
      })
      .map(({ life, signature, ...tx }) => ({
        scheme: 'tx_v1' as const,
        tx: { ...tx, expiresAt: tx.createdAt + life },
        signature,
      }));
    const v1 = fc
      .record({ agentId: ascii, timestamp: time, nonce: hex(32), signature: bytes(64) })
      .map(({ signature, ...request }) => ({ scheme: 'request_v1' as const, request, signature }));
    const vouched = fc
      .record({
        chainId: ascii,
        actor: ascii,
        createdAt: time,
        nonce: hex(32),
        node: bytes(32),
        keyId: fc.constantFrom('', 'ab'.repeat(8)),
      })
      .chain((vouched) => bytes(64).map((signature) => ({ scheme: 'vouched' as const, vouched, signature })));
    fc.assert(
      fc.property(fc.oneof(tx, v1, vouched), parts, (scheme, parts) => {
        const entry = { ...scheme, ...parts } as Entry;
        expect(decodeEntry(encodeEntry(entry))).toEqual(entry);
      }),
      { numRuns: 2000 },
    );
  });

  test('actor and nonce travel as sent', () => {
    const sent = { ...txEntry.tx, actor: KEY.toUpperCase(), nonce: 'AB'.repeat(16) };
    const back = decodeEntry(encodeEntry({ ...txEntry, tx: sent })) as TxV1Entry;
    expect(back.tx).toEqual(sent);
  });

  test.each<[string, Entry]>([
    ['another method', { ...txEntry, method: 'GET' }],
    ['a path with a query', { ...txEntry, path: '/v1/transfer?a=1' }],
    ['a path without a slash', { ...txEntry, path: 'v1' }],
    ['a path that is not ASCII', { ...txEntry, path: '/é' }],
    ['a line feed in the actor', { ...txEntry, tx: { ...txEntry.tx, actor: 'a\nb' } }],
    ['an empty actor', { ...txEntry, tx: { ...txEntry.tx, actor: '' } }],
    ['a lifetime above 120 s', { ...txEntry, tx: { ...txEntry.tx, expiresAt: 1_800_000_121 } }],
    ['a negative lifetime', { ...txEntry, tx: { ...txEntry.tx, expiresAt: 1_799_999_999 } }],
    ['eleven digits', { ...txEntry, tx: { ...txEntry.tx, createdAt: 1e10, expiresAt: 1e10 } }],
    ['a short nonce', { ...txEntry, tx: { ...txEntry.tx, nonce: 'ab' } }],
    ['a short signature', { ...txEntry, signature: new Uint8Array(63) }],
    ['a body that is too large', { ...txEntry, body: new Uint8Array(MAX_BODY_BYTES + 1) }],
    ['a key issue elsewhere', { ...txEntry, keyIssue: keyEntry().keyIssue! }],
    ['a key creation without key issue', { ...keyEntry(), keyIssue: undefined }],
    [
      'a key issued by another node',
      { ...keyEntry(), keyIssue: { ...keyEntry().keyIssue!, node: pair.publicKey } },
    ],
    [
      'a vouched nonce in capitals',
      { ...keyEntry(), vouched: { ...keyEntry().vouched, nonce: 'AB'.repeat(16) } },
    ],
  ])('%s has no encoding', (_, entry) => {
    expect(() => encodeEntry(entry)).toThrow(RangeError);
  });

  test('truncated, extended and empty bytes are refused', () => {
    for (const entry of samples) {
      const bytes = encodeEntry(entry);
      for (let n = 0; n < bytes.length; n++) expect(decodeEntry(bytes.subarray(0, n))).toBeUndefined();
      expect(decodeEntry(concat(bytes, Uint8Array.of(0)))).toBeUndefined();
    }
  });

  test('random bytes never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(1, 2, 3), (tail, scheme) => {
        expect(decodeEntry(concat(Uint8Array.of(1, scheme), tail))).toBeUndefined();
      }),
      { numRuns: 5000 },
    );
  });
});

// The body here is in JCS form, where no byte can change without changing the value. What is left outside the id is
// what proves it: the signatures.
test('50,000 changes of one byte: refused, another id, or a signature that no longer verifies', () => {
  let sameId = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (entry, at, flip) => {
        const bytes = encodeEntry(entry);
        bytes[at % bytes.length]! ^= flip;
        const changed = decodeEntry(bytes);
        if (!changed) return;
        expect(equalBytes(encodeEntry(changed), bytes)).toBe(true);
        const open = openEntry(changed);
        if (!equalBytes(open.id, entryId(entry))) return;
        sameId += 1;
        const jobs = entrySignatures(open, () => pair.publicKey)!;
        // Few of these are run: one costs a millisecond, and each differs in the signature only.
        if (sameId % 100 === 0) expect(referenceVerifyMany(jobs)).toContain(0);
        const before = entrySignatures(openEntry(entry), () => pair.publicKey)!;
        expect(jobs.map((job) => toHex(job.signature) + toHex(job.message))).not.toEqual(
          before.map((job) => toHex(job.signature) + toHex(job.message)),
        );
      },
    ),
    { numRuns: 50_000 },
  );
  expect(sameId).toBeGreaterThan(1000);
});
