// Squaring of two field elements at once: quad-sqr.ts with the upper half left out, for half the time. It serves the
// exponentiation for the two points of a single signature, where the other two lanes would be unused.

import { low3, low5, storeLimb, times19 } from './quad-terms';

/** out = operand squared, in its first two lanes alone; the others become 0. `out` may be the operand. */
// biome-ignore format: one column of the product to a line
export function sqrPairSimd(out: usize, operand: usize): void {
  const x0 = v128.load(operand, 0);
  const x1 = v128.load(operand, 16);
  const x2 = v128.load(operand, 32);
  const x3 = v128.load(operand, 48);
  const x4 = v128.load(operand, 64);
  const x5 = v128.load(operand, 80);
  const x6 = v128.load(operand, 96);
  const x7 = v128.load(operand, 112);
  const x8 = v128.load(operand, 128);
  const x9 = v128.load(operand, 144);
  const d0 = i32x4.shl(x0, 1);
  const d1 = i32x4.shl(x1, 1);
  const d2 = i32x4.shl(x2, 1);
  const d3 = i32x4.shl(x3, 1);
  const d4 = i32x4.shl(x4, 1);
  const d5 = i32x4.shl(x5, 1);
  const d6 = i32x4.shl(x6, 1);
  const d7 = i32x4.shl(x7, 1);
  const d8 = i32x4.shl(x8, 1);
  const nineteen = i32x4.splat(19);
  const w5 = i32x4.mul(x5, nineteen);
  const w6 = i32x4.mul(x6, nineteen);
  const w7 = i32x4.mul(x7, nineteen);
  const w8 = i32x4.mul(x8, nineteen);
  const w9 = i32x4.mul(x9, nineteen);
  const e5 = i32x4.shl(w5, 1);
  const e7 = i32x4.shl(w7, 1);
  const e9 = i32x4.shl(w9, 1);

  const zero = i64x2.splat(0);
  let l0 = low3(low3(zero, x0, x0, d1, e9, d2, w8), d3, e7, d4, w6, x5, e5);
  let l1 = low5(i64x2.shr_u(l0, 26), d0, x1, d2, w9, d3, w8, d4, w7, d5, w6);
  const l2 = low3(low3(i64x2.shr_u(l1, 25), d0, x2, x1, d1, d3, e9), d4, w8, d5, e7, x6, w6);
  const l3 = low5(i64x2.shr_u(l2, 26), d0, x3, d1, x2, d4, w9, d5, w8, d6, w7);
  const l4 = low3(low3(i64x2.shr_u(l3, 25), d0, x4, d1, d3, x2, x2), d5, e9, d6, w8, x7, e7);
  const l5 = low5(i64x2.shr_u(l4, 26), d0, x5, d1, x4, d2, x3, d6, w9, d7, w8);
  const l6 = low3(low3(i64x2.shr_u(l5, 25), d0, x6, d1, d5, d2, x4), x3, d3, d7, e9, x8, w8);
  const l7 = low5(i64x2.shr_u(l6, 26), d0, x7, d1, x6, d2, x5, d3, x4, d8, w9);
  const l8 = low3(low3(i64x2.shr_u(l7, 25), d0, x8, d1, d7, d2, x6), d3, d5, x4, x4, x9, e9);
  const l9 = low5(i64x2.shr_u(l8, 26), d0, x9, d1, x8, d2, x7, d3, x6, d4, x5);

  const even = i32x4.splat(0x3ffffff);
  const odd = i32x4.splat(0x1ffffff);
  const even64 = i64x2.splat(0x3ffffff);
  const odd64 = i64x2.splat(0x1ffffff);
  l0 = i64x2.add(v128.and(l0, even64), times19(i64x2.shr_u(l9, 25)));
  l1 = i64x2.add(v128.and(l1, odd64), i64x2.shr_u(l0, 26));
  storeLimb(out, l0, zero, even);
  v128.store(out, v128.shuffle<i32>(l1, zero, 0, 2, 4, 6), 16);
  storeLimb(out + 32, l2, zero, even);
  storeLimb(out + 48, l3, zero, odd);
  storeLimb(out + 64, l4, zero, even);
  storeLimb(out + 80, l5, zero, odd);
  storeLimb(out + 96, l6, zero, even);
  storeLimb(out + 112, l7, zero, odd);
  storeLimb(out + 128, l8, zero, even);
  storeLimb(out + 144, l9, zero, odd);
}
