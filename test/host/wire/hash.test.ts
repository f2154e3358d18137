import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { nativeSha256, useNativeHash } from '../../../host/crypto/native-hash.ts';
import { portableSha256, setSha256, sha256, sha256Hex } from '../../../host/wire/hash.ts';

afterEach(() => setSha256(portableSha256));

const node = (data: Uint8Array | string) => createHash('sha256').update(data).digest('hex');

test('portable and native implementation give the same bytes, over parts and over texts', () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(bytes, bytes, fc.string({ unit: 'grapheme' }), (a, b, text) => {
      for (const implementation of [portableSha256, nativeSha256]) {
        setSha256(implementation);
        expect(Buffer.from(sha256(a, b)).toString('hex')).toBe(node(Buffer.concat([a, b])));
        expect(sha256Hex(a)).toBe(node(a));
        expect(sha256Hex(text)).toBe(node(text));
      }
    }),
  );
});

test('the native implementation returns plain arrays whose slices are copies', () => {
  useNativeHash();
  const digest = sha256(Uint8Array.of(1));
  expect(Object.getPrototypeOf(digest)).toBe(Uint8Array.prototype);
  digest.slice(0, 4)[0]! ^= 255;
  expect(sha256(Uint8Array.of(1))).toEqual(digest);
});
