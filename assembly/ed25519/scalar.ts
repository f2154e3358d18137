// Integers modulo L, the prime order of the base point: eight u32 words, little-endian, as signatures carry them.
// Keeps: results are below L; every quantity here is public, so branches may depend on it.
// Reduction is Barrett's: the quotient by L is estimated from the top words with mu = floor(2^512 / L), at most
// two too small. Source: Handbook of Applied Cryptography, 14.42, with b = 2^32 and k = 8.

// biome-ignore format: L = 2^252 + 27742317777372353535851937790883648493
export const L: usize = memory.data<u32>([
  0x5cf5d3ed, 0x5812631a, 0xa2f79cd6, 0x14def9de, 0, 0, 0, 0x10000000, 0,
]);
// biome-ignore format: floor(2^512 / L)
const MU: usize = memory.data<u32>([
  0x0a2c131b, 0xed9ce5a3, 0x086329a7, 0x2106215d, 0xffffffeb, 0xffffffff, 0xffffffff, 0xffffffff, 0x0000000f,
]);

const QUOTIENT: usize = memory.data(80, 16);
const MULTIPLE: usize = memory.data(80, 16);
const REST: usize = memory.data(40, 16);
const WIDE: usize = memory.data(64, 16);

/** out[leftWords + rightWords] = left * right. `out` must not be an operand. */
export function multiplyWords(out: usize, left: usize, leftWords: u32, right: usize, rightWords: u32): void {
  memory.fill(out, 0, (leftWords + rightWords) << 2);
  for (let i: u32 = 0; i < leftWords; i++) {
    const word = <u64>load<u32>(left + (i << 2));
    let carry: u64 = 0;
    let to = out + (i << 2);
    for (let j: u32 = 0; j < rightWords; j++) {
      carry += word * <u64>load<u32>(right + (j << 2)) + <u64>load<u32>(to);
      store<u32>(to, <u32>carry);
      carry >>= 32;
      to += 4;
    }
    store<u32>(to, <u32>carry);
  }
}

/** Subtracts `right` from `left` in place over `words` words; returns the borrow. */
function subtractWords(left: usize, right: usize, words: u32): u32 {
  let borrow: u64 = 0;
  for (let at: u32 = 0; at < words << 2; at += 4) {
    const difference = <u64>load<u32>(left + at) - <u64>load<u32>(right + at) - borrow;
    store<u32>(left + at, <u32>difference);
    borrow = difference >> 63;
  }
  return <u32>borrow;
}

function isBelowL(words: usize): bool {
  for (let at: i32 = 28; at >= 0; at -= 4) {
    const word = load<u32>(words + at);
    const limit = load<u32>(L + at);
    if (word != limit) return word < limit;
  }
  return false;
}

/** Whether the 32 bytes are a scalar below L: what ZIP-215 requires of S. */
export function isCanonicalScalar(bytes: usize): bool {
  return isBelowL(bytes);
}

/** out = the 512-bit number at `wide` modulo L. */
export function reduceWide(out: usize, wide: usize): void {
  multiplyWords(QUOTIENT, wide + 28, 9, MU, 9);
  // Only the low nine words of quotient * L matter: the rest of the division is below 3 L < 2^288.
  multiplyWords(MULTIPLE, QUOTIENT + 36, 9, L, 8);
  memory.copy(REST, wide, 36);
  subtractWords(REST, MULTIPLE, 9);
  while (load<u32>(REST, 32) != 0 || !isBelowL(REST)) subtractWords(REST, L, 9);
  memory.copy(out, REST, 32);
}

/** out = a * b modulo L, for a of `aWords` words (at most 8) and b of eight. */
export function multiplyScalars(out: usize, a: usize, aWords: u32, b: usize): void {
  memory.fill(WIDE, 0, 64);
  multiplyWords(WIDE, a, aWords, b, 8);
  reduceWide(out, WIDE);
}

/** out = a + b modulo L, for a and b below L. `out` may be either. */
export function addScalars(out: usize, a: usize, b: usize): void {
  let carry: u64 = 0;
  for (let at: usize = 0; at < 32; at += 4) {
    carry += <u64>load<u32>(a + at) + <u64>load<u32>(b + at);
    store<u32>(out + at, <u32>carry);
    carry >>= 32;
  }
  if (!isBelowL(out)) subtractWords(out, L, 8);
}

/** out = -a modulo L, for a below L. */
export function negateScalar(out: usize, a: usize): void {
  memory.copy(REST, L, 32);
  subtractWords(REST, a, 8);
  // a = 0 leaves L itself, which is not reduced.
  if (!isBelowL(REST)) memory.fill(REST, 0, 32);
  memory.copy(out, REST, 32);
}

/** Adds the product of `a` (four words) and `b` (eight words) to the 512-bit sum: 1,024 products of 381 bits fit. */
export function addProduct(sum: usize, a: usize, b: usize): void {
  multiplyWords(WIDE, a, 4, b, 8);
  let carry: u64 = 0;
  for (let at: usize = 0; at < 64; at += 4) {
    carry += <u64>load<u32>(sum + at) + (at < 48 ? <u64>load<u32>(WIDE + at) : 0);
    store<u32>(sum + at, <u32>carry);
    carry >>= 32;
  }
}
