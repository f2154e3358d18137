import { expect, it } from 'vitest';
import { crc32c } from '../../../host/world/system/crc32c.ts';

it('returns the values of RFC 3720, appendix B.4', () => {
  expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
  expect(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i))).toBe(0x46dd794e);
  expect(crc32c(Uint8Array.from({ length: 32 }, (_, i) => 31 - i))).toBe(0x113fdb5c);
});

it('accepts a range, also an empty one', () => {
  const bytes = Buffer.from('xx123456789xx');
  expect(crc32c(bytes, 2, 11)).toBe(0xe3069283);
  expect(crc32c(bytes, 2, 2)).toBe(0);
});
