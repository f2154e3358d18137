// UTF-8 (RFC 3629): one character, validity, and how many characters there are.

const INVALID: u32 = 0xfffd;
/** The bit that no ASCII character has, in each of eight bytes. */
const HIGH_BITS: u64 = ((<u64>0x80808080) << 32) | 0x80808080;

function follows(at: usize): bool {
  return (load<u8>(at) & 0xc0) == 0x80;
}

/** The character at `at`, which is below `end`; U+FFFD for bytes that are none. A U+FFFD that is there counts as well. */
export function decode(at: usize, end: usize): u32 {
  const first = <u32>load<u8>(at);
  if (first < 0x80) return first;
  if (first < 0xc2 || at + 1 >= end || !follows(at + 1)) return INVALID;
  const second = <u32>load<u8>(at, 1) & 63;
  if (first < 0xe0) return ((first & 31) << 6) | second;
  if (at + 2 >= end || !follows(at + 2)) return INVALID;
  const third = <u32>load<u8>(at, 2) & 63;
  if (first < 0xf0) {
    const code = ((first & 15) << 12) | (second << 6) | third;
    return code < 0x800 || (code >= 0xd800 && code < 0xe000) ? INVALID : code;
  }
  if (first > 0xf4 || at + 3 >= end || !follows(at + 3)) return INVALID;
  const code = ((first & 7) << 18) | (second << 12) | (third << 6) | (<u32>load<u8>(at, 3) & 63);
  return code < 0x10000 || code > 0x10ffff ? INVALID : code;
}

/** Bytes of a valid character, by its first byte. */
export function sizeAt(at: usize): usize {
  const first = <u32>load<u8>(at);
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Characters (code points); -1 if the bytes are not UTF-8. */
export function countChars(at: usize, bytes: u32): i32 {
  const end = at + bytes;
  let count: i32 = 0;
  while (at < end) {
    // Text is mostly ASCII: eight characters at once.
    while (at + 8 <= end && (load<u64>(at) & HIGH_BITS) == 0) {
      at += 8;
      count += 8;
    }
    if (at >= end) break;
    if (load<u8>(at) < 0x80) {
      at++;
    } else {
      // EF BF BD is U+FFFD itself.
      const isReal =
        at + 2 < end && load<u8>(at) == 0xef && load<u8>(at, 1) == 0xbf && load<u8>(at, 2) == 0xbd;
      if (decode(at, end) == INVALID && !isReal) return -1;
      at += sizeAt(at);
    }
    count++;
  }
  return count;
}

/** Bytes written for a character. */
export function encode(code: u32, to: usize): u32 {
  if (code < 0x80) {
    store<u8>(to, <u8>code);
    return 1;
  }
  if (code < 0x800) {
    store<u8>(to, <u8>(0xc0 | (code >> 6)));
    store<u8>(to, <u8>(0x80 | (code & 63)), 1);
    return 2;
  }
  if (code < 0x10000) {
    store<u8>(to, <u8>(0xe0 | (code >> 12)));
    store<u8>(to, <u8>(0x80 | ((code >> 6) & 63)), 1);
    store<u8>(to, <u8>(0x80 | (code & 63)), 2);
    return 3;
  }
  store<u8>(to, <u8>(0xf0 | (code >> 18)));
  store<u8>(to, <u8>(0x80 | ((code >> 12) & 63)), 1);
  store<u8>(to, <u8>(0x80 | ((code >> 6) & 63)), 2);
  store<u8>(to, <u8>(0x80 | (code & 63)), 3);
  return 4;
}
