// Splitting the one scalar of a single verification into two of half its length: u and v with u = +-v k modulo L,
// u below 2^127 and 0 < v < 2^127. Then S B = R + k A holds (times the cofactor) exactly when
// v S B - v R -+ u A is neutral, for v is invertible modulo L; that takes half the doublings.
// Keeps: with remainders a > b of the Euclidean algorithm on (L, k) and their cofactors p, q: a = +-p k, b = -+q k
// modulo L, signs always opposite, and a q + b p = L; so q <= L / a < 2^126 while a >= 2^127.
// Source: Antipa, Brown, Gallant, Lambert, Struik, Vanstone, "Accelerated verification of ECDSA signatures" (2005).

import { L } from './scalar';

export const HALF_U: usize = memory.data(16, 16);
export const HALF_V: usize = memory.data(16, 16);

function bitLength(w3: u64, w2: u64, w1: u64, w0: u64): i32 {
  if (w3 != 0) return 256 - <i32>clz(w3);
  if (w2 != 0) return 192 - <i32>clz(w2);
  if (w1 != 0) return 128 - <i32>clz(w1);
  return 64 - <i32>clz(w0);
}

/** The upper word of (high, low) << shift, for shifts below 64: one by 64 is one by 0, hence two steps. */
function shiftedWord(high: u64, low: u64, shift: u64): u64 {
  return (high << shift) | ((low >> 1) >> (63 - shift));
}

/**
 * Writes HALF_U and HALF_V for k below L. Returns true if u = v k, false if u = -v k modulo L. Long division by
 * shifted subtraction: some 110 rounds, all in registers.
 */
export function halveScalar(k: usize): bool {
  let a0 = load<u64>(L),
    a1 = load<u64>(L, 8),
    a2 = load<u64>(L, 16),
    a3 = load<u64>(L, 24);
  let b0 = load<u64>(k),
    b1 = load<u64>(k, 8),
    b2 = load<u64>(k, 16),
    b3 = load<u64>(k, 24);
  let p0: u64 = 0,
    p1: u64 = 0,
    q0: u64 = 1,
    q1: u64 = 0;
  let isPositive = true;
  let lengthA = 253;
  let lengthB = bitLength(b3, b2, b1, b0);
  while (lengthB > 127) {
    let shift = lengthA - lengthB;
    while (shift >= 0) {
      // b has 128 bits or more, so a shift is at most 125: one whole word and a part of one.
      const isFar = shift >= 64;
      const by = <u64>(shift & 63);
      const w0 = isFar ? 0 : b0;
      const w1 = isFar ? b0 : b1;
      const w2 = isFar ? b1 : b2;
      const w3 = isFar ? b2 : b3;
      const s0 = w0 << by;
      const s1 = shiftedWord(w1, w0, by);
      const s2 = shiftedWord(w2, w1, by);
      const s3 = shiftedWord(w3, w2, by);
      const r0 = a0 - s0;
      const c0 = u64(a0 < s0);
      const r1 = a1 - s1 - c0;
      const c1 = u64(a1 < s1) | (u64(a1 == s1) & c0);
      const r2 = a2 - s2 - c1;
      const c2 = u64(a2 < s2) | (u64(a2 == s2) & c1);
      if (a3 > s3 || (a3 == s3 && c2 == 0)) {
        a0 = r0;
        a1 = r1;
        a2 = r2;
        a3 = a3 - s3 - c2;
        const t0 = (isFar ? 0 : q0) << by;
        p0 += t0;
        p1 += (isFar ? q0 << by : shiftedWord(q1, q0, by)) + u64(p0 < t0);
        lengthA = bitLength(a3, a2, a1, a0);
        break;
      }
      shift--;
    }
    if (shift >= 0) continue;
    // a is the smaller now: swap a and b, p and q.
    let t = a0;
    a0 = b0;
    b0 = t;
    t = a1;
    a1 = b1;
    b1 = t;
    t = a2;
    a2 = b2;
    b2 = t;
    t = a3;
    a3 = b3;
    b3 = t;
    t = p0;
    p0 = q0;
    q0 = t;
    t = p1;
    p1 = q1;
    q1 = t;
    const length = lengthA;
    lengthA = lengthB;
    lengthB = length;
    isPositive = !isPositive;
  }
  store<u64>(HALF_U, b0);
  store<u64>(HALF_U, b1, 8);
  store<u64>(HALF_V, q0);
  store<u64>(HALF_V, q1, 8);
  return isPositive;
}
