// The linear steps between the multiplications of the point formulas, with SIMD; point.ts explains the formulas.
// Keeps: subtractions add 2p first, so limbs never turn negative; each function states its folds (see quad-mul.ts).
// `v128.shuffle<i32>(p, p, 2, 1, 3, 2)` reads: lane 0 takes coordinate 2, lane 1 takes 1, ... Loops process two
// limbs per iteration: that halves the loop overhead, and unrolling completely gains nothing more.

import { QUAD_BYTES } from './sizes';

// 2p in the lanes where a step subtracts, 0 in the others.
const BIAS_ADD: usize = memory.data(160, 16);
const BIAS_ADD_FACTORS: usize = memory.data(160, 16);
const BIAS_SUB_FACTORS: usize = memory.data(160, 16);
const BIAS_DOUBLE: usize = memory.data(160, 16);
const BIAS_CACHED: usize = memory.data(160, 16);

function fillBias(bias: usize, lanes: v128): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
    const limb = at == 0 ? 0x7ffffda : at & 16 ? 0x3fffffe : 0x7fffffe;
    v128.store(bias + at, v128.and(i32x4.splat(limb), lanes));
  }
}

export function initStepsSimd(): void {
  fillBias(BIAS_ADD, i32x4(0, 0, 0, -1));
  fillBias(BIAS_ADD_FACTORS, i32x4(-1, -1, 0, 0));
  fillBias(BIAS_SUB_FACTORS, i32x4(-1, 0, -1, 0));
  fillBias(BIAS_DOUBLE, i32x4(-1, -1, -1, 0));
  fillBias(BIAS_CACHED, i32x4(-1, 0, 0, 0));
}

function addOperandLimb(out: usize, point: usize, bias: usize): void {
  const p = v128.load(point);
  const x = i32x4.mul(v128.shuffle<i32>(p, p, 0, 0, 0, 0), i32x4(1, 0, 0, -1));
  v128.store(out, i32x4.add(i32x4.add(v128.shuffle<i32>(p, p, 2, 1, 3, 2), v128.load(bias)), x));
}

/** (X, Z, Y, T) -> (Y+X, Z, T, Y-X): folds 2, 1, 1, 3. */
export function addOperandSimd(out: usize, point: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 32) {
    addOperandLimb(out + at, point + at, BIAS_ADD + at);
    addOperandLimb(out + at + 16, point + at + 16, BIAS_ADD + at + 16);
  }
}

/** The operand with its outer coordinates exchanged: half of what negates a cached point. */
export function swapOuterSimd(out: usize, cached: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 32) {
    const q = v128.load(cached + at);
    const r = v128.load(cached + at, 16);
    v128.store(out + at, v128.shuffle<i32>(q, q, 3, 1, 2, 0));
    v128.store(out + at, v128.shuffle<i32>(r, r, 3, 1, 2, 0), 16);
  }
}

function addFactorsLimb(left: usize, right: usize, products: usize, bias: usize): void {
  const r = v128.load(products);
  const partner = i32x4.mul(v128.shuffle<i32>(r, r, 3, 2, 1, 0), i32x4(-1, -1, 1, 1));
  const v = i32x4.add(i32x4.add(r, v128.load(bias)), partner);
  v128.store(left, v);
  v128.store(right, v128.shuffle<i32>(v, v, 1, 2, 3, 0));
}

/** (B, D, C, A) -> left (E, F, G, H) = (B-A, D-C, D+C, B+A) and right (F, G, H, E): folds 3, 3, 2, 2. */
export function addFactorsSimd(left: usize, right: usize, products: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 32) {
    addFactorsLimb(left + at, right + at, products + at, BIAS_ADD_FACTORS + at);
    addFactorsLimb(left + at + 16, right + at + 16, products + at + 16, BIAS_ADD_FACTORS + at + 16);
  }
}

function subFactorsLimb(left: usize, right: usize, products: usize, bias: usize): void {
  const r = v128.load(products);
  const own = i32x4.mul(r, i32x4(1, 1, -1, 1));
  const partner = i32x4.mul(v128.shuffle<i32>(r, r, 3, 2, 1, 0), i32x4(-1, 1, 1, 1));
  const v = i32x4.add(i32x4.add(own, v128.load(bias)), partner);
  v128.store(left, v);
  v128.store(right, v128.shuffle<i32>(v, v, 1, 2, 3, 0));
}

/** As addFactors with C negated: left (B-A, D+C, D-C, B+A): folds 3, 2, 3, 2. */
export function subFactorsSimd(left: usize, right: usize, products: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 32) {
    subFactorsLimb(left + at, right + at, products + at, BIAS_SUB_FACTORS + at);
    subFactorsLimb(left + at + 16, right + at + 16, products + at + 16, BIAS_SUB_FACTORS + at + 16);
  }
}

