// Points of the curve -x^2 + y^2 = 1 + d x^2 y^2 in extended coordinates, x = X/Z, y = Y/Z, XY = ZT, as one quad, so
// that the four independent products of each formula are one multiplication of quads.
//   point   lanes (X, Z, Y, T)
//   cached  lanes (Y+X, 2Z, 2dT, Y-X): the form in which a point is added to another
// Addition is complete on this curve (d is no square): it holds for equal points, the neutral element and points of
// small order, so hostile keys need no special case. Order of lanes: the products (B, D, C, A) read backwards are
// their partners in B-A, D-C, D+C, B+A, and the factors (E, F, G, H) turned by one place give
// (EF, FG, GH, HE) = (X, Z, Y, T).
// Source: Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited" (2008), sections 3.1 and 3.3, a = -1.

import {
  addFactorsScalar,
  addOperandScalar,
  doubleFactorsScalar,
  doubleOperandScalar,
  subFactorsScalar,
  swapOuterScalar,
  turnScalar,
} from './point-steps-scalar';
import {
  addFactorsSimd,
  addOperandSimd,
  doubleFactorsSimd,
  doubleOperandSimd,
  initStepsSimd,
  subFactorsSimd,
  swapOuterSimd,
} from './point-steps-simd';
import { carryQuad, freezeLane, laneIsZero, mulQuad, splatQuad, sqrQuad, twoPLimb } from './quad';
import { LIMBS, QUAD_BYTES } from './sizes';

export const X: usize = 0;
export const Z: usize = 1;
export const Y: usize = 2;
export const T: usize = 3;

// biome-ignore format: limbs of 2d
const TWICE_D_LIMBS: usize = memory.data<u32>([
  45281625, 27714825, 36363642, 13898781, 229458, 15978800, 54557047, 27058993, 29715967, 9444199,
]);
export const TWICE_D: usize = memory.data(QUAD_BYTES, 16);

const OPERAND: usize = memory.data(QUAD_BYTES, 16);
const PRODUCTS: usize = memory.data(QUAD_BYTES, 16);
const LEFT: usize = memory.data(QUAD_BYTES, 16);
const RIGHT: usize = memory.data(QUAD_BYTES, 16);

export function initPoints(): void {
  if (ASC_FEATURE_SIMD) initStepsSimd();
  splatQuad(TWICE_D, TWICE_D_LIMBS);
}

export function setNeutral(point: usize): void {
  memory.fill(point, 0, QUAD_BYTES);
  store<u32>(point, 1, Z << 2);
  store<u32>(point, 1, Y << 2);
}

/** out = cached, or its negative, as a point: the sum with the neutral element, whose products are the operand itself. */
export function setCached(out: usize, cached: usize, negative: bool): void {
  memory.copy(PRODUCTS, cached, QUAD_BYTES);
  for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
    if (negative) {
      store<u32>(PRODUCTS + at, load<u32>(cached + at, 12));
      store<u32>(PRODUCTS + at, load<u32>(cached + at), 12);
    }
    store<u32>(PRODUCTS + at, 0, 8);
  }
  if (ASC_FEATURE_SIMD) addFactorsSimd(LEFT, RIGHT, PRODUCTS);
  else addFactorsScalar(LEFT, RIGHT, PRODUCTS);
  mulQuad(out, LEFT, RIGHT);
}

/** out = point + cached. */
export function addCached(out: usize, point: usize, cached: usize): void {
  if (ASC_FEATURE_SIMD) addOperandSimd(OPERAND, point);
  else addOperandScalar(OPERAND, point);
  mulQuad(PRODUCTS, OPERAND, cached);
  if (ASC_FEATURE_SIMD) addFactorsSimd(LEFT, RIGHT, PRODUCTS);
  else addFactorsScalar(LEFT, RIGHT, PRODUCTS);
  mulQuad(out, LEFT, RIGHT);
}

/** out = point - cached: the negative exchanges Y+X with Y-X and negates T. */
export function subCached(out: usize, point: usize, cached: usize): void {
  if (ASC_FEATURE_SIMD) {
    addOperandSimd(OPERAND, point);
    swapOuterSimd(RIGHT, cached);
  } else {
    addOperandScalar(OPERAND, point);
    swapOuterScalar(RIGHT, cached);
  }
  mulQuad(PRODUCTS, OPERAND, RIGHT);
  if (ASC_FEATURE_SIMD) subFactorsSimd(LEFT, RIGHT, PRODUCTS);
  else subFactorsScalar(LEFT, RIGHT, PRODUCTS);
  mulQuad(out, LEFT, RIGHT);
}

