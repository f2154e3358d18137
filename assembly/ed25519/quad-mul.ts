// Multiplication of four field elements at once, with 128-bit SIMD.
// An element of GF(2^255 - 19) has ten limbs in radix 2^25.5: limb i weighs 2^ceil(25.5 i), so even limbs carry 26
// bits and odd ones 25. A quad is ten vectors; vector i holds limb i of four elements in four u32 lanes.
// Keeps: products come out reduced (even limbs below 2^26, odd below 2^25, limb 1 below 2^25 + 2^18).
//
// Bounds. Call an operand "a-fold" when its even limbs are at most a * 2^26 and its odd ones a * 2^25.
//  * 19 * y_j must fit u32 for j >= 1: 19 * 2^26 = 2^30.25, so the right operand may be 3.3-fold.
//  * 2 * x_j must fit u32: the left operand may be 32-fold.
//  * The largest column is 0: x0 y0 + 19 (five products of odd limbs, doubled: 5 * 2^51; four of even: 4 * 2^52)
//    = 124.5 * 2^52 < 2^58.97 for 1-fold operands. With folds of product 32 it is below 2^63.97, and the carry of
//    the column before, below 2^39, still fits u64.
//  * The carry out of limb 9 is below 2^39, 19 times that below 2^43.3: limb 0 passes less than 2^18 to limb 1.
// Two odd limbs weigh 2^(25.5 i + 0.5) each, hence their product counts twice (`d` = 2x); indices past 9 come back
// times 19 (`w` = 19y).

import { high5, low5, storeLimb, times19 } from './quad-terms';

