import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ByteReader,
  ByteWriter,
  compareBytes,
  concat,
  equalBytes,
  fromHex,
  isHex,
  isLowerHex,
  toHex,
} from '../../../host/wire/bytes.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const bytes = fc.uint8Array({ maxLength: 200 });

describe('hex', () => {
  test('round trip in either case', () => {
    fc.assert(
      fc.property(bytes, (b) => {
        expect(toHex(b)).toBe(Buffer.from(b).toString('hex'));
        expect(fromHex(toHex(b))).toEqual(b);
        expect(fromHex(toHex(b).toUpperCase())).toEqual(b);
      }),
    );
  });

  test('a stored text uses little more memory than its digits', () => {
    const kept = new Array<string>(20_000).fill('');
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < kept.length; i++) kept[i] = toHex(new Uint8Array(32).fill(i & 255));
    collectGarbage();
    // 64 digits and a head; put together digit by digit they would take some 900.
    expect((process.memoryUsage().heapUsed - before) / kept.length).toBeLessThan(150);
    expect(kept).toHaveLength(20_000);
  });

  test('any text is hex exactly when a plain regular expression says so', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'09afAFgG @`/:-é') }), (s) => {
        expect(isHex(s, s.length)).toBe(/^[0-9a-fA-F]*$/.test(s));
        expect(fromHex(s) !== undefined).toBe(s.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(s));
      }),
      { numRuns: 2000 },
    );
    expect(isHex('ab', 3)).toBe(false);
    expect(isLowerHex('ab', 2)).toBe(true);
    expect(isLowerHex('aB', 2)).toBe(false);
  });
});

test('concat, equality and order of byte strings', () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(Buffer.from(concat(a, b))).toEqual(Buffer.concat([a, b]));
      expect(equalBytes(a, b)).toBe(Buffer.compare(a, b) === 0);
      expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(a, b));
    }),
  );
});

describe('reader and writer', () => {
  test('values come back, and nothing is left', () => {
    const out = new ByteWriter(1)
      .u8(255)
      .u16(65_535)
      .u32(4_294_967_295)
      .u64(Number.MAX_SAFE_INTEGER)
      .u64(5n)
      .ascii16('abc')
      .raw(Uint8Array.of(1, 2))
      .finish();
    const reader = new ByteReader(out);
    expect([reader.u8(), reader.u16(), reader.u32(), reader.u64(), reader.u64()]).toEqual([
      255,
      65_535,
      4_294_967_295,
      Number.MAX_SAFE_INTEGER,
      5,
    ]);
    expect(reader.ascii16()).toBe('abc');
    expect(reader.done).toBe(false);
    expect(reader.raw(2)).toEqual(Uint8Array.of(1, 2));
    expect(reader.done).toBe(true);
  });

  test('little-endian', () => {
    expect(toHex(new ByteWriter().u16(1).u32(2).u64(3).finish())).toBe('0100020000000300000000000000');
    expect(toHex(new ByteWriter().u64(0xffff_ffff_ffff_ffffn).finish())).toBe('ff'.repeat(8));
  });

  test('after reading past the end every read fails', () => {
    const reader = new ByteReader(Uint8Array.of(1, 2, 3));
    expect(reader.u32()).toBe(0);
    expect(reader.u8()).toBe(0);
    expect(reader.failed).toBe(true);
    expect(reader.done).toBe(false);
  });

  test('u64 from 2^53 on and text that is not printable ASCII fail', () => {
    const large = new ByteReader(new ByteWriter().u64(2n ** 53n).finish());
    large.u64();
    expect(large.failed).toBe(true);
    for (const code of [0x1f, 0x7f, 0x80, 0xc3]) {
      const reader = new ByteReader(new ByteWriter().u16(1).u8(code).finish());
      reader.ascii16();
      expect(reader.failed).toBe(true);
    }
  });
});