function doubleFactors(): void {
  if (ASC_FEATURE_SIMD) {
    doubleFactorsSimd(LEFT, RIGHT, PRODUCTS);
  } else {
    doubleFactorsScalar(LEFT, PRODUCTS);
    carryQuad(LEFT);
    turnScalar(RIGHT, LEFT);
  }
}

/** out = 2 * point; the point's T is not read. */
export function doublePoint(out: usize, point: usize): void {
  if (ASC_FEATURE_SIMD) doubleOperandSimd(OPERAND, point);
  else doubleOperandScalar(OPERAND, point);
  sqrQuad(PRODUCTS, OPERAND);
  doubleFactors();
  mulQuad(out, LEFT, RIGHT);
}

/** out = 2 * cached: (2X : 2Z : 2Y) is read off its sums, and a doubling needs no T. */
export function doubleCached(out: usize, cached: usize): void {
  for (let i: usize = 0; i < LIMBS; i++) {
    const at = i << 4;
    const sum = load<u32>(cached + at);
    const difference = load<u32>(cached + at, 12);
    store<u32>(PRODUCTS + at, sum + twoPLimb(at) - difference);
    store<u32>(PRODUCTS + at, load<u32>(cached + at, 4), 4);
    store<u32>(PRODUCTS + at, sum + difference, 8);
    store<u32>(PRODUCTS + at, 2 * sum, 12);
  }
  sqrQuad(PRODUCTS, PRODUCTS);
  doubleFactors();
  mulQuad(out, LEFT, RIGHT);
}

/**
 * Turns up to four points, one after another in memory, into their cached forms: their T are multiplied by 2d at once.
 * The sums stay unreduced: folds 2, 2, 1, 3, good for a right operand.
 */
export function cacheInPlace(points: usize, count: u32): void {
  const end = points + count * QUAD_BYTES;
  for (let i: usize = 0; i < LIMBS; i++) {
    let to = PRODUCTS + (i << 4);
    for (let point = points; point < end; point += QUAD_BYTES) {
      store<u32>(to, load<u32>(point + (i << 4), 12));
      to += 4;
    }
  }
  mulQuad(PRODUCTS, PRODUCTS, TWICE_D);
  let lane: usize = 0;
  for (let point = points; point < end; point += QUAD_BYTES) {
    for (let at: usize = 0; at < QUAD_BYTES; at += 16) {
      const x = load<u32>(point + at);
      const y = load<u32>(point + at, 8);
      store<u32>(point + at, y + x);
      store<u32>(point + at, 2 * load<u32>(point + at, 4), 4);
      store<u32>(point + at, load<u32>(PRODUCTS + at + lane), 8);
      store<u32>(point + at, y + twoPLimb(at) - x, 12);
    }
    lane += 4;
  }
}

/** out = the cached form of one point. */
export function cachePoint(out: usize, point: usize): void {
  if (ASC_FEATURE_SIMD) addOperandSimd(OPERAND, point);
  else addOperandScalar(OPERAND, point);
  mulQuad(PRODUCTS, OPERAND, TWICE_D);
  for (let i: usize = 0; i < LIMBS; i++) {
    const at = i << 4;
    store<u32>(out + at, load<u32>(OPERAND + at));
    store<u32>(out + at, 2 * load<u32>(OPERAND + at, 4), 4);
    store<u32>(out + at, load<u32>(PRODUCTS + at, 8), 8);
    store<u32>(out + at, load<u32>(OPERAND + at, 12), 12);
  }
}

/** Whether 8 * point is the neutral element: the cofactored equation of ZIP-215. Overwrites the point. */
export function isNeutralTimesEight(point: usize): bool {
  for (let i = 0; i < 3; i++) doublePoint(point, point);
  if (!laneIsZero(point, X)) return false;
  const y = freezeLane(point, Y);
  memory.copy(OPERAND, y, LIMBS << 2);
  return memory.compare(OPERAND, freezeLane(point, Z), LIMBS << 2) == 0;
}