/** out = left * right, lane by lane. `out` may be either operand. Left at most 9-fold, right at most 3.3-fold. */
// biome-ignore format: one column of the product to a line
export function mulQuadSimd(out: usize, left: usize, right: usize): void {
  const x0 = v128.load(left, 0);
  const x1 = v128.load(left, 16);
  const x2 = v128.load(left, 32);
  const x3 = v128.load(left, 48);
  const x4 = v128.load(left, 64);
  const x5 = v128.load(left, 80);
  const x6 = v128.load(left, 96);
  const x7 = v128.load(left, 112);
  const x8 = v128.load(left, 128);
  const x9 = v128.load(left, 144);
  const y0 = v128.load(right, 0);
  const y1 = v128.load(right, 16);
  const y2 = v128.load(right, 32);
  const y3 = v128.load(right, 48);
  const y4 = v128.load(right, 64);
  const y5 = v128.load(right, 80);
  const y6 = v128.load(right, 96);
  const y7 = v128.load(right, 112);
  const y8 = v128.load(right, 128);
  const y9 = v128.load(right, 144);
  const d1 = i32x4.shl(x1, 1);
  const d3 = i32x4.shl(x3, 1);
  const d5 = i32x4.shl(x5, 1);
  const d7 = i32x4.shl(x7, 1);
  const d9 = i32x4.shl(x9, 1);
  const nineteen = i32x4.splat(19);
  const w1 = i32x4.mul(y1, nineteen);
  const w2 = i32x4.mul(y2, nineteen);
  const w3 = i32x4.mul(y3, nineteen);
  const w4 = i32x4.mul(y4, nineteen);
  const w5 = i32x4.mul(y5, nineteen);
  const w6 = i32x4.mul(y6, nineteen);
  const w7 = i32x4.mul(y7, nineteen);
  const w8 = i32x4.mul(y8, nineteen);
  const w9 = i32x4.mul(y9, nineteen);

  const zero = i64x2.splat(0);
  let l0 = low5(low5(zero, x0, y0, d1, w9, x2, w8, d3, w7, x4, w6), d5, w5, x6, w4, d7, w3, x8, w2, d9, w1);
  let h0 = high5(high5(zero, x0, y0, d1, w9, x2, w8, d3, w7, x4, w6), d5, w5, x6, w4, d7, w3, x8, w2, d9, w1);
  let l1 = low5(low5(i64x2.shr_u(l0, 26), x0, y1, x1, y0, x2, w9, x3, w8, x4, w7), x5, w6, x6, w5, x7, w4, x8, w3, x9, w2);
  let h1 = high5(high5(i64x2.shr_u(h0, 26), x0, y1, x1, y0, x2, w9, x3, w8, x4, w7), x5, w6, x6, w5, x7, w4, x8, w3, x9, w2);
  const l2 = low5(low5(i64x2.shr_u(l1, 25), x0, y2, d1, y1, x2, y0, d3, w9, x4, w8), d5, w7, x6, w6, d7, w5, x8, w4, d9, w3);
  const h2 = high5(high5(i64x2.shr_u(h1, 25), x0, y2, d1, y1, x2, y0, d3, w9, x4, w8), d5, w7, x6, w6, d7, w5, x8, w4, d9, w3);
  const l3 = low5(low5(i64x2.shr_u(l2, 26), x0, y3, x1, y2, x2, y1, x3, y0, x4, w9), x5, w8, x6, w7, x7, w6, x8, w5, x9, w4);
  const h3 = high5(high5(i64x2.shr_u(h2, 26), x0, y3, x1, y2, x2, y1, x3, y0, x4, w9), x5, w8, x6, w7, x7, w6, x8, w5, x9, w4);
  const l4 = low5(low5(i64x2.shr_u(l3, 25), x0, y4, d1, y3, x2, y2, d3, y1, x4, y0), d5, w9, x6, w8, d7, w7, x8, w6, d9, w5);
  const h4 = high5(high5(i64x2.shr_u(h3, 25), x0, y4, d1, y3, x2, y2, d3, y1, x4, y0), d5, w9, x6, w8, d7, w7, x8, w6, d9, w5);
  const l5 = low5(low5(i64x2.shr_u(l4, 26), x0, y5, x1, y4, x2, y3, x3, y2, x4, y1), x5, y0, x6, w9, x7, w8, x8, w7, x9, w6);
  const h5 = high5(high5(i64x2.shr_u(h4, 26), x0, y5, x1, y4, x2, y3, x3, y2, x4, y1), x5, y0, x6, w9, x7, w8, x8, w7, x9, w6);
  const l6 = low5(low5(i64x2.shr_u(l5, 25), x0, y6, d1, y5, x2, y4, d3, y3, x4, y2), d5, y1, x6, y0, d7, w9, x8, w8, d9, w7);
  const h6 = high5(high5(i64x2.shr_u(h5, 25), x0, y6, d1, y5, x2, y4, d3, y3, x4, y2), d5, y1, x6, y0, d7, w9, x8, w8, d9, w7);
  const l7 = low5(low5(i64x2.shr_u(l6, 26), x0, y7, x1, y6, x2, y5, x3, y4, x4, y3), x5, y2, x6, y1, x7, y0, x8, w9, x9, w8);
  const h7 = high5(high5(i64x2.shr_u(h6, 26), x0, y7, x1, y6, x2, y5, x3, y4, x4, y3), x5, y2, x6, y1, x7, y0, x8, w9, x9, w8);
  const l8 = low5(low5(i64x2.shr_u(l7, 25), x0, y8, d1, y7, x2, y6, d3, y5, x4, y4), d5, y3, x6, y2, d7, y1, x8, y0, d9, w9);
  const h8 = high5(high5(i64x2.shr_u(h7, 25), x0, y8, d1, y7, x2, y6, d3, y5, x4, y4), d5, y3, x6, y2, d7, y1, x8, y0, d9, w9);
  const l9 = low5(low5(i64x2.shr_u(l8, 26), x0, y9, x1, y8, x2, y7, x3, y6, x4, y5), x5, y4, x6, y3, x7, y2, x8, y1, x9, y0);
  const h9 = high5(high5(i64x2.shr_u(h8, 26), x0, y9, x1, y8, x2, y7, x3, y6, x4, y5), x5, y4, x6, y3, x7, y2, x8, y1, x9, y0);

  const even = i32x4.splat(0x3ffffff);
  const odd = i32x4.splat(0x1ffffff);
  const even64 = i64x2.splat(0x3ffffff);
  const odd64 = i64x2.splat(0x1ffffff);
  l0 = i64x2.add(v128.and(l0, even64), times19(i64x2.shr_u(l9, 25)));
  l1 = i64x2.add(v128.and(l1, odd64), i64x2.shr_u(l0, 26));
  h0 = i64x2.add(v128.and(h0, even64), times19(i64x2.shr_u(h9, 25)));
  h1 = i64x2.add(v128.and(h1, odd64), i64x2.shr_u(h0, 26));
  storeLimb(out, l0, h0, even);
  v128.store(out, v128.shuffle<i32>(l1, h1, 0, 2, 4, 6), 16);
  storeLimb(out + 32, l2, h2, even);
  storeLimb(out + 48, l3, h3, odd);
  storeLimb(out + 64, l4, h4, even);
  storeLimb(out + 80, l5, h5, odd);
  storeLimb(out + 96, l6, h6, even);
  storeLimb(out + 112, l7, h7, odd);
  storeLimb(out + 128, l8, h8, even);
  storeLimb(out + 144, l9, h9, odd);
}
