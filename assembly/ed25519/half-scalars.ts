// Splitting the one scalar of a single verification into two of half its length: u and v with u = +-v k modulo L,
// u below 2^127 and 0 < v < 2^127. Then S B = R + k A holds (times the cofactor) exactly when
// v S B - v R -+ u A is neutral, for v is invertible modulo L; that takes half the doublings.
// Keeps: with remainders a > b of the Euclidean algorithm on (L, k) and their cofactors p, q: a = +-p k, b = -+q k
// modulo L, signs always opposite, and a q + b p = L; so q <= L / a < 2^126 while a >= 2^127.
// Source: Antipa, Brown, Gallant, Lambert, Struik, Vanstone, "Accelerated verification of ECDSA signatures" (2005).

import { L } from './scalar';

const A: usize = memory.data(32, 16);
const B: usize = memory.data(32, 16);
const SWAP: usize = memory.data(32, 16);

export const HALF_U: usize = memory.data(16, 16);
export const HALF_V: usize = memory.data(16, 16);

function bitLength(words: usize): i32 {
  for (let i: i32 = 3; i >= 0; i--) {
    const word = load<u64>(words + (i << 3));
    if (word != 0) return (i << 6) + 64 - <i32>clz(word);
  }
  return 0;
}

/** a -= b << shift, unless that is negative: then nothing changes and the answer is false. Shift below 64. */
function subtractShifted(a: usize, b: usize, shift: u64): bool {
  const b0 = load<u64>(b);
  const b1 = load<u64>(b, 8);
  const b2 = load<u64>(b, 16);
  const b3 = load<u64>(b, 24);
  // A shift by 64 is one by 0 in WebAssembly, hence the two steps.
  const s0 = b0 << shift;
  const s1 = (b1 << shift) | ((b0 >> 1) >> (63 - shift));
  const s2 = (b2 << shift) | ((b1 >> 1) >> (63 - shift));
  const s3 = (b3 << shift) | ((b2 >> 1) >> (63 - shift));
  const a0 = load<u64>(a);
  const a1 = load<u64>(a, 8);
  const a2 = load<u64>(a, 16);
  const a3 = load<u64>(a, 24);
  const r0 = a0 - s0;
  let borrow = u64(a0 < s0);
  const r1 = a1 - s1 - borrow;
  borrow = u64(a1 < s1) | (u64(a1 == s1) & borrow);
  const r2 = a2 - s2 - borrow;
  borrow = u64(a2 < s2) | (u64(a2 == s2) & borrow);
  if (a3 < s3 || (a3 == s3 && borrow)) return false;
  store<u64>(a, r0);
  store<u64>(a, r1, 8);
  store<u64>(a, r2, 16);
  store<u64>(a, a3 - s3 - borrow, 24);
  return true;
}

/** Writes HALF_U and HALF_V for k below L. Returns true if u = v k, false if u = -v k modulo L. */
export function halveScalar(k: usize): bool {
  memory.copy(A, L, 32);
  memory.copy(B, k, 32);
  let p0: u64 = 0;
  let p1: u64 = 0;
  let q0: u64 = 1;
  let q1: u64 = 0;
  let isPositive = true;
  let lengthA = bitLength(A);
  let lengthB = bitLength(B);
  while (lengthB > 127) {
    let shift = min(63, lengthA - lengthB);
    if (shift >= 0 && !subtractShifted(A, B, <u64>shift)) {
      shift--;
      if (shift >= 0) subtractShifted(A, B, <u64>shift);
    }
    if (shift < 0) {
      memory.copy(SWAP, A, 32);
      memory.copy(A, B, 32);
      memory.copy(B, SWAP, 32);
      const s0 = p0;
      const s1 = p1;
      p0 = q0;
      p1 = q1;
      q0 = s0;
      q1 = s1;
      lengthB = bitLength(B);
      lengthA = bitLength(A);
      isPositive = !isPositive;
      continue;
    }
    const step = <u64>shift;
    const s0 = q0 << step;
    p0 += s0;
    p1 += ((q1 << step) | ((q0 >> 1) >> (63 - step))) + u64(p0 < s0);
    lengthA = bitLength(A);
  }
  memory.copy(HALF_U, B, 16);
  store<u64>(HALF_V, q0);
  store<u64>(HALF_V, q1, 8);
  return isPositive;
}
