// Numbers, hex and JSON strings as text.

import { readHex32, writeDecimal, writeHex, writeJsonString, writeLiteral } from '../../../assembly/lib/text';

const IN: usize = memory.data(128, 8);
const OUT: usize = memory.data(512, 8);

function textTo(end: usize): string {
  return String.UTF8.decodeUnsafe(OUT, end - OUT);
}

function jsonOf(text: string): string {
  const bytes = String.UTF8.encodeUnsafe(changetype<usize>(text), text.length, IN);
  return textTo(writeJsonString(OUT, IN, <u32>bytes));
}

describe('text', () => {
  it('writes decimals without leading zeros', () => {
    expect(textTo(writeDecimal(OUT, 0))).toBe('0');
    expect(textTo(writeDecimal(OUT, 1800000000))).toBe('1800000000');
    expect(textTo(writeDecimal(OUT, u64.MAX_VALUE))).toBe('18446744073709551615');
  });

  it('escapes as RFC 8785 does', () => {
    expect(jsonOf('vws')).toBe('"vws"');
    expect(jsonOf('a"b\\c')).toBe('"a\\"b\\\\c"');
    expect(jsonOf('\b\t\n\f\r')).toBe('"\\b\\t\\n\\f\\r"');
    expect(jsonOf('\u0001\u001f')).toBe('"\\u0001\\u001f"');
    expect(jsonOf('ü/€')).toBe('"ü/€"');
  });

  it('reads hex of either case and refuses the rest', () => {
    const end = writeLiteral(OUT, '00ff'.repeat(8) + 'ABcd'.repeat(8));
    expect(readHex32(OUT, IN)).toBe(true);
    expect(textTo(end).toLowerCase()).toBe('00ff'.repeat(8) + 'abcd'.repeat(8));
    writeHex(OUT, IN, 32);
    expect(textTo(OUT + 64)).toBe('00ff'.repeat(8) + 'abcd'.repeat(8));
    store<u8>(OUT + 63, 103);
    expect(readHex32(OUT, IN)).toBe(false);
  });
});
