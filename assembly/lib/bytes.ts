// Comparing and copying bytes: 32-byte keys and hashes, rows, ids.
// Keeps: nothing is written outside the range that the caller names.

/** True when the 32 bytes at both addresses are equal. */
export function equal32(a: usize, b: usize): bool {
  return (
    load<u64>(a) == load<u64>(b) &&
    load<u64>(a, 8) == load<u64>(b, 8) &&
    load<u64>(a, 16) == load<u64>(b, 16) &&
    load<u64>(a, 24) == load<u64>(b, 24)
  );
}

export function copy32(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from));
  store<u64>(to, load<u64>(from, 8), 8);
  store<u64>(to, load<u64>(from, 16), 16);
  store<u64>(to, load<u64>(from, 24), 24);
}

/** Zeroes `bytes` (a multiple of 8) of a record: cheaper than memory.fill, which engines call out for. */
export function zero(at: usize, bytes: u32): void {
  const end = at + bytes;
  for (const last = at + (bytes & ~31); at < last; at += 32) {
    store<u64>(at, 0);
    store<u64>(at, 0, 8);
    store<u64>(at, 0, 16);
    store<u64>(at, 0, 24);
  }
  for (; at < end; at += 8) store<u64>(at, 0);
}

/** Zeroes that many u32 words of a large table; memory that is zero already is not written to, and so costs nothing. */
export function zeroWords(at: usize, words: u32): void {
  for (const end = at + ((<usize>words) << 2); at < end; at += 4) if (load<u32>(at) != 0) store<u32>(at, 0);
}

/** True when all `bytes` (a multiple of 8) at the address are zero. */
export function isZero(at: usize, bytes: u32): bool {
  const end = at + bytes;
  for (; at < end; at += 8) if (load<u64>(at) != 0) return false;
  return true;
}

/** Order of two 32-byte values as big-endian numbers, which is their order as hex text: -1, 0 or 1. */
export function compare32(a: usize, b: usize): i32 {
  for (let i: usize = 0; i < 32; i += 8) {
    const x = bswap<u64>(load<u64>(a + i));
    const y = bswap<u64>(load<u64>(b + i));
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

/** Lexicographic order of two byte strings; a prefix comes first. */
export function compareText(a: usize, aBytes: u32, b: usize, bBytes: u32): i32 {
  const common = min<u32>(aBytes, bBytes);
  for (let i: u32 = 0; i < common; i++) {
    const x = load<u8>(a + i);
    const y = load<u8>(b + i);
    if (x != y) return x < y ? -1 : 1;
  }
  if (aBytes == bBytes) return 0;
  return aBytes < bBytes ? -1 : 1;
}
