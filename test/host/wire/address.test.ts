import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeAddress, encodeAddress, formatAddress } from '../../../host/wire/address.ts';
import { fromHex, toHex } from '../../../host/wire/bytes.ts';
import { KEY } from './vectors.ts';

const key = fromHex(KEY)!;
const MAIN = 'vws1ehxpz382axzjya5r4qkevfl8hh78t0vsffpyet';
const TEST = 'tvws1ehxpz382axzjya5r4qkevfl8hh78t0vs8ugqe6';

test('the vectors of protocol 12.6', () => {
  expect(encodeAddress(key, false)).toBe(MAIN);
  expect(encodeAddress(key, true)).toBe(TEST);
  expect(toHex(decodeAddress(TEST, true)!)).toBe('cdcc1144eae985227683a82d9627e7bdfc75bd90');
});

describe('reading', () => {
  test('all upper case passes, mixed case does not', () => {
    expect(decodeAddress(MAIN.toUpperCase(), false)).toEqual(decodeAddress(MAIN, false));
    expect(decodeAddress(`V${MAIN.slice(1)}`, false)).toBeUndefined();
  });

  test('the other network, the bech32 checksum of BIP-173 and other lengths are refused', () => {
    expect(decodeAddress(MAIN, true)).toBeUndefined();
    expect(decodeAddress(TEST, false)).toBeUndefined();
    for (const text of ['', 'vws1', MAIN.slice(0, -1), `${MAIN}q`, 'vws', `${MAIN} `]) {
      expect(decodeAddress(text, false)).toBeUndefined();
    }
  });

  test('round trip, and no change of one or two characters is read as an address', () => {
    const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 });
    const symbol = fc.constantFrom(...'qpzry9x8gf2tvdw0s3jn54khce6mua7lbio1');
    fc.assert(
      fc.property(bytes, fc.nat(37), fc.nat(37), symbol, symbol, (data, i, j, a, b) => {
        const text = formatAddress(data, true);
        expect(decodeAddress(text, true)).toEqual(data);
        const chars = [...text];
        chars[5 + i] = a;
        chars[5 + j] = b;
        const other = chars.join('');
        if (other !== text) expect(decodeAddress(other, true)).toBeUndefined();
      }),
      { numRuns: 3000 },
    );
  });
});
