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
  portableHex,
  setU64,
  toHex,
  u64At,
  utf8,
} from '../../../host/wire/bytes.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const bytes = fc.uint8Array({ maxLength: 200 });

describe('hex', () => {
  test('round trip in either case', () => {
    fc.assert(
      fc.property(bytes, (b) => {
        expect(toHex(b)).toBe(Buffer.from(b).toString('hex'));
        expect(portableHex(b)).toBe(toHex(b));
        expect(toHex(b.subarray(3))).toBe(toHex(b.slice(3)));
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

test('texts are the UTF-8 bytes, whatever shares their memory, long ones and unpaired surrogates included', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 2000 }),
    fc.array(fc.integer({ min: 0xd7f0, max: 0xe00f })).map((codes) => String.fromCharCode(...codes)),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 30 }), (texts) => {
      const all = texts.map(utf8);
      for (const [i, each] of texts.entries())
        expect(Buffer.from(all[i]!).equals(new TextEncoder().encode(each))).toBe(true);
    }),
  );
});

test('u64 of a number up to 2^53-1, as a BigInt has it', () => {
  const view = new DataView(new ArrayBuffer(8));
  fc.assert(
    fc.property(fc.maxSafeNat(), (value) => {
      setU64(view, 0, value);
      expect(view.getBigUint64(0, true)).toBe(BigInt(value));
      expect(u64At(view, 0)).toBe(value);
    }),
  );
});

describe('reader and writer', () => {
  test('writers at the same time, one after the other and after their end do not touch what others wrote', () => {
    const part = fc.uint8Array({ maxLength: 1500 });
    fc.assert(
      fc.property(fc.array(fc.tuple(part, part, fc.integer({ min: 0, max: 8000 }))), (all) => {
        const writers = all.map(([, , capacity]) => new ByteWriter(capacity));
        for (const [i, [a]] of all.entries()) writers[i]!.raw(a);
        for (const [i, [, b]] of all.entries()) writers[i]!.raw(b).raw(b).raw(b);
        const done = writers.map((writer) => writer.finish());
        for (const writer of writers) writer.u64(7).raw(new Uint8Array(100).fill(9));
        const later = new ByteWriter().raw(new Uint8Array(4000).fill(3));
        for (const writer of writers) writer.u8(1);
        for (const [i, [a, b]] of all.entries()) {
          expect(Buffer.from(done[i]!).equals(concat(a, b, b, b))).toBe(true);
          // So that it can be handed to another thread.
          expect(done[i]!.buffer.byteLength).toBe(done[i]!.length);
        }
        expect(later.finish()).toEqual(new Uint8Array(4000).fill(3));
      }),
    );
  });

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