function doubleOperandLimb(out: usize, point: usize): void {
  const p = v128.load(point);
  const y = v128.and(v128.shuffle<i32>(p, p, 2, 2, 2, 2), i32x4(0, 0, 0, -1));
  v128.store(out, i32x4.add(v128.shuffle<i32>(p, p, 0, 1, 2, 0), y));
}

/** (X, Z, Y, T) -> (X, Z, Y, X+Y): folds 1, 1, 1, 2. */
export function doubleOperandSimd(out: usize, point: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 32) {
    doubleOperandLimb(out + at, point + at);
    doubleOperandLimb(out + at + 16, point + at + 16);
  }
}

function doubleFactor(products: usize, bias: usize): v128 {
  const r = v128.load(products);
  const a = i32x4.add(v128.shuffle<i32>(r, r, 0, 0, 0, 0), v128.load(bias));
  const b = i32x4.mul(v128.shuffle<i32>(r, r, 2, 2, 2, 2), i32x4(1, -1, -1, 1));
  const rest = i32x4.mul(v128.shuffle<i32>(r, r, 3, 1, 1, 1), i32x4(-1, 2, 0, 0));
  return i32x4.add(i32x4.add(a, b), rest);
}

/**
 * (A, Z^2, B, S) -> left (E, F, G, H) = (A+B-S, 2 Z^2+A-B, A-B, A+B) and right (F, G, H, E), both carried to 1-fold:
 * E and F are 4- and 5-fold before, too large for a right operand.
 */
export function doubleFactorsSimd(left: usize, right: usize, products: usize): void {
  const even = i32x4.splat(0x3ffffff);
  const odd = i32x4.splat(0x1ffffff);
  // Each limb passes on its carry before it receives one: carries are at most 5, so one pass is enough.
  let carry = i32x4.splat(0);
  for (let at: usize = 0; at < QUAD_BYTES; at += 32) {
    const v = doubleFactor(products + at, BIAS_DOUBLE + at);
    const w = doubleFactor(products + at + 16, BIAS_DOUBLE + at + 16);
    storeTurned(left + at, right + at, i32x4.add(v128.and(v, even), carry));
    storeTurned(left + at + 16, right + at + 16, i32x4.add(v128.and(w, odd), i32x4.shr_u(v, 26)));
    carry = i32x4.shr_u(w, 25);
  }
  storeTurned(left, right, i32x4.add(v128.load(left), i32x4.mul(carry, i32x4.splat(19))));
}

/** (S, 2Z, -, D) -> (S-D, 2Z, S+D, 2S): the doubling operand of a cached point with 1-fold sums; folds 3, 1, 2, 2. */
export function cachedOperandSimd(out: usize, cached: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
    const q = v128.load(cached + at);
    const sums = i32x4.mul(v128.shuffle<i32>(q, q, 0, 1, 0, 0), i32x4(1, 1, 1, 2));
    const differences = i32x4.mul(v128.shuffle<i32>(q, q, 3, 3, 3, 3), i32x4(-1, 0, 1, 0));
    v128.store(out + at, i32x4.add(i32x4.add(sums, v128.load(BIAS_CACHED + at)), differences));
  }
}

/** The T of four points, one after another in memory, as one quad. */
export function gatherTSimd(out: usize, points: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
    const from = points + at;
    let t = v128.load_zero<u32>(from, 12);
    t = v128.load_lane<u32>(from, t, 1, 172);
    t = v128.load_lane<u32>(from, t, 2, 332);
    v128.store(out + at, v128.load_lane<u32>(from, t, 3, 492));
  }
}

function cachedLimb(out: usize, point: usize, product: usize, bias: usize): void {
  const p = v128.load(point);
  const x = i32x4.mul(v128.shuffle<i32>(p, p, 0, 0, 0, 0), i32x4(1, 0, 0, -1));
  const yz = i32x4.mul(v128.shuffle<i32>(p, p, 2, 1, 2, 2), i32x4(1, 2, 0, 1));
  const t = v128.and(v128.load_splat<u32>(product), i32x4(0, 0, -1, 0));
  v128.store(out, i32x4.add(i32x4.add(yz, v128.load(bias)), v128.or(x, t)));
}

/** (X, Z, Y, T) -> (Y+X, 2Z, t, Y-X), with 2dT as t from one lane of `products`: folds 2, 2, 1, 3. */
export function cachedSimd(out: usize, point: usize, products: usize): void {
  for (let at: usize = 0; at < QUAD_BYTES; at += 32) {
    cachedLimb(out + at, point + at, products + at, BIAS_ADD + at);
    cachedLimb(out + at + 16, point + at + 16, products + at + 16, BIAS_ADD + at + 16);
  }
}

function storeTurned(left: usize, right: usize, v: v128): void {
  v128.store(left, v);
  v128.store(right, v128.shuffle<i32>(v, v, 1, 2, 3, 0));
}
