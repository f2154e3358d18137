// Plain text for hashing: decimal numbers, hex, JSON strings, each written at an address.
// Keeps: every writer returns the address after its last byte; the caller owns enough room.
// Literals are read from static data; strings are never built.

const DIGITS: usize = memory.data(24, 8);

function hexDigit(value: u32): u8 {
  return <u8>(value < 10 ? 48 + value : 87 + value);
}

/** An ASCII literal of the source. */
export function writeLiteral(to: usize, text: string): usize {
  const from = changetype<usize>(text);
  const length = <usize>text.length;
  for (let i: usize = 0; i < length; i++) store<u8>(to + i, <u8>load<u16>(from + (i << 1)));
  return to + length;
}

export function writeBytes(to: usize, from: usize, bytes: u32): usize {
  memory.copy(to, from, bytes);
  return to + bytes;
}

/** The two hex digits of a byte, the first in the upper half. */
export function hexPair(value: u32): u32 {
  return ((<u32>hexDigit(value >> 4)) << 8) | hexDigit(value & 15);
}

/** Lower-case hex of `bytes` at `from`. */
export function writeHex(to: usize, from: usize, bytes: u32): usize {
  for (let i: u32 = 0; i < bytes; i++) {
    const pair = hexPair(load<u8>(from + i));
    store<u16>(to, <u16>((pair << 8) | (pair >> 8)));
    to += 2;
  }
  return to;
}

/** Decimal digits without sign or leading zero. */
export function writeDecimal(to: usize, value: u64): usize {
  let at = DIGITS + 24;
  do {
    at--;
    store<u8>(at, <u8>(48 + (value % 10)));
    value /= 10;
  } while (value != 0);
  return writeBytes(to, at, <u32>(DIGITS + 24 - at));
}

// The short escapes of RFC 8785; other control characters become \u00xx.
function shortEscape(code: u8): u8 {
  if (code == 8) return 98; // \b
  if (code == 9) return 116; // \t
  if (code == 10) return 110; // \n
  if (code == 12) return 102; // \f
  if (code == 13) return 114; // \r
  if (code == 34 || code == 92) return code;
  return 0;
}

/** A JSON string in RFC 8785 form, quotes included, of UTF-8 bytes. At most 6 * bytes + 2 bytes long. */
export function writeJsonString(to: usize, from: usize, bytes: u32): usize {
  store<u8>(to++, 34);
  for (let i: u32 = 0; i < bytes; i++) {
    const code = load<u8>(from + i);
    // Nearly every character.
    if (code >= 32 && code != 34 && code != 92) {
      store<u8>(to++, code);
      continue;
    }
    const short = shortEscape(code);
    if (short != 0) {
      store<u8>(to++, 92);
      store<u8>(to++, short);
    } else {
      to = writeLiteral(to, '\\u00');
      to = writeHex(to, from + i, 1);
    }
  }
  store<u8>(to++, 34);
  return to;
}

function hexValue(code: u8): i32 {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  if (code >= 65 && code <= 70) return code - 55;
  return -1;
}

/** Reads 64 hex characters of either case into 32 bytes; false, and undefined bytes at `to`, if they are not hex. */
export function readHex32(from: usize, to: usize): bool {
  for (let i: usize = 0; i < 32; i++) {
    const high = hexValue(load<u8>(from + i * 2));
    const low = hexValue(load<u8>(from + i * 2 + 1));
    if (high < 0 || low < 0) return false;
    store<u8>(to + i, <u8>((high << 4) | low));
  }
  return true;
}
