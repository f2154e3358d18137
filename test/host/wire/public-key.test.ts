import { describe, expect, test } from 'vitest';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { fromHex } from '../../../host/wire/bytes.ts';
import { isAcceptableKey } from '../../../host/wire/public-key.ts';
import { KEY, NON_CANONICAL_KEYS, SMALL_ORDER_KEYS } from './vectors.ts';

describe('acceptable keys', () => {
  test('keys derived from seeds are', () => {
    expect(isAcceptableKey(fromHex(KEY)!)).toBe(true);
    for (let i = 0; i < 50; i++) {
      expect(isAcceptableKey(keyPairFromSeed(new Uint8Array(32).fill(i)).publicKey)).toBe(true);
    }
  });

  test.each(SMALL_ORDER_KEYS)('small order: %s is not', (hex) => {
    expect(isAcceptableKey(fromHex(hex)!)).toBe(false);
  });

  test.each(NON_CANONICAL_KEYS)('another writing: %s is not', (hex) => {
    expect(isAcceptableKey(fromHex(hex)!)).toBe(false);
  });

  test('keys off the curve or of another length are not', () => {
    const y2 = new Uint8Array(32);
    y2[0] = 2; // 2 is the y of no point
    expect(isAcceptableKey(y2)).toBe(false);
    expect(isAcceptableKey(fromHex(KEY)!.subarray(1))).toBe(false);
    expect(isAcceptableKey(new Uint8Array(33))).toBe(false);
  });
});
