// The kinds of case that project Wycheproof's Ed25519 set is made of, rebuilt by rule rather than copied, each with the
// verdict of @noble/ed25519 under ZIP-215: special values of R and S, flipped bits, malleability, wrong lengths.

import { describe, expect, it } from 'vitest';
import type { SignatureJob } from '../../host/wire/bytes.ts';
import { BUILDS } from './builds.ts';
import { L, littleEndian, P, referenceVerdict, SeededRandom, Signer, toBigInt } from './signatures.ts';

const signer = new Signer(new SeededRandom('wycheproof').bytes(32));
const messages = [
  '',
  '78',
  '54657374',
  '48656c6c6f',
  '313233343030',
  '00'.repeat(14),
  '61'.repeat(64),
  'ff'.repeat(32),
];
const base = signer.sign(Buffer.from('Test'));

function withSignature(signature: Uint8Array): SignatureJob {
  return { ...base, signature };
}

function compose(r: Uint8Array, s: Uint8Array): SignatureJob {
  return withSignature(new Uint8Array([...r, ...s]));
}

const r = base.signature.subarray(0, 32);
const s = base.signature.subarray(32);
const edges = [
  0n,
  1n,
  2n,
  L - 1n,
  L,
  L + 1n,
  P - 1n,
  P,
  P + 1n,
  2n ** 252n,
  2n ** 255n - 1n,
  2n ** 256n - 1n,
];

const CASES: Record<string, SignatureJob[]> = {
  'known test vectors': messages.map((hex) => signer.sign(Buffer.from(hex, 'hex'))),
  'special values of R and S': edges.flatMap((a) =>
    edges.map((b) => compose(littleEndian(a), littleEndian(b))),
  ),
  'special values of S': edges.map((edge) => compose(r, littleEndian(edge))),
  'special values of R': edges.map((edge) => compose(littleEndian(edge), s)),
  'malleability: S + n L and high bits of S': [
    ...[1n, 2n, 4n, 8n, 15n].map((n) => toBigInt(s) + n * L),
    ...[252n, 253n, 254n, 255n].map((bit) => toBigInt(s) ^ (1n << bit)),
  ].map((n) => compose(r, littleEndian(n))),
  'flipped bits of R': [0, 1, 2, 7, 8, 16, 31, 48, 63, 64, 97, 127, 128, 240, 247, 248, 253, 254, 255].map(
    (bit) => compose(littleEndian(toBigInt(r) ^ (1n << BigInt(bit))), s),
  ),
  'flipped bits of S': [0, 1, 2, 7, 8, 16, 31, 48, 63, 64, 97, 127, 128, 240, 247, 248].map((bit) =>
    compose(r, littleEndian(toBigInt(s) ^ (1n << BigInt(bit)))),
  ),
  'wrong lengths of the signature': [
    new Uint8Array(0),
    r,
    base.signature.subarray(0, 63),
    new Uint8Array([...base.signature, 0]),
    new Uint8Array([0, ...base.signature]),
    new Uint8Array([...r, 0, ...s]),
    new Uint8Array([...base.signature, ...base.publicKey]),
  ].map(withSignature),
  'wrong key': [
    { ...base, publicKey: new Signer(new SeededRandom('another').bytes(32)).publicKey },
    { ...base, publicKey: base.publicKey.subarray(0, 31) },
    { ...base, publicKey: new Uint8Array(0) },
    { ...base, publicKey: littleEndian(toBigInt(base.publicKey) ^ (1n << 255n)) },
  ],
};

describe.each(BUILDS)('cases after Wycheproof, %s', (_, open) => {
  it.each(Object.entries(CASES))('%s', (name, jobs) => {
    const door = open();
    const expected = jobs.map(referenceVerdict);
    if (name === 'known test vectors') expect(expected).toEqual(jobs.map(() => 1));
    else expect(expected).not.toContain(1);
    expect(jobs.map((job) => Number(door.verifyOne(job)))).toEqual(expected);
    expect(Array.from(door.verifyBatch(jobs))).toEqual(expected);
  });
});
